"""How rules fare over everybody: fired, overridden, failing. Only shipped rules have their names.

A rule of one person's own code is named by a model after what that person said, so that all of
those together are one line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from alerts.models import Alert, AlertEvent, EventKind, Origin
from alerts.views.rule_counts import RuleCounts, counts_by_rule
from memory.code import adopted_baseline

OWN = "(rules of one person's own)"
MONTH = 0  # of `alerts.views.rule_counts.SPANS`


@dataclass(frozen=True)
class RuleFigures:
    """What became of a rule's findings, in all and in 30 days; it fails for `failing` people."""

    name: str
    fired: int = 0
    acknowledged: int = 0
    overridden: int = 0
    fired_lately: int = 0
    overridden_lately: int = 0
    failing: int = 0

    @property
    def ships(self) -> bool:
        """Whether it is one rule with a page, not the line of all others."""
        return self.name != OWN

    @property
    def override_rate(self) -> int | None:
        """How many in a hundred that fired in the last 30 days were overridden, if any fired."""
        if not self.fired_lately:
            return None
        return round(100 * self.overridden_lately / self.fired_lately)


@dataclass(frozen=True)
class StandingAlerts:
    """How many alerts of a severity stand in a status."""

    severity: str
    status: str
    count: int


def rule_figures(now: datetime) -> list[RuleFigures]:
    """Each shipped rule that ever fired or fails, and one line for all others; two queries."""
    shipped = adopted_baseline().rules.keys()
    counts: dict[str, list[RuleCounts]] = defaultdict(list)
    for rule, found in counts_by_rule(AlertEvent.objects.all(), now).items():
        counts[rule if rule in shipped else OWN].append(found)
    failing: dict[str, int] = defaultdict(int)
    for rule, people in _failing():
        failing[rule if rule in shipped else OWN] += people
    names = sorted(counts.keys() | failing.keys(), key=lambda name: (name == OWN, name))
    return [_figures(name, counts.get(name, ()), failing) for name in names]


def standing_figures() -> list[StandingAlerts]:
    """The alerts whose cause holds, by severity and status; one query."""
    rows = Alert.objects.active().values_list("severity", "status").annotate(count=Count("pk"))
    return [StandingAlerts(*row) for row in rows.order_by("severity", "status")]


def _failing() -> Sequence[tuple[str, int]]:
    failures = Alert.objects.active().filter(origin=Origin.FAILURE)
    return list(failures.values_list("rule").annotate(Count("user", distinct=True)).order_by())


def _figures(name: str, counts: Sequence[RuleCounts], failing: Mapping[str, int]) -> RuleFigures:
    def lately(kind: EventKind) -> int:
        return sum(one.by_kind[kind][MONTH] for one in counts if kind in one.by_kind)

    return RuleFigures(
        name=name,
        fired=sum(one.fired for one in counts),
        acknowledged=sum(one.acknowledged for one in counts),
        overridden=sum(one.overridden for one in counts),
        fired_lately=lately(EventKind.OPENED),
        overridden_lately=lately(EventKind.OVERRIDDEN),
        failing=failing.get(name, 0),
    )
