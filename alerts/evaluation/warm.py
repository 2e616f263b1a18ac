"""Have what the first evaluations need ready before the first fact comes."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

from alerts.evaluation.engine import OutOfTime, RunSetting, run_rules
from alerts.evaluation.ground import ground
from memory.project.bundle import Situation, StateSlice
from memory.project.shipped import baseline, library
from memory.sandbox import Limits

LIMITS = Limits(total_seconds=30.0, feed_seconds=10.0)


def read_tables() -> None:
    """Read the reference tables, which takes half a second."""
    ground()


def warm(collection: str, today: date) -> None:
    """Leave a sandbox worker with the code of the shipped rules that read a collection."""
    project = baseline()
    rules = [rule for rule in project.rules.values() if rule.touched_by(frozenset({collection}))]
    read = frozenset().union(*(rule.reads or project.collections for rule in rules))
    nothing = StateSlice({name: [] for name in sorted(read)})
    setting = RunSetting(project, library(), LIMITS)
    with suppress(OutOfTime):
        run_rules(setting, Situation(nothing, today, {"drug_rows": []}), rules)
