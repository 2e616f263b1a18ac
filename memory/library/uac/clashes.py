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
from .parts import on_one_chain

if TYPE_CHECKING:
    from collections.abc import Iterable

# Words of whole days that leave room for more: marks in a calendar, and where one works.
_uac_roomy_words = ("birthday", "due", "deadline", "holiday", "from home", "home office")
_uac_close_minutes = 60
"""Within an hour of a start nobody is elsewhere, whatever the end: our choice."""


@dataclass
class EngagementClash:
    """What two engagements take in common, and the stretches that meet, by the day they do."""

    first: Any
    second: Any
    sure: bool  # both surely take it at once; else a time or a time zone is missing
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


def same_spot(clash: EngagementClash, diary: ClashContext) -> bool:
    """Whether both are at one place, or one at a part of the other's."""
    return on_one_chain(clash.first.place, clash.second.place, diary.places)


def takes_more_than_persons(clash: EngagementClash) -> bool:
    """Whether a thing or an exclusive place is taken twice."""
    return bool([claim for claim in clash.shared if not claims_person(claim)])


def first_meeting(clash: EngagementClash) -> tuple[TimeStretch, TimeStretch]:
    """The first time that the two meet, in the order of the clash."""
    return clash.meets[min(clash.meets)]


def whole_of_day(clash: EngagementClash) -> Any:
    """The one that takes its people all day where they meet by that; the other by clock or day."""
    one, other = first_meeting(clash)
    if takes_more_than_persons(clash) or (one.level == BY_CLOCK and other.level == BY_CLOCK):
        return None
    found = [e for e in (clash.first, clash.second) if takes_whole_day(e)]
    return found[0] if found else None


def clashes_of(chosen: "Iterable[Any]", diary: ClashContext, today: date) -> list[EngagementClash]:
    """Every pair that takes the same at once, found claim by claim, in order of their ids."""
    ahead = stretches_ahead(chosen, today)
    lines: dict[str, list[TimeStretch]] = {}
    for one in chosen:
        for claim in claims_of(one, diary):
            lines.setdefault(claim, []).extend(ahead.get(one.id, []))
    clashes: dict[tuple[str, str], EngagementClash] = {}
    for claim in sorted(lines):
        line = lines[claim]
        if claims_person(claim):
            for one_stretch, other_stretch in _uac_day_meetings(line):
                _uac_note_meeting(claim, one_stretch, other_stretch, clashes, sure=True)
            line = [stretch for stretch in line if stretch.level == BY_CLOCK]
            for one_stretch, other_stretch in _uac_close_starts(line, diary):
                _uac_note_meeting(claim, one_stretch, other_stretch, clashes)
        for one_stretch, other_stretch in meetings_in(line):
            _uac_note_meeting(claim, one_stretch, other_stretch, clashes)
        for one_stretch, other_stretch in _uac_zone_meetings(line, diary):
            _uac_note_meeting(claim, one_stretch, other_stretch, clashes, sure=False)
    return [clashes[pair] for pair in sorted(clashes)]


def takes_whole_day(one: Any) -> bool:
    """Whether it leaves its people no room on its days: agreed, all day, not again and again.

    What takes a thing and names nobody takes the thing alone: the car is at the garage.
    """
    if not one.all_day or one.status != "agreed" or one.repeats is not None:
        return False
    return bool(one.people or not one.things) and not _uac_leaves_room(one)


def _uac_leaves_room(one: Any) -> bool:
    return bool([word for word in _uac_roomy_words if word in one.title.casefold()])


def _uac_is_on_one_day(stretch: TimeStretch) -> bool:
    """Whether it has to be done on this day, at some time or all day, and is no mark of it."""
    one = stretch.record
    if one.repeats is not None or (one.until is not None and one.until > one.on):
        return takes_whole_day(one)
    return not _uac_leaves_room(one) and (not one.all_day or takes_whole_day(one))


def _uac_day_meetings(line: list[TimeStretch]) -> list[tuple[TimeStretch, TimeStretch]]:
    """What one person is to do on a day that something else takes as a whole."""
    if not [one for one in line if takes_whole_day(one.record)]:
        return []
    wanted = [one for one in line if one.level == BY_CLOCK or _uac_is_on_one_day(one)]
    return [
        (one, other)
        for one, other in meetings_in(wanted)
        if takes_whole_day(one.record) or takes_whole_day(other.record)
    ]


def _uac_close_starts(
    line: list[TimeStretch], diary: ClashContext
) -> list[tuple[TimeStretch, TimeStretch]]:
    """Two that begin within an hour at different places, the first without an end."""
    starts = [one for one in line if one.level == BY_CLOCK and one.record.starts_at is not None]
    starts.sort(key=lambda one: (one.start, one.record.id))
    found = []
    for at, one in enumerate(starts):
        place = one.record.place
        if one.record.ends_at is not None or place not in diary.places:
            continue
        for other in starts[at + 1 :]:
            if other.start - one.start >= _uac_close_minutes:
                break
            there = other.record.place
            apart = there in diary.places and not on_one_chain(place, there, diary.places)
            if apart and other.record.id != one.record.id:
                found.append((one, other))
    return found


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
    sure: "bool | None" = None,
) -> None:
    """Add one meeting to its pair; a sure one counts before one at times that nobody said."""
    if one.level == SOME_TIME and other.level == SOME_TIME:
        return
    if sure is None:
        sure = one.level != SOME_TIME and other.level != SOME_TIME
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
