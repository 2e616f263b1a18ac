"""Warns of an engagement elsewhere on a day for which a journey or a stay takes its people away.

A stay is a trip, or an engagement of several days at a place that is not where the person lives.
Its first and last days are left out, unless it was said to take whole days: there is room on them.
An engagement at home or in the home town, or in another time zone, is surely elsewhere. One that is
agreed conflicts as well where nobody said that its place is near the stay, or where somebody waits
at a place that is not recorded; a call does not. Other places are mentioned once a stay. A trip
that is only an idea is held against what is agreed. What is done daily, and whole days that come
again (birthdays), are left out.
"""

from datetime import date

from domains.people.state import people
from domains.schedule.schema import Engagement, Place
from domains.schedule.state import engagements, places
from domains.travel.schema import Trip
from domains.travel.state import trips
from uac import (
    Alert,
    Stay,
    StayMap,
    brief_date,
    clock,
    day_and_time,
    day_span,
    days_away,
    engagement_terms,
    fullest,
    is_at_stay,
    is_expected_elsewhere,
    is_far_from_stay,
    long_date,
    names_by_id,
    sentence,
    shorten,
    speaker_words,
    stays_of,
    wider_ids,
)

AWAY_RANKS = {"warning": 0, "info": 1}


def away_detail(stay: Stay, absent: list[tuple[Engagement, list[date]]], where: StayMap) -> str:
    """The stay with its days and each engagement with its day and place."""
    title = f"{stay.sort}{shorten(stay.title)}"
    idea = ", an idea so far" if stay.idea else ""
    days = f"{long_date(stay.starts)} to {long_date(stay.ends)}"
    lines = [f"{title[:1].upper()}{title[1:]}: {days}{idea}."]
    for one, found in absent[:8]:
        lines.append(engagement_terms(one, found[0], where.places, where.names))
    return shorten(" ".join(lines), 2000)


def absent_words(one: Engagement, stay: Stay, where: StayMap) -> str:
    """`Ann is away then.`: who is taken by both."""
    who = [
        shorten(speaker_words(where.names, w), 40) for w in one.people or ["me"] if w in stay.who
    ]
    verb = "are" if len(who) > 1 else "is"
    idea = "would be" if stay.idea else verb
    text = f"{' and '.join(who[:4])} {idea} away then, and not there."
    return text[:1].upper() + text[1:]


def elsewhere_alert(
    stay: Stay, one: Engagement, days: list[date], where: StayMap, today: date
) -> Alert:
    """The alert on an engagement that cannot be attended from the stay, as far as is known."""
    idea = one.status == "considering"
    more = f" and {len(days) - 1} more" if len(days) > 1 else ""
    verb = "would conflict" if idea or stay.idea else "conflicts"
    firm = stay.firm or one.status == "agreed"

    def words(title: str, away: str, when: str = "") -> str:
        what = f"{title}, an idea so far," if idea else title
        trip = f"{stay.sort}{away}{' (an idea so far)' if stay.idea else ''}"
        when = when or day_and_time(one, days[0])
        return f"{what} on {when}{more} {verb} with {trip}, {day_span(stay.starts, stay.ends)}"

    def brief_words(title: str, away: str) -> str:
        at = f" at {clock(one.starts_at)}" if one.starts_at is not None and not one.all_day else ""
        return words(title, away, f"{brief_date(days[0])}{at}")

    place = where.places.get(one.place or "")
    unknown = ["whether it can be done from there"]
    if place is None:
        unknown = [f"where {shorten(one.title)} is"]
    elif not is_far_from_stay(one, stay, where):
        unknown = [f"whether {shorten(place.name)} can be reached from there"]
    return Alert(
        severity="warning" if firm and not idea and not stay.idea and not one.repeats else "info",
        summary=fullest([words, brief_words], one.title, stay.title),
        evidence=[stay.record, one],
        detail=f"{absent_words(one, stay, where)} {away_detail(stay, [(one, days)], where)}",
        unknown=unknown,
        action=(
            "Move one of the two, or say that it can be done from there."
            if one.repeats is None
            else "Leave it out on those days, or say that it can be done from there."
        ),
        due=days[0] if days[0] >= today or len(days) == 1 else days[-1],
    )


def unclear_alert(stay: Stay, absent: list[tuple[Engagement, list[date]]], where: StayMap) -> Alert:
    """One word on all engagements of which nobody said whether they are near the stay."""
    first, days = absent[0]

    def words(title: str, away: str) -> str:
        if len(absent) > 1:
            what = f"{len(absent)} engagements at other places fall"
        else:
            what = f"{title} on {long_date(days[0])} falls"
        return f"{what} in {stay.sort}{away}: whether they are near each other is not recorded"

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


def check_stay(
    stay: Stay, engagements: list[Engagement], where: StayMap, today: date
) -> list[Alert]:
    """The alerts for the engagements that fall in one stay."""
    alerts, unclear = [], []
    for one in engagements:
        days = days_away(one, stay)
        if not days or is_at_stay(one, stay, where):
            continue
        if not [who for who in one.people or ["me"] if who in stay.who]:
            continue
        expected, away = is_expected_elsewhere(one, where), is_far_from_stay(one, stay, where)
        if expected or (away and not stay.idea):
            if days[-1] >= today:
                alerts.append(elsewhere_alert(stay, one, days, where, today))
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
            due=leaves,
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
    where = StayMap(known, near, names)
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
