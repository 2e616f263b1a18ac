"""Run a benchmark on a scratch database of each engine, in a process with its environment."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from uac_site.benchmarks import scratch
from uac_site.benchmarks.measure import Result
from uac_site.benchmarks.scratch import Scratch
from uac_site.env import BASE_DIR

RESULT = "result.json"
NO_MODEL = dict.fromkeys(
    (
        *("OPENAI_BASE_URL", "UAC_MODEL", "UAC_MODEL_READ", "UAC_MODEL_STRUCTURE"),
        *("UAC_MODEL_ASK", "UAC_MODEL_EMBED"),
        *("UAC_MODEL_DAILY_BUDGET", "UAC_MODEL_DAILY_BUDGET_PER_PERSON"),
    ),
    "",
)
"""The environment of processes that ask no model, whatever one the site has."""


def databases(wanted: str, server: str) -> Iterator[AbstractContextManager[Scratch]]:
    """The databases asked for: sqlite, postgresql or both."""
    if wanted in ("sqlite", "both"):
        yield scratch.sqlite()
    if wanted in ("postgresql", "both"):
        yield scratch.postgresql(server)


def measure_on(database: Scratch, arguments: Sequence[str], redis: str = "") -> Result:
    """Run `python -m uac_site.benchmarks` there; an empty result where it broke off."""
    ended = subprocess.run(
        [sys.executable, "-m", "uac_site.benchmarks", *arguments, "--folder", database.folder],
        cwd=BASE_DIR,
        env={**os.environ, **environment(database, redis)},
        check=False,
    )
    result = database.folder / RESULT
    if ended.returncode != 0 or not result.exists():
        for log in sorted(database.folder.glob("*.log")):
            print(f"{log.name}: {log.read_text(errors='replace')[-2_000:]}", file=sys.stderr)
        return Result()
    return Result.from_json(json.loads(result.read_text()))


def environment(database: Scratch, redis: str = "") -> dict[str, str]:
    """The environment of the benchmark and of every process it starts."""
    return {
        "DJANGO_SETTINGS_MODULE": "uac_site.benchmarks.settings",
        "DATABASE_URL": database.url,
        "REDIS_URL": redis,
        "SECRET_KEY": secrets.token_urlsafe(48),
        "DEBUG": "false",
        "HTTPS": "false",
        "ALLOWED_HOSTS": "127.0.0.1",
        "UAC_DEMO_WITHOUT_SECOND_FACTOR": "true",
        "LOG_LEVEL": "WARNING",
        "UAC_REQUESTS_PER_MINUTE": "1000000000",
        **NO_MODEL,
    }
