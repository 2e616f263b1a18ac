"""`python -m uac_runner [--today YYYY-MM-DD]` in the folder of an exported project.

Prints one line of JSON for each alert its rules raise. A rule that fails is named on the standard
error stream, and the exit status is 1: silence is never an answer.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from .canonical import CanonicalAlert, canonical_text
from .findings import alerts_of

FOLDER = Path(__file__).resolve().parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every rule, print the alerts, and return the exit status."""
    sys.path.insert(0, str(FOLDER))
    manifest = importlib.import_module("manifest")
    today = _today(manifest, arguments)
    kinds = {kind.split(".")[1]: kind for kind in manifest.KINDS}
    records = _records(manifest)
    alerts: list[CanonicalAlert] = []
    failed = False
    for path in sorted((FOLDER / "rules").glob("*.py")):
        if path.stem == "__init__":
            continue
        try:
            with contextlib.redirect_stdout(sys.stderr):  # only alerts go to standard output
                check: Callable[[date], Any] = importlib.import_module(f"rules.{path.stem}").check
                answer = check(today)
            alerts += alerts_of(path.stem, answer, kinds, records)
        except Exception as error:  # whatever a rule does, the others are still run
            failed = True
            print(f"Rule {path.stem} failed: {type(error).__name__}: {error}", file=sys.stderr)
    sys.stdout.write(canonical_text(alerts))
    return 1 if failed else 0


def _today(manifest: Any, arguments: Sequence[str] | None) -> date:
    parser = argparse.ArgumentParser(
        prog="uac_runner", description="Print the alerts that this project's rules raise."
    )
    parser.add_argument(
        "--today",
        type=date.fromisoformat,
        default=manifest.TODAY,
        metavar="YYYY-MM-DD",
        help=f"the person's local date (default: {manifest.TODAY}, the day of the export)",
    )
    today = parser.parse_args(arguments).today
    return today if isinstance(today, date) else date.fromisoformat(today)


def _records(manifest: Any) -> set[tuple[str, str]]:
    """The kind and id of every record."""
    found = set()
    for kind, entry in manifest.KINDS.items():
        state = importlib.import_module(f"domains.{kind.split('.')[0]}.state")
        value = getattr(state, entry["collection"])
        for record in value if isinstance(value, list) else [value] if value is not None else []:
            found.add((kind, record.id))
    return found


if __name__ == "__main__":
    sys.exit(main())
