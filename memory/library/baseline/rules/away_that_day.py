"""Warns of an engagement elsewhere on a day for which a journey or a stay takes its people away.

A stay is a trip, or an engagement of several days at a place that is not where the person lives.
Its first and last days are left out, unless it was said to take whole days: there is room on them.
An engagement at home or in the home town, or in another time zone, is surely elsewhere. One that is
agreed conflicts as well where nobody said that its place is near the stay, or where somebody waits
at a place that is not recorded; a call does not. Other places are mentioned once a stay. A trip
that is only an idea is held against what is agreed. What is done daily, and whole days that come
again (birthdays), are left out.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from domains.people.state import people
from domains.schedule.schema import Engagement, Place
from domains.schedule.state import engagements, places
from domains.travel.schema import Trip
from domains.travel.state import trips
from uac import (
    Alert,
    can_be_done_from_anywhere,
    day_and_time,
    engagement_terms,
    long_date,
    names_by_id,
    occurrences_between,
    on_one_chain,
    sentence,
    shorten,
    wider_ids,
)

AWAY_RANKS = {"warning": 0, "info": 1}


@dataclass
class Stay:
    """Days on which people are away."""

    record: Any  # a Trip or an Engagement
    title: str
    first: date  # the first and the last day without room for anything else
    last: date
    starts: date  # the days as recorded
    ends: date
    who: list[str]
    place: str | None  # of an engagement
    destination: str  # of a trip
    firm: bool  # booked or agreed, or at least planned as an engagement
    idea: bool = False


@dataclass
class Map:
    """The places by id, what is near home (the home and the town it is in), and people's names."""

    places: dict[str, Place]
    near_home: list[str]
    names: dict[str, str]


def stay_of_trip(trip: Trip) -> list[Stay]:
    """The stay of a trip that is ahead, if only as an idea, and has both its days."""
    departs, returns = trip.departs_on, trip.returns_on
    if departs is None or returns is None or returns <= departs:
        return []
    day = timedelta(days=1)
    sort = {"booked": "trip", "planning": "planned trip"}.get(trip.status, "trip")
    return [
        Stay(
            record=trip,
            title=f"the {sort} to {trip.destination}",
            first=departs + day,
            last=returns - day,
            starts=departs,
            ends=returns,
            who=["me"],
            place=None,
            destination=trip.destination.strip().casefold(),
            firm=trip.status == "booked",
            idea=trip.status == "considering",
        )
    ]


def stay_of_engagement(one: Engagement, where: Map) -> list[Stay]:
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


def stays_of(engagements: list[Engagement], trips: list[Trip], where: Map) -> list[Stay]:
    """Every stay that leaves whole days without room, in order of their days."""
    stays: list[Stay] = []
    for trip in trips:
        stays.extend(stay_of_trip(trip))
    for one in engagements:
        stays.extend(stay_of_engagement(one, where))
    kept = [stay for stay in stays if stay.first <= stay.last]
    return sorted(kept, key=lambda stay: (stay.starts, stay.record.id))


def days_away(one: Engagement, stay: Stay) -> list[date]:
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


def is_there(one: Engagement, stay: Stay, where: Map) -> bool:
    """Whether the engagement is at the place of the stay, or one is a part of the other's."""
    if stay.place is not None:
        return on_one_chain(one.place, stay.place, where.places)
    chain = wider_ids(one.place, where.places)
    names = [where.places[p].name.strip().casefold() for p in chain if p in where.places]
    return stay.destination in [*names, ""] or stay.destination in one.title.casefold()


def is_elsewhere(one: Engagement, stay: Stay, where: Map) -> bool:
    """Whether the engagement is surely not near the stay: near home, or in another time zone."""
    if [place for place in wider_ids(one.place, where.places) if place in where.near_home]:
        return True
    if stay.place is None or one.place is None:
        return False
    zones = [where.places[place].timezone for place in (stay.place, one.place)]
    return zones[0] is not None and zones[1] is not None and zones[0] != zones[1]


def is_expected(one: Engagement, where: Map) -> bool:
    """Whether it was agreed once, at a place or where somebody waits, and not for a call."""
    if one.status != "agreed" or one.repeats is not None or can_be_done_from_anywhere(one):
        return False
    guests = [who for who in one.people if who != "me"]
    return one.place in where.places or one.starts_at is not None or bool(guests)


def away_detail(stay: Stay, absent: list[tuple[Engagement, list[date]]], where: Map) -> str:
    """The stay with its days and each engagement with its day and place."""
    title = shorten(stay.title)
    idea = ", an idea so far" if stay.idea else ""
    days = f"{long_date(stay.starts)} to {long_date(stay.ends)}"
    lines = [f"{title[:1].upper()}{title[1:]}: {days}{idea}."]
    for one, found in absent[:8]:
        lines.append(engagement_terms(one, found[0], where.places, where.names))
    return shorten(" ".join(lines), 2000)


