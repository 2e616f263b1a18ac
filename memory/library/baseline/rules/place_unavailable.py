"""Warns of an engagement at a place on a day on which those concerned do not have that place.

A place, or the wider one that it is part of, has a first and a last day: they move in or out, it
opens or closes. What is agreed or planned before the first or after the last is a warning; an idea
is only mentioned, and what lies within both days is silent. Of what comes again and again the
first such day counts, and of what lasts for days the day that lies outside.
"""

from datetime import date

from domains.people.state import people
from domains.schedule.schema import Engagement, Place
from domains.schedule.state import engagements, places
from uac import (
    Alert,
    add_months,
    brief_date,
    day_from,
    engagement_terms,
    fullest,
    gap,
    long_date,
    names_by_id,
    occurrences_between,
    shorten,
    wider_ids,
)

PLACE_MONTHS_AHEAD = 12  # how far what comes again is looked at
PLACE_RANKS = {"warning": 0, "info": 1}


def days_taken(one: Engagement, today: date) -> list[tuple[date, date]]:
    """The first and last day of each time that it is held and is not over."""
    if one.on is None:
        return []
    nights = (one.until - one.on).days if one.until is not None and one.until > one.on else 0
    since = day_from(today, 0, -nights)
    until = max(add_months(today, PLACE_MONTHS_AHEAD), one.on)
    starts = occurrences_between(one.on, one.repeats, since, until, one.repeats_until, one.not_on)
    return [(start, day_from(start, 0, nights)) for start in starts]


def day_outside(place: Place, one: Engagement, today: date) -> tuple[date, date] | None:
    """The first day on which it is at a place that is not there, and the start of that time."""
    for start, end in days_taken(one, today):
        if place.since is not None and start < place.since:
            return start, start
        if place.until is not None and end > place.until:
            return max(start, day_from(place.until, 0, 1)), start
    return None


def bounded_places(one: Engagement, by_id: dict[str, Place]) -> list[Place]:
    """The place of the engagement and the wider ones that have a first or a last day."""
    chain = [by_id[place] for place in wider_ids(one.place, by_id) if place in by_id]
    return [place for place in chain if place.since is not None or place.until is not None]


def terms_of_place(place: Place) -> str:
    """`Home: until Friday, May 15, 2026.`"""
    parts = [f"from {long_date(place.since)}"] if place.since is not None else []
    parts += [f"until {long_date(place.until)}"] if place.until is not None else []
    return f"{shorten(place.name)}: {', '.join(parts)}."


def bound_words(place: Place, *, early: bool) -> str:
    """What its first or last day is, as words before its name: `moving out of` for a home."""
    if place.home:
        return "moving into" if early else "moving out of"
    return "the first day of" if early else "the last day of"


def place_summary(one: Engagement, own: str, place: Place, day: date, start: date) -> str:
    """The sentence: what, when and where, and how far outside the days of the place."""
    early = place.since is not None and day < place.since
    bound = (place.since if early else place.until) or day
    end = bound_words(place, early=early)
    idea = ", an idea so far," if one.status == "considering" else ""
    lasts = one.until is not None and one.on is not None and one.until > one.on

    def words(title: str, name: str, where: str, *, brief: bool = False) -> str:
        said = brief_date if brief else long_date
        at = f" in {name}" if name else ""
        if lasts and not early:
            last = start + (one.until - one.on) if one.until and one.on else day
            when = f" from {said(start)} to {said(last)}"
            return f"{title}{at}{idea}{when} conflicts with {end} {where}, {said(bound)}"
        lies = gap(day, bound)
        return f"{title}{at}{idea} on {said(day)} is {lies} {end} {where}, {said(bound)}"

    def short_words(title: str, name: str, where: str) -> str:
        return words(title, name, where, brief=True)

    def bare_words(title: str, _: str, where: str) -> str:
        return words(title, "", where, brief=True)

    return fullest([words, short_words, bare_words], one.title, own, place.name)


def place_alert(
    one: Engagement,
    place: Place,
    days: tuple[date, date],
    by_id: dict[str, Place],
    names: dict[str, str],
) -> Alert:
    """The alert on one engagement and one place."""
    day, start = days
    chain = wider_ids(one.place, by_id)
    links = [by_id[one] for one in chain[: chain.index(place.id)] if one in by_id]
    own = links[0].name if links else ""
    told = own.casefold() in one.title.casefold()
    early = place.since is not None and day < place.since
    follows = "cannot be used yet" if early else "cannot be used any more"
    detail = f"On {long_date(day)} {shorten(place.name)} {follows}. {terms_of_place(place)} "
    detail += engagement_terms(one, start, by_id, names)
    for link in links:
        wider = by_id.get(link.part_of or "")
        detail += f" {shorten(link.name)} is part of {shorten(wider.name)}." if wider else ""
    return Alert(
        severity="info" if one.status == "considering" else "warning",
        summary=place_summary(one, "" if told else own, place, day, start),
        evidence=[one, place, *links],
        detail=detail,
        unknown=["whether it can be held elsewhere"],
        action="Move or cancel one of the two, or find another place for it.",
        due=day,
    )


def find_unavailable(
    engagements: list[Engagement], places: list[Place], names: dict[str, str], today: date
) -> list[Alert]:
    """All alerts for these engagements, the gravest first, whatever their order."""
    by_id = {place.id: place for place in places}
    alerts: list[Alert] = []
    for one in sorted(engagements, key=lambda e: e.id):
        if one.status in ("done", "cancelled"):
            continue
        for place in bounded_places(one, by_id):
            days = day_outside(place, one, today)
            if days is not None:
                alerts.append(place_alert(one, place, days, by_id, names))
                break
    return sorted(
        alerts, key=lambda alert: (PLACE_RANKS[alert.severity], [r.id for r in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded engagements."""
    return find_unavailable(engagements, places, names_by_id(people), today)
