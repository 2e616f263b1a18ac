"""Run one benchmark on the database of this process's environment, which must be empty."""

from __future__ import annotations

import importlib
import json
import sys

import django

from uac_site.benchmarks import clock
from uac_site.benchmarks.conversation import NoData
from uac_site.benchmarks.options import BEGINNINGS, parsed
from uac_site.benchmarks.outside import RESULT


def main(arguments: list[str]) -> None:
    """Migrate, measure, and leave the result in the folder; exit 1 where there is no data."""
    options = parsed(arguments)
    if options.benchmark in BEGINNINGS:
        clock.begin(options.folder, BEGINNINGS[options.benchmark])
    django.setup()
    inside = importlib.import_module("uac_site.benchmarks.inside")
    module = options.benchmark.replace("-", "_")
    benchmark = importlib.import_module(f"uac_site.benchmarks.{module}")
    try:
        result = benchmark.run(inside.prepare(options.folder, options))
    except NoData as error:
        sys.exit(str(error))
    (options.folder / RESULT).write_text(json.dumps(result.as_json()))


if __name__ == "__main__":
    main(sys.argv[1:])
