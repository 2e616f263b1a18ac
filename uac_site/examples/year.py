"""Write a person's year out, day by day; the same person and date give the same year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from uac_site.examples.people import Event, Everyday, Line, Person

DAYS = 364
TOLD_IN_CHAT = 0.3
KEPT_AS_NOTE = 0.4
TRIES = 60
SOURCES = ("journal", "calendar", "phone")
SLOT = re.compile(r"\{(\w+)(?::([^}]*))?\}")


@dataclass(frozen=True)
class WrittenReading:
    """A reading with its dates filled in."""

    kind: str
    op: Any
    id: str | None
    data: dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """One fact of the year; `said` and `reply` are the turns of the chat it came from."""

    at: datetime
    text: str
    source: str
    said: str = ""
    reply: str = ""
    readings: tuple[WrittenReading, ...] = ()

    @property
    def typed(self) -> bool:
        """Whether it says more than a note does."""
        return any(reading.kind != "notes.Note" for reading in self.readings)


@dataclass
class Year:
    """A person's year that ends on the day before `today`."""

    person: Person
    everyday: Everyday
    today: date
    _random: Random = field(init=False)
    _told: set[str] = field(init=False, default_factory=set)
    _drawn: dict[Line, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        # the year is drawn from the person and the date alone, never from the process
        self._random = Random(f"{self.person.external_id} {self.today}")  # noqa: S311
        self._words = {**self.everyday.words, **self.person.words}
        # a person's own lines come up twice as often as those that all share
        self._lines = [*self.everyday.lines, *self.person.lines, *self.person.lines]

    def moments(self) -> list[Moment]:
        """Every fact in the order in which it happened."""
        story = [self._event(event) for event in self.person.story]
        return sorted([*story, *self._ordinary_days()], key=lambda moment: moment.at)

    def _event(self, event: Event) -> Moment:
        hour, minute = map(int, event.at.split(":"))
        text = self._fill(event.text, self._third_person(event.text))
        told = self._fill(event.said or event.text, FIRST_PERSON) if event.source == "chat" else ""
        readings = [
            WrittenReading(one.kind, one.op, self._dated(one.id), self._dated(one.data))
            for one in event.readings
        ]
        if event.topic:
            readings.append(_note(text, event.topic))
        return Moment(
            at=self._when(-event.ago, time(hour, minute)),
            text=text,
            source=event.source,
            said=told,
            reply=event.reply or (self._reply() if told else ""),
            readings=tuple(readings),
        )

    def _ordinary_days(self) -> Iterator[Moment]:
        for week in range(DAYS // 7):
            days = sorted(self._random.choices(range(7), k=self.person.facts_a_week))
            for day in days:
                yield self._ordinary(week * 7 + day - DAYS)

    def _ordinary(self, offset: int) -> Moment:
        at = self._when(offset, time(self._random.randrange(7, 22), self._random.randrange(60)))
        line, text, said = self._new_sentence(at)
        in_chat = self._random.random() < TOLD_IN_CHAT
        note = self._random.random() < KEPT_AS_NOTE
        return Moment(
            at=at,
            text=text,
            source="chat" if in_chat else self._random.choice(SOURCES),
            said=said if in_chat else "",
            reply=self._reply() if in_chat else "",
            readings=(_note(text, line.topic),) if note else (),
        )

    def _new_sentence(self, at: datetime) -> tuple[Line, str, str]:
        """A line that fits the day, as a fact and as told; not one that was told before."""
        fitting = [line for line in self._lines if _fits(line, at)]
        self._random.shuffle(fitting)
        fitting.sort(key=lambda line: self._drawn.get(line, 0))
        for line in fitting[:TRIES]:
            seed = self._random.random()
            text = self._fill(line.text, self._third_person(line.text), seed)
            if text not in self._told:
                break
        self._told.add(text)
        self._drawn[line] = self._drawn.get(line, 0) + 1
        return line, text, self._fill(line.said or line.text, FIRST_PERSON, seed)

    def _third_person(self, text: str) -> dict[str, str]:
        nominative, possessive, objective = self.person.pronouns
        named = text.startswith("{I}") or "{I}" in text
        return {
            "I": self.person.first_name,
            "my": possessive if named else f"{self.person.first_name}'s",
            "My": f"{self.person.first_name}'s",
            "me": objective if named else self.person.first_name,
            "they": nominative,
        }

    def _fill(self, text: str, names: dict[str, str], seed: float | None = None) -> str:
        """The text with its slots filled; one seed fills the fact and the message alike."""
        random = self._random if seed is None else Random(seed)  # noqa: S311

        def word(match: re.Match[str]) -> str:
            name, detail = match.group(1), match.group(2)
            if name in names:
                return names[name]
            if name == "day":
                return _spoken(self.today + timedelta(days=int(detail)), self.today)
            if name == "n":
                low, high = map(int, detail.split("-"))
                return str(random.randint(low, high))
            return random.choice(self._words[name])

        filled = SLOT.sub(word, text)
        filled = SLOT.sub(word, filled)  # a word may speak of the person
        return filled[:1].upper() + filled[1:]

    def _dated(self, value: Any) -> Any:
        """Data with its dates as ISO text."""
        if isinstance(value, dict):
            return {name: self._dated(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._dated(item) for item in value]
        if not isinstance(value, str):
            return value
        return SLOT.sub(
            lambda match: (self.today + timedelta(days=int(match.group(2)))).isoformat(), value
        )

    def _reply(self) -> str:
        return self._random.choice(self.everyday.replies).text

    def _when(self, offset: int, at: time) -> datetime:
        day = self.today + timedelta(days=offset)
        return datetime.combine(day, at, tzinfo=ZoneInfo(self.person.timezone))


def first_day(today: date) -> date:
    """The day on which the year begins that ends on the day before `today`."""
    return today - timedelta(days=DAYS)


FIRST_PERSON = {"I": "I", "my": "my", "My": "My", "me": "me", "they": "I"}


def _fits(line: Line, at: datetime) -> bool:
    in_season = not line.months or at.month in line.months
    return in_season and (not line.weekdays or at.isoweekday() in line.weekdays)


def _note(text: str, topic: str) -> WrittenReading:
    return WrittenReading("notes.Note", "assert", None, {"text": text, "topic": topic})


def _spoken(day: date, today: date) -> str:
    """`March 4`, and the year where it is not near."""
    near = abs((day - today).days) < 300
    return f"{day:%B} {day.day}" + ("" if near else f", {day.year}")
