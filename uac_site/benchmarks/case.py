"""One scenario lived through: posted, read, looked at and approved, on the days it tells of."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from memory.models import Proposal, ProposalStatus
from uac_site.benchmarks.clock import turn_to
from uac_site.benchmarks.recorded import Stage
from uac_site.benchmarks.scenarios import APPROVED, Heard, Scenario, satisfies
from uac_site.benchmarks.talk import Talker, Turn, introduced

NOON = time(12, tzinfo=UTC)
MOMENT = timedelta(minutes=1)  # from what was said to its post
MOST_DAYS = 30
NAME = "Sam"
"""What every one of them is called: a name from the data could tell the model what it is about."""


@dataclass
class Case:
    """A scenario, and what was open in its course.

    `before` is all that was open after sessions before the last one, `after` what was right after
    that; `opened` is how many days after the trigger approved rules first had it, once what was
    proposed was approved, None where they did not within `MOST_DAYS`. `approved` and `failed` count
    proposals.
    """

    scenario: Scenario
    before: list[Heard] = field(default_factory=list)
    after: list[Heard] = field(default_factory=list)
    opened: int | None = None
    approved: int = 0
    failed: int = 0
    unread: list[str] = field(default_factory=list)

    def live(self, stage: Stage) -> Iterator[date]:
        """Yields the day that it waits for, and goes on when that day has come."""
        *earlier, trigger = self.scenario.sessions
        yield self.scenario.sessions[0].day
        names = {"display_name": NAME, "timezone": "UTC"}
        person = introduced(stage.client, self.scenario.id, names)
        for session in earlier:
            yield session.day
            self._talk(stage, person, session.number, session.day, session.said)
            self.before += heard(person)
            self.approved += person.approve(stage.port)
            self.before += heard(person)
        yield trigger.day
        self._talk(stage, person, trigger.number, trigger.day, trigger.said)
        self.after = heard(person)
        self.unread = person.unread()
        self.failed = Proposal.objects.filter(user=person.id, status=ProposalStatus.FAILED).count()
        self.approved += person.approve(stage.port)
        if not self.unread:
            yield from self._days_after(person, trigger.day)

    def _talk(self, stage: Stage, person: Talker, number: int, day: date, said: str) -> None:
        stage.record_as(self.scenario.id)
        person.look()
        person.say([Turn("user", said, datetime.combine(day, NOON))], f"session {number}")

    def _days_after(self, person: Talker, trigger: date) -> Iterator[date]:
        """Look each day whether the approved rules have it now."""
        for days in range(MOST_DAYS + 1):
            yield trigger + timedelta(days=days)
            person.look()
            if self._has_it(heard(person)):
                self.opened = days
                return

    def _has_it(self, found: Iterable[Heard]) -> bool:
        known, rubric = {one.id for one in self.before}, self.scenario.rubric
        return any(
            satisfies(rubric, one.sentence) if rubric else one.id not in known
            for one in found
            if one.origin in APPROVED
        )


def live_all(stage: Stage, cases: list[Case]) -> None:
    """Let all of them live, day by day, so that the clock goes forward only."""
    lives = [case.live(stage) for case in cases]
    agenda = [(next(life), number) for number, life in enumerate(lives)]
    heapq.heapify(agenda)
    while agenda:
        day, number = heapq.heappop(agenda)
        if timezone.now() < (moment := datetime.combine(day, NOON) + MOMENT):
            turn_to(moment)
        following = next(lives[number], None)
        if following is not None:
            heapq.heappush(agenda, (following, number))


def heard(person: Talker) -> list[Heard]:
    """All that is open about the person, of every origin."""
    texts = {one["seq"]: one["text"] for one in person.items("facts")}
    found = [
        alert
        for origin in (*APPROVED, "provisional", "concern")
        for alert in person.items("alerts", status="open", origin=origin)
        if alert["origin"] == origin
    ]
    return [_heard(alert, texts) for alert in found]


def _heard(alert: dict[str, Any], texts: dict[int, str]) -> Heard:
    # What a reader has before them of the alert itself: the time left stands beside its sentence.
    sentence = "\n".join(filter(None, (alert["summary"], alert["time_left"], alert["detail"])))
    evidence = [json.dumps(one["data"], ensure_ascii=False) for one in alert["evidence"]]
    quotes = [texts.get(seq, "") for one in alert["evidence"] for seq in one["facts"]]
    return Heard(
        id=alert["id"],
        origin=alert["origin"],
        severity=alert["severity"],
        sentence=sentence,
        full="\n".join([sentence, *evidence, *quotes]),
    )
