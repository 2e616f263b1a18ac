"""Which engagements take the same person, thing or exclusive place at the same time."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from .calendar import (
    BY_CLOCK,
    SOME_TIME,
    TimeStretch,
    day_of_minute,
    meetings_in,
    stretches_ahead,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass
class EngagementClash:
    """What two engagements take in common, and the stretches that meet, by the day they do."""

    first: Any
    second: Any
    sure: bool  # both surely take it at once; else one has no time
    shared: list[str]  # "person:me", "thing:car"
    meets: dict[date, tuple[TimeStretch, TimeStretch]]


@dataclass
class ClashContext:
    """The records that engagements refer to, by id."""

    persons: dict[str, Any]
    names: dict[str, str]
    things: dict[str, Any]
    places: dict[str, Any]


def claims_person(claim: str) -> bool:
    """Whether it is a person that is claimed."""
    return claim.startswith("person:")


def claims_of(one: Any, diary: ClashContext) -> list[str]:
    """What it takes; an organisation can be in many places at once."""
    claims = []
    for who in one.people or ["me"]:
        known = diary.persons.get(who)
        if known is None or known.sort == "person":
            claims.append(f"person:{who}")
    claims += [f"thing:{what}" for what in one.things]
    place = diary.places.get(one.place or "")
    if place is not None and place.exclusive:
        claims.append(f"place:{place.id}")
    return list(dict.fromkeys(claims))


def clashes_of(chosen: "Iterable[Any]", diary: ClashContext, today: date) -> list[EngagementClash]:
    """Every pair that takes the same at once, found claim by claim, in order of their ids."""
    ahead = stretches_ahead(chosen, today)
    lines: dict[str, list[TimeStretch]] = {}
    for one in chosen:
        for claim in claims_of(one, diary):
            least = BY_CLOCK if claims_person(claim) else SOME_TIME
            line = [s for s in ahead.get(one.id, []) if s.level >= least]
            lines.setdefault(claim, []).extend(line)
    clashes: dict[tuple[str, str], EngagementClash] = {}
    for claim in sorted(lines):
        for one_stretch, other_stretch in meetings_in(lines[claim]):
            _uac_note_meeting(claim, one_stretch, other_stretch, clashes)
        for one_stretch, other_stretch in _uac_zone_meetings(lines[claim], diary):
            _uac_note_meeting(claim, one_stretch, other_stretch, clashes, sure=False)
    return [clashes[pair] for pair in sorted(clashes)]


def zone_of_engagement(one: Any, diary: ClashContext) -> str:
    """The time zone recorded of its place; empty where none is."""
    place = diary.places.get(one.place or "")
    return (place.timezone or "") if place is not None else ""


def _uac_zone_meetings(
    line: list[TimeStretch], diary: ClashContext
) -> list[tuple[TimeStretch, TimeStretch]]:
    """Single engagements of one day in different zones: whether they meet no clock here tells."""
    by_day: dict[date, list[TimeStretch]] = {}
    for one in line:
        if (
            one.level == BY_CLOCK
            and one.record.repeats is None
            and zone_of_engagement(one.record, diary)
        ):
            by_day.setdefault(one.day, []).append(one)
    return [
        (one, other)
        for day in by_day
        for at, one in enumerate(by_day[day])
        for other in by_day[day][at + 1 :]
        if zone_of_engagement(one.record, diary) != zone_of_engagement(other.record, diary)
    ]


def _uac_note_meeting(
    claim: str,
    one: TimeStretch,
    other: TimeStretch,
    clashes: dict[tuple[str, str], EngagementClash],
    sure: bool = True,
) -> None:
    """Add one meeting to its pair; a sure one counts before one at times that nobody said."""
    if one.level == SOME_TIME and other.level == SOME_TIME:
        return
    sure = sure and one.level != SOME_TIME and other.level != SOME_TIME
    first, second = (one, other) if one.record.id < other.record.id else (other, one)
    pair = (first.record.id, second.record.id)
    if pair not in clashes or (sure and not clashes[pair].sure):
        clashes[pair] = EngagementClash(first.record, second.record, sure, [], {})
    known = clashes[pair]
    if known.sure and not sure:
        return
    if claim not in known.shared:
        known.shared.append(claim)
    known.meets.setdefault(day_of_minute(other.start), (first, second))
