"""What rules find in what was known at an earlier moment; nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from alerts.evaluation.diff import Content, contents_of
from alerts.evaluation.engine import RANK, Finding, OutOfTime, failure_of
from alerts.evaluation.growing import Growing, said_of
from alerts.evaluation.scene import findings_in, kinds_read, scene_of
from alerts.models import AlertEvent, EventKind
from alerts.rerun import Busy
from memory.code import Code, code_of
from memory.library.reference import load
from memory.querying.lanes import lane_of
from memory.sandbox import Limits
from memory.then import Then

LIMITS = Limits(total_seconds=10.0, feed_seconds=4.0)
Rules = Literal["then", "now"]


@dataclass(frozen=True)
class Fired:
    """What a rule says of then, and the alert that stands or stood for it, if it was raised."""

    finding: Finding
    content: Content
    alert_id: int | None


@dataclass(frozen=True)
class BackThen:
    """All findings, the gravest first, by the rules of a project and the tables of now."""

    known: Then
    version: str
    tables: str
    fired: tuple[Fired, ...]
    seconds: float


def back_then(known: Then, rules: Rules = "then", *, limits: Limits = LIMITS) -> BackThen:
    """What would have fired: by the rules of then, or by those of now over what was known then.

    The reference tables are those of now, the date is the person's of then. Raises Busy.
    """
    code = known.code if rules == "then" else code_of(known.user)
    every = tuple(code.project.rules.values())
    records = Growing(code.project.kinds)
    said = said_of(known.user, kinds_read(code.project, every), {})
    records.add(pair for pair in said if known.knew(pair[1].seq, pair[1].fact_seq))
    seen = scene_of(Code(code.project, code.baseline), every, records.rows.values())
    workers = lane_of(known.user.pk)
    try:
        found = findings_in(seen, today=known.today, limits=limits, workers=workers)
    except OutOfTime as error:
        raise Busy from error
    findings, contents = contents_of(seen, found)
    failures = [failure_of(rule, reason) for rule, reason in findings.failed.items()]
    return BackThen(
        known,
        code.project.digest,
        load().digest,
        _fired(known, [*findings.found, *failures], contents),
        found.seconds,
    )


def _fired(
    known: Then, findings: list[Finding], contents: Mapping[str, Content]
) -> tuple[Fired, ...]:
    raised = _raised(known, [one.dedupe_key for one in findings])
    fired = [Fired(one, contents[one.dedupe_key], raised.get(one.dedupe_key)) for one in findings]
    return tuple(sorted(fired, key=_by_gravity))


def _by_gravity(one: Fired) -> tuple[int, str, str]:
    return RANK[one.finding.severity], one.finding.rule, one.finding.dedupe_key


def _raised(known: Then, keys: list[str]) -> dict[str, int]:
    """The newest alert under each of these keys that had been opened by then.

    Each alert that opened has such an event of its own; it counts since when its cause was there
    first, which may have been in an alert before it.
    """
    opened = AlertEvent.objects.filter(
        user=known.user,
        kind=EventKind.OPENED,
        at__lte=known.moment,
        alert__dedupe_key__in=keys,
    )
    return dict(opened.order_by("pk").values_list("alert__dedupe_key", "alert"))
