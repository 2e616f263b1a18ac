"""How often rules fired and what became of it, over the people whom somebody may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Count, Q

from alerts.models import RULED, AlertEventQuerySet, EventKind, Origin, OverrideReason

SPANS = (("30 days", 30), ("90 days", 90), ("all time", None))
EVER = len(SPANS) - 1
ROWS = (
    (EventKind.OPENED, "Fired"),
    (EventKind.RECURRED, "Came back"),
    (EventKind.ACKNOWLEDGED, "Acknowledged"),
    (EventKind.SHELVED, "Put aside"),
    (EventKind.OVERRIDDEN, "Overridden"),
    (EventKind.CLEARED, "Cleared by the rules"),
)
Numbers = tuple[int, ...]  # one for each of SPANS
NONE: Numbers = (0,) * len(SPANS)


@dataclass(frozen=True)
class RuleCounts:
    """What happened to a rule's findings, by kind of event and by the reason of an override."""

    by_kind: Mapping[str, Numbers] = field(default_factory=dict)
    by_reason: Mapping[str, Numbers] = field(default_factory=dict)
    failed: Numbers = NONE

    @property
    def lines(self) -> list[tuple[str, Numbers]]:
        """`("Fired", (3, 4, 4))` and so on."""
        return [(words, self.by_kind.get(kind, NONE)) for kind, words in ROWS]

    @property
    def reasons(self) -> list[tuple[str, Numbers]]:
        """The reasons of overrides in words, the most frequent first."""
        labels = dict(OverrideReason.choices)
        found = [(labels.get(code, code), count) for code, count in self.by_reason.items()]
        return sorted(found, key=lambda one: (-one[1][EVER], one[0]))

    @property
    def fired(self) -> int:
        """How often, in all."""
        return self.by_kind.get(EventKind.OPENED, NONE)[EVER]

    @property
    def overridden(self) -> int:
        """How often, in all."""
        return self.by_kind.get(EventKind.OVERRIDDEN, NONE)[EVER]

    @property
    def acknowledged(self) -> int:
        """How often, in all."""
        return self.by_kind.get(EventKind.ACKNOWLEDGED, NONE)[EVER]

    @property
    def shares(self) -> list[int | None]:
        """Of the times it fired in each span, how many in a hundred overrides there were."""
        fired = self.by_kind.get(EventKind.OPENED, NONE)
        overridden = self.by_kind.get(EventKind.OVERRIDDEN, NONE)
        pairs = zip(overridden, fired, strict=True)
        return [round(100 * part / whole) if whole else None for part, whole in pairs]


def counts_by_rule(events: AlertEventQuerySet, now: datetime) -> dict[str, RuleCounts]:
    """What these events tell of each rule in force; one query."""
    found: dict[str, list[tuple[str, str, str, Numbers]]] = defaultdict(list)
    numbers = {name: Count("pk", filter=_since(days, now)) for name, days in _named()}
    ruled = events.filter(alert__origin__in=RULED)
    grouped = ruled.values_list("alert__rule", "alert__origin", "kind", "reason")
    for rule, origin, kind, reason, *counts in grouped.annotate(**numbers).order_by():
        found[rule].append((origin, kind, reason, tuple(counts)))
    return {rule: _counts(rows) for rule, rows in found.items()}


@dataclass(frozen=True)
class ConcernCounts:
    """What became of what the model noticed, over each of `SPANS`."""

    noticed: Numbers
    dismissed: Numbers
    sent: Numbers
    became_rules: Numbers
    gave_way: Numbers

    @property
    def lines(self) -> list[tuple[str, Numbers]]:
        """`("Noticed", (3, 4, 4))` and so on."""
        return [
            ("Noticed", self.noticed),
            ("Dismissed", self.dismissed),
            ("A rule was asked for", self.sent),
            ("A rule says it now", self.became_rules),
            ("Gave way to others", self.gave_way),
        ]


def concern_counts(events: AlertEventQuerySet, now: datetime) -> ConcernCounts:
    """What these events tell of concerns; one query."""
    said = Q(said_by__isnull=False)
    kinds = {
        "noticed": Q(kind=EventKind.OPENED),
        "dismissed": Q(kind=EventKind.DISMISSED),
        "sent": Q(kind=EventKind.SENT),
        "became_rules": Q(kind=EventKind.CLEARED) & said,
        "gave_way": Q(kind=EventKind.CLEARED) & ~said,
    }
    numbers = {
        f"{name}_{span}": Count("pk", filter=which & (_since(days, now) or Q()))
        for name, which in kinds.items()
        for span, days in _named()
    }
    found = events.filter(alert__origin=Origin.CONCERN).aggregate(**numbers)
    return ConcernCounts(
        **{name: tuple(found[f"{name}_{span}"] for span, _ in _named()) for name in kinds}
    )


def _named() -> list[tuple[str, int | None]]:
    return [(f"span_{number}", days) for number, (_, days) in enumerate(SPANS)]


def _since(days: int | None, now: datetime) -> Q | None:
    return None if days is None else Q(at__gte=now - timedelta(days=days))


def _counts(rows: Sequence[tuple[str, str, str, Numbers]]) -> RuleCounts:
    kinds: dict[str, Numbers] = defaultdict(lambda: NONE)
    reasons: dict[str, Numbers] = defaultdict(lambda: NONE)
    failed = NONE
    for origin, kind, reason, numbers in rows:
        if origin == Origin.FAILURE:
            failed = _sum(failed, numbers) if kind == EventKind.OPENED else failed
            continue
        kinds[kind] = _sum(kinds[kind], numbers)
        if kind == EventKind.OVERRIDDEN:
            reasons[reason] = _sum(reasons[reason], numbers)
    return RuleCounts(dict(kinds), dict(reasons), failed)


def _sum(one: Numbers, other: Numbers) -> Numbers:
    return tuple(a + b for a, b in zip(one, other, strict=True))
