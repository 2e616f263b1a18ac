"""Trips and stays that take people away, and the engagements that fall on their days."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from .calendar import occurrences_between
from .engagement_words import can_be_done_from_anywhere
from .parts import on_one_chain, wider_ids


@dataclass
class Stay:
    """Days on which people are away."""

    record: Any  # a Trip or an Engagement
    title: str  # of a trip, its destination
    first: date  # the first and the last day without room for anything else
    last: date
    starts: date  # the days as recorded
    ends: date
    who: list[str]
    place: str | None  # of an engagement
    destination: str  # of a trip
    firm: bool  # booked or agreed, or at least planned as an engagement
    idea: bool = False
    sort: str = ""  # "the planned trip to ", before the title


@dataclass
class StayMap:
    """The places by id, what is near home (the home and the town it is in), and people's names."""

    places: dict[str, Any]
    near_home: list[str]
    names: dict[str, str]


def _uac_stay_of_trip(trip: Any) -> list[Stay]:
    """The stay of a trip that is ahead, if only as an idea, and has both its days."""
    departs, returns = trip.departs_on, trip.returns_on
    if departs is None or returns is None or returns <= departs:
        return []
    day = timedelta(days=1)
    sort = {"booked": "trip", "planning": "planned trip"}.get(trip.status, "trip")
    return [
        Stay(
            record=trip,
            title=trip.destination,
            first=departs + day,
            last=returns - day,
            starts=departs,
            ends=returns,
            who=["me"],
            place=None,
            destination=trip.destination.strip().casefold(),
            firm=trip.status == "booked",
            idea=trip.status == "considering",
            sort=f"the {sort} to ",
        )
    ]


def _uac_stay_of_engagement(one: Any, where: StayMap) -> list[Stay]:
    """The stay of an engagement of several days at a place that is not near home."""
    on, until = one.on, one.until
    if on is None or until is None or until <= on or one.repeats is not None:
        return []
    if one.status == "considering" or one.place not in where.places:
        return []
    if [place for place in wider_ids(one.place, where.places) if place in where.near_home]:
        return []
    room = timedelta(days=0 if one.all_day else 1)
    who = one.people or ["me"]
    return [Stay(one, one.title, on + room, until - room, on, until, who, one.place, "", True)]


def stays_of(engagements: list[Any], trips: list[Any], where: StayMap) -> list[Stay]:
    """Every stay that leaves whole days without room, in order of their days."""
    stays: list[Stay] = []
    for trip in trips:
        stays.extend(_uac_stay_of_trip(trip))
    for one in engagements:
        stays.extend(_uac_stay_of_engagement(one, where))
    kept = [stay for stay in stays if stay.first <= stay.last]
    return sorted(kept, key=lambda stay: (stay.starts, stay.record.id))


def days_away(one: Any, stay: Stay) -> list[date]:
    """The days without room on which the engagement is to be; none where it is the stay's own."""
    if one.on is None or one.id == stay.record.id or one.repeats in ("daily", "weekdays"):
        return []
    if one.repeats is not None:
        if one.all_day:
            return []
        return occurrences_between(
            one.on, one.repeats, stay.first, stay.last, one.repeats_until, one.not_on
        )
    until = max(one.until or one.on, one.on)
    inside = stay.starts <= one.on and until <= stay.ends
    around = one.on <= stay.starts and stay.ends <= until
    if one.on in one.not_on or (until > one.on and (inside or around)):
        return []  # a journey within a journey
    start = max(one.on, stay.first)
    return [start] if start <= min(until, stay.last) else []


def is_at_stay(one: Any, stay: Stay, where: StayMap) -> bool:
    """Whether the engagement is at the place of the stay, or one is a part of the other's."""
    if stay.place is not None:
        return on_one_chain(one.place, stay.place, where.places)
    chain = wider_ids(one.place, where.places)
    names = [where.places[p].name.strip().casefold() for p in chain if p in where.places]
    return stay.destination in [*names, ""] or stay.destination in one.title.casefold()


def is_far_from_stay(one: Any, stay: Stay, where: StayMap) -> bool:
    """Whether the engagement is surely not near the stay: near home, or in another time zone."""
    if [place for place in wider_ids(one.place, where.places) if place in where.near_home]:
        return True
    if stay.place is None or one.place is None:
        return False
    zones = [where.places[place].timezone for place in (stay.place, one.place)]
    return zones[0] is not None and zones[1] is not None and zones[0] != zones[1]


def is_expected_elsewhere(one: Any, where: StayMap) -> bool:
    """Whether it was agreed once, at a place or where somebody waits, and not for a call."""
    if one.status != "agreed" or one.repeats is not None or can_be_done_from_anywhere(one):
        return False
    guests = [who for who in one.people if who != "me"]
    return one.place in where.places or one.starts_at is not None or bool(guests)
