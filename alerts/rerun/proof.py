"""Prove an alert: run its rule again over what was known then, and compare byte for byte.

The records are folded from the log up to the fact and the reading that the alert had seen, the code
is the version that found it, the date is the person's of then. The workers are those of queries.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from alerts.evaluation.compare import fingerprint
from alerts.evaluation.diff import SHOWN, contents_of
from alerts.evaluation.engine import OutOfTime
from alerts.evaluation.growing import Growing, Said, said_of
from alerts.evaluation.scene import findings_in, kinds_read, scene_of
from alerts.models import RULED, Alert
from alerts.rerun import Busy
from memory.code import Code, CodeTampered, baseline_of, load_project
from memory.library.reference import load
from memory.project.tree import Project
from memory.querying.lanes import lane_of
from memory.sandbox import Limits, NoWorker

LIMITS = Limits(total_seconds=6.0, feed_seconds=4.0)


class NotProvable(Exception):
    """The rule cannot be run as it ran then; it says why."""


@dataclass(frozen=True)
class Difference:
    """A part of the alert, as it is stored and as the run made it; JSON texts."""

    name: str
    stored: str
    found: str


@dataclass(frozen=True)
class Proof:
    """What came of running the rule again."""

    through_fact: int
    through_reading: int | None
    version: str
    on: date
    found: bool
    """Whether the rule says anything under the alert's key."""
    stored_digest: str
    found_digest: str
    intact: bool
    """Whether the alert as stored is what its own digest says."""
    same_tables: bool
    differences: tuple[Difference, ...]
    seconds: float

    @property
    def same(self) -> bool:
        """Whether the run said what the alert shows, byte for byte."""
        return self.found and self.intact and self.stored_digest == self.found_digest


def prove(alert: Alert) -> Proof:
    """Run an alert's rule again. Raises NotProvable and Busy; nothing is stored."""
    if alert.origin not in RULED:
        raise NotProvable("the clock opened it, not a rule; prove the alert that it is about")
    project = _project_of(alert)
    rule = project.rules.get(alert.rule)
    if rule is None:
        raise NotProvable("the code that found it holds no such rule")
    records = Growing(project.kinds)
    records.add(_then(alert, said_of(alert.user, kinds_read(project, [rule]), {})))
    seen = scene_of(Code(project, baseline_of(alert.user)), [rule], records.rows.values())
    on = alert.found_on or alert.user.local_date(alert.changed_at)
    try:
        findings = findings_in(seen, today=on, limits=LIMITS, workers=lane_of(alert.user_id))
    except (OutOfTime, NoWorker) as error:
        raise Busy from error
    _, contents = contents_of(seen, findings)
    stored = {name: getattr(alert, name) for name in SHOWN}
    stored["due"] = alert.due.isoformat() if alert.due else None
    content = contents.get(alert.dedupe_key)
    return Proof(
        through_fact=alert.fact_seq,
        through_reading=alert.reading_seq,
        version=alert.version,
        on=on,
        found=content is not None,
        stored_digest=alert.fingerprint,
        found_digest=content["fingerprint"] if content else "",
        intact=fingerprint(stored) == alert.fingerprint,
        same_tables=alert.tables == load().digest,
        differences=_differences(stored, content) if content else (),
        seconds=findings.seconds,
    )


def _project_of(alert: Alert) -> Project:
    try:
        return load_project(alert.version)
    except CodeTampered as error:
        raise NotProvable(f"the code that found it cannot be loaded: {error}") from error


def _then(alert: Alert, said: list[Said]) -> list[Said]:
    """What had been said and read when the alert took on what it shows."""
    last = alert.reading_seq
    return [
        (key, one)
        for key, one in said
        if one.fact_seq <= alert.fact_seq and (last is None or one.seq <= last)
    ]


def _differences(stored: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[Difference, ...]:
    pairs = ((name, _text(stored[name]), _text(found[name])) for name in SHOWN)
    return tuple(Difference(name, was, now) for name, was, now in pairs if was != now)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