def elsewhere_alert(stay: Stay, one: Engagement, days: list[date], where: Map) -> Alert:
    """The alert on an engagement that cannot be attended from the stay, as far as is known."""
    idea = one.status == "considering"
    more = f" and {len(days) - 1} more" if len(days) > 1 else ""
    verb = "would conflict" if idea or stay.idea else "conflicts"
    firm = stay.firm or one.status == "agreed"

    def words(title: str, away: str) -> str:
        what = f"{title}, an idea so far," if idea else title
        trip = f"{away} (an idea so far)" if stay.idea else away
        when = day_and_time(one, days[0])
        return f"{what} on {when}{more} {verb} with {trip}, until {long_date(stay.ends)}"

    place = where.places.get(one.place or "")
    unknown = ["whether it can be done from there"]
    if place is None:
        unknown = [f"where {shorten(one.title)} is"]
    elif not is_elsewhere(one, stay, where):
        unknown = [f"whether {shorten(place.name)} can be reached from there"]
    return Alert(
        severity="warning" if firm and not idea and not stay.idea and not one.repeats else "info",
        summary=sentence(words, one.title, stay.title),
        evidence=[stay.record, one],
        detail=away_detail(stay, [(one, days)], where),
        unknown=unknown,
        action=(
            "Move one of the two, or say that it can be done from there."
            if one.repeats is None
            else "Leave it out on those days, or say that it can be done from there."
        ),
    )


def unclear_alert(stay: Stay, absent: list[tuple[Engagement, list[date]]], where: Map) -> Alert:
    """One word on all engagements of which nobody said whether they are near the stay."""
    first, days = absent[0]

    def words(title: str, away: str) -> str:
        if len(absent) > 1:
            what = f"{len(absent)} engagements at other places fall"
        else:
            what = f"{title} on {long_date(days[0])} falls"
        return f"{what} in {away}: whether they are near each other is not recorded"

    places = [shorten(where.places[one.place or ""].name) for one, _ in absent]
    return Alert(
        severity="info",
        summary=sentence(words, first.title, stay.title),
        evidence=[stay.record, *[one for one, _ in absent]],
        detail=away_detail(stay, absent, where),
        grade="not checked",
        unknown=[f"whether {place} can be reached from there" for place in dict.fromkeys(places)],
        action="Record which town the places are in, or say that they can be reached.",
        key="places not checked",
    )


def check_stay(stay: Stay, engagements: list[Engagement], where: Map, today: date) -> list[Alert]:
    """The alerts for the engagements that fall in one stay."""
    alerts, unclear = [], []
    for one in engagements:
        days = days_away(one, stay)
        if not days or is_there(one, stay, where):
            continue
        if not [who for who in one.people or ["me"] if who in stay.who]:
            continue
        expected, away = is_expected(one, where), is_elsewhere(one, stay, where)
        if expected or (away and not stay.idea):
            if days[-1] >= today:
                alerts.append(elsewhere_alert(stay, one, days, where))
        elif one.place in where.places and one.status != "considering" and stay.firm:
            unclear.append((one, days))
    unclear = sorted(unclear, key=lambda pair: (pair[1][0], pair[0].id))
    # All of them for as long as one lies ahead: else the alert would be another one every day.
    if [days for _, days in unclear if days[-1] >= today]:
        alerts.append(unclear_alert(stay, unclear, where))
    return alerts


def two_journeys(one: Trip, other: Trip) -> list[Alert]:
    """The alert on two trips at once; a trip within a trip is a part of it."""
    if None in (one.departs_on, one.returns_on, other.departs_on, other.returns_on):
        return []
    first, second = sorted([one, other], key=lambda t: (t.departs_on or date.min, t.id))
    leaves, back = second.departs_on or date.min, first.returns_on or date.min
    if leaves >= back or (second.returns_on or date.min) <= back:
        return []
    if first.departs_on == second.departs_on:
        return []  # both begin together: one is the longer account of the other

    def words(later: str, earlier: str) -> str:
        return (
            f"The trip to {later} departs {long_date(leaves)}, before the return from {earlier}"
            f" on {long_date(back)}"
        )

    booked = first.status == "booked" and second.status == "booked"
    return [
        Alert(
            severity="warning" if booked else "info",
            summary=sentence(words, second.destination, first.destination),
            evidence=[first, second],
            detail=(
                f"{shorten(first.destination)} is {first.status}, "
                f"{shorten(second.destination)} is {second.status}."
            ),
            unknown=["whether the one goes on from the other"],
            action="Move one of the trips, or correct its dates.",
        )
    ]


def find_absences(
    engagements: list[Engagement],
    places: list[Place],
    trips: list[Trip],
    names: dict[str, str],
    today: date,
) -> list[Alert]:
    """All alerts for these stays and engagements, the gravest first, whatever their order."""
    known = {place.id: place for place in places}
    homes = sorted([place.id for place in places if place.home])
    near = [place for home in homes for place in wider_ids(home, known)[:2]]
    where = Map(known, near, names)
    live = [e for e in engagements if e.status not in ("done", "cancelled")]
    alerts: list[Alert] = []
    possible = [t for t in trips if t.status in ("considering", "planning", "booked")]
    for stay in stays_of(live, possible, where):
        if stay.ends >= today:
            alerts.extend(check_stay(stay, live, where, today))
    firm = [t for t in possible if t.status != "considering"]
    ahead = sorted([t for t in firm if t.returns_on and t.returns_on >= today], key=lambda t: t.id)
    for at, trip in enumerate(ahead):
        for other in ahead[at + 1 :]:
            alerts.extend(two_journeys(trip, other))
    return sorted(
        alerts, key=lambda alert: (AWAY_RANKS[alert.severity], [r.id for r in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded engagements and trips."""
    return find_absences(engagements, places, trips, names_by_id(people), today)
