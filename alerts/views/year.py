"""A person's alerts on the chart of their year."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from alerts.models import STANDING, Alert, Severity
from memory.library.uac.text import gap
from memory.models import Fact
from memory.views.values import day_words
from memory.views.year import Year

MOST = 1_000
LINE = 84.0
SPREAD = 15.0


@dataclass(frozen=True)
class Dot:
    """The alerts of one severity that were opened in one week."""

    x: float
    y: float
    count: int
    severity: str
    standing: bool
    words: str


@dataclass(frozen=True)
class Thread:
    """From the fact that was told first to the alert that came of it."""

    from_x: float
    to_x: float
    words: str
    label_x: float
    anchor: str


def dots_of(person_alerts: list[Alert], year: Year) -> list[Dot]:
    """One dot a week, severity and whether it still stands; dots of a week stand side by side."""
    weeks: Counter[tuple[date, str, bool]] = Counter()
    for alert in person_alerts[:MOST]:
        opened = alert.user.local_date(alert.opened_at)
        week = opened - timedelta(days=opened.weekday())
        weeks[week, alert.severity, alert.status in STANDING] += 1
    ranks = {name: rank for rank, name in enumerate(Severity.values)}
    order = sorted(weeks, key=lambda key: (key[0], not key[2], ranks[key[1]]))
    dots: list[Dot] = []
    used: Counter[date] = Counter()
    for week, severity, standing in order:
        x = year.x(week)
        if x is None:
            continue
        count = weeks[week, severity, standing]
        words = (
            f"{count} {severity}, {'standing' if standing else 'past'}, week of {day_words(week)}"
        )
        dots.append(Dot(x + 8 - SPREAD * used[week], LINE, count, severity, standing, words))
        used[week] += 1
    return dots


def thread_of(person_alerts: list[Alert], year: Year, now: datetime) -> Thread | None:
    """The gravest standing alert whose first fact lies at least a week before its last."""
    standing = [one for one in person_alerts if one.status in STANDING]
    if not standing:
        return None
    order = {name: rank for rank, name in enumerate(Severity.values)}
    standing.sort(key=lambda one: (order[one.severity], -one.pk))
    person = standing[0].user
    seqs = {seq for one in standing for record in one.evidence for seq in record["facts"]}
    facts = Fact.objects.filter(user=person, seq__in=seqs).values_list("seq", "occurred_at")
    days = {seq: person.local_date(moment) for seq, moment in facts}
    for alert in standing:
        found = _thread(alert, days, year)
        if found is not None:
            return found
    return None


def _thread(alert: Alert, days: dict[int, date], year: Year) -> Thread | None:
    told = sorted((days[seq], seq) for record in alert.evidence for seq in record["facts"])
    if len(alert.evidence) < 2 or (told[-1][0] - told[0][0]).days < 7:
        return None
    from_x, to_x = year.x(told[0][0]), year.x(alert.user.local_date(alert.opened_at))
    if from_x is None or to_x is None:
        return None
    span = gap(told[0][0], told[-1][0]).removesuffix(" before")
    late = from_x > 600
    return Thread(
        from_x=from_x,
        to_x=to_x,
        words=f"fact {told[0][1]} → fact {told[-1][1]}: {span}",
        label_x=to_x - 12 if late else from_x + 10,
        anchor="end" if late else "start",
    )
