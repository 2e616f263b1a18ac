"""A clock that stands where a benchmark sets it and goes on from there, in all its processes.

It is `django.utils.timezone.now`, by which all of the project tells the time.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

VARIABLE = "UAC_BENCHMARK_CLOCK"
"""Names the file that holds by how many seconds the clock is off."""


def begin(folder: Path, moment: datetime) -> None:
    """Have this process and those it starts tell a time of their own, from settings on."""
    os.environ[VARIABLE] = str(folder / "clock")
    set_clock(moment)


def set_clock(moment: datetime) -> None:
    """Let it be this (aware) moment now, in every process."""
    file = Path(os.environ[VARIABLE])
    new = file.with_suffix(".new")
    new.write_text(str((moment - datetime.now(UTC)).total_seconds()))
    new.replace(file)


def turn_to(moment: datetime) -> None:
    """Let it be this moment, with no turn of the queue's schedules to make up for.

    django-q counts each missed turn inside one transaction: months of minutes would keep SQLite's
    lock for longer than others wait.
    """
    from django_q.models import Schedule  # models are not ready where settings install the clock

    Schedule.objects.filter(next_run__lt=moment).update(next_run=moment)
    set_clock(moment)


def install() -> None:
    """Tell the time by the file, where one is named."""
    if VARIABLE not in os.environ:
        return
    file = Path(os.environ[VARIABLE])

    def now() -> datetime:
        return datetime.now(UTC) + timedelta(seconds=float(file.read_text()))

    setattr(timezone, "now", now)  # noqa: B010  (a function that mypy knows as final)
