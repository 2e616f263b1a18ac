"""The life of an alert as a table: from where, by what event, to where, who, and what it takes.

In the spirit of ISA-18.2 (acknowledged, shelved, returned to normal unacknowledged) and of CDS
Hooks (overridden for a coded reason). The actions and the evaluation move alerts by this table and
no other way; `docs/alerts.md` shows it. Pure data and functions over it: no database, no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from alerts.evaluation.engine import RANK
from alerts.models import EventKind, Origin, Severity, Status


class Who(StrEnum):
    """Who may have an event happen."""

    RULES = "the rules"
    PEOPLE = "whoever may handle alerts"
    CLOCK = "the clock"


@dataclass(frozen=True)
class Transition:
    """One row: `source` is None for an alert that was not there; `takes` is said to people."""

    event: EventKind
    source: Status | None
    target: Status
    who: Who
    takes: str


def _rows(
    event: EventKind, sources: Sequence[Status | None], target: Status, who: Who, takes: str
) -> list[Transition]:
    return [Transition(event, source, target, who, takes) for source in sources]


OPEN, ACKNOWLEDGED, SHELVED = Status.OPEN, Status.ACKNOWLEDGED, Status.SHELVED
OVERRIDDEN, CLEARED, RESOLVED = Status.OVERRIDDEN, Status.CLEARED, Status.RESOLVED
SET_ASIDE = (ACKNOWLEDGED, SHELVED, OVERRIDDEN)

TABLE: tuple[Transition, ...] = (
    *_rows(EventKind.OPENED, [None], OPEN, Who.RULES, "a rule finds it"),
    *_rows(
        EventKind.OPENED, [None], OPEN, Who.CLOCK,
        "nobody has acknowledged another alert in the time its team was given",
    ),
    *_rows(EventKind.RECURRED, [CLEARED], OPEN, Who.RULES, "the rule finds it again: counted"),
    *(
        Transition(EventKind.CHANGED, one, one, Who.RULES, "it shows something else, no graver")
        for one in (OPEN, *SET_ASIDE)
    ),
    *_rows(EventKind.REOPENED, SET_ASIDE, OPEN, Who.RULES, "its severity rises"),
    *_rows(EventKind.REOPENED, [OVERRIDDEN], OPEN, Who.RULES, "its evidence says something else"),
    *_rows(
        EventKind.CLEARED, [OPEN], CLEARED, Who.RULES,
        "the cause is gone, and nobody has acknowledged the critical or warning finding",
    ),
    *_rows(
        EventKind.CLEARED, [OPEN], RESOLVED, Who.RULES,
        "the cause is gone; information, or a rule that runs again, asks nothing of anybody",
    ),
    *_rows(EventKind.CLEARED, SET_ASIDE, RESOLVED, Who.RULES, "the cause is gone"),
    *_rows(
        EventKind.SUPERSEDED, [OPEN, *SET_ASIDE], Status.SUPERSEDED, Who.RULES,
        "with newer code the rule is gone, or another alert rests on the same records",
    ),
    *_rows(EventKind.ACKNOWLEDGED, [OPEN], ACKNOWLEDGED, Who.PEOPLE, "nothing; it has an owner"),
    *_rows(
        EventKind.SHELVED, [OPEN, ACKNOWLEDGED], SHELVED, Who.PEOPLE,
        "until when, and a reason in words",
    ),
    *_rows(
        EventKind.OVERRIDDEN, [OPEN, ACKNOWLEDGED, SHELVED], OVERRIDDEN, Who.PEOPLE,
        "a coded reason; *other* needs a comment",
    ),
    *_rows(EventKind.REOPENED, SET_ASIDE, OPEN, Who.PEOPLE, "nothing; taken back or unshelved"),
    *_rows(EventKind.RESOLVED, [CLEARED], RESOLVED, Who.PEOPLE, "nothing; seen that it is over"),
    *_rows(
        EventKind.ESCALATED, [OPEN], OPEN, Who.CLOCK, "a step of a team's escalation is due",
    ),
    *_rows(
        EventKind.CLEARED, [OPEN, *SET_ASIDE], RESOLVED, Who.CLOCK,
        "the alert that nobody had acknowledged waits no more",
    ),
    *_rows(EventKind.EXPIRED, [ACKNOWLEDGED, SHELVED], OPEN, Who.CLOCK, "its time has passed"),
)  # fmt: skip

ACKNOWLEDGED_FOR = {
    Severity.CRITICAL: timedelta(hours=8),
    Severity.WARNING: timedelta(days=3),
    Severity.INFO: timedelta(days=14),
}
"""How long an acknowledgement holds: a critical one no longer than a shift."""
LONGEST_SHELVED = {
    Severity.CRITICAL: timedelta(hours=24),
    Severity.WARNING: timedelta(days=30),
    Severity.INFO: timedelta(days=90),
}


def sources(event: EventKind, who: Who) -> tuple[Status, ...]:
    """The states in which somebody may have an event happen."""
    return tuple(row.source for row in TABLE if (row.event, row.who) == (event, who) and row.source)


def target(event: EventKind, who: Who) -> Status:
    """Where an event leads, whichever of its states it starts from."""
    (only,) = {row.target for row in TABLE if (row.event, row.who) == (event, who)}
    return only


def asks(severity: str, origin: str) -> bool:
    """Whether an alert asks to be acknowledged though its cause is gone."""
    return severity != Severity.INFO and origin == Origin.FINDING


def cleared_to(status: Status, severity: str, origin: str) -> Status:
    """Where an active alert goes when its cause is gone."""
    return CLEARED if status == OPEN and asks(severity, origin) else RESOLVED


def changed_to(
    status: Status, *, severity: tuple[str, str], evidence_changed: bool
) -> tuple[EventKind, Status]:
    """What becomes of an active alert that shows something else; severities are old and new."""
    before, after = severity
    rises = RANK[after] < RANK[before]
    if status in SET_ASIDE and (rises or (status == OVERRIDDEN and evidence_changed)):
        return EventKind.REOPENED, OPEN
    return EventKind.CHANGED, status
