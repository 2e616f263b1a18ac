"""When which step of an escalation comes. Pure: times and minutes in, times out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from alerts.evaluation.engine import RANK


@dataclass(frozen=True)
class Quiet:
    """Hours of a day, by the clock of a zone, in which alerts of some severities wait.

    Hours that end before they begin go over midnight; those that are the same are the whole day.
    """

    begins: time
    ends: time
    severities: frozenset[str]
    zone: ZoneInfo

    def until(self, severity: str, now: datetime) -> datetime | None:
        """When the quiet that holds now for a severity ends; None where none does."""
        if severity not in self.severities:
            return None
        local = now.astimezone(self.zone)
        for day in (local.date() - timedelta(days=1), local.date()):
            begins, ends = self._at(day, self.begins), self._end(day)
            if begins <= now < ends:
                return ends
        return None

    def _end(self, day: date) -> datetime:
        over = self.ends <= self.begins
        return self._at(day + timedelta(days=1) if over else day, self.ends)

    def _at(self, day: date, clock: time) -> datetime:
        return datetime.combine(day, clock, self.zone)


def concerns(severity: str, least: str) -> bool:
    """Whether what is for `least` and graver is for this severity."""
    return RANK[severity] <= RANK[least]


def next_minutes(steps: Iterable[int], through: int) -> int | None:
    """The minutes of the step after those that were taken; None where none is left."""
    return min((minutes for minutes in steps if minutes > through), default=None)


def due_at(since: datetime, in_force_since: datetime, minutes: int) -> datetime:
    """When a step comes for an alert that has waited since then."""
    return max(since, in_force_since) + timedelta(minutes=minutes)
