"""Warns of a trip that its visa does not cover: too short, too early, refused or used up.

Where the trip names its visa, that one is judged and no other. A named visa for another country
than that of the trip may be for a part of it, such as a change of planes: it is judged only where
it cannot hold on any day of the trip.
"""

from datetime import date, timedelta

from domains.travel.schema import Trip, Visa
from domains.travel.state import trips, visas
from uac import (
    Alert,
    country_of_trip,
    gap,
    in_schengen,
    is_to_begin,
    journey_words,
    long_date,
    same_country,
    sentence,
    shorten,
    surest_first,
)

VISA_RANKS = {"critical": 0, "warning": 1, "info": 2}
# A visa that is only applied for is told of in the last days before a booked trip.
VISA_WAIT_DAYS = 10


def is_for_place(visa: Visa, trip: Trip) -> bool:
    """Whether the visa is for the place of the trip; one for Schengen is for all its states."""
    place = country_of_trip(trip)
    if not place:
        return False
    if "schengen" in visa.country.casefold():
        return in_schengen(place)
    return same_country(visa.country, place)


def applies(visa: Visa, trip: Trip) -> bool:
    """Whether the trip is made on this visa: the one that it names, else any for its place."""
    if trip.visa is not None:
        return visa.id == trip.visa
    return is_for_place(visa, trip)


def holds_on_no_day(visa: Visa, trip: Trip) -> bool:
    """Whether the visa ends before the trip or begins after it."""
    departs, returns = trip.departs_on, end_of(trip)
    ended = visa.expires_on is not None and departs is not None and visa.expires_on < departs
    late = visa.valid_from is not None and returns is not None and visa.valid_from > returns
    return ended or late


def end_of(trip: Trip) -> date | None:
    """The day of return, or of departure when no sensible return is recorded."""
    if trip.returns_on is None or trip.departs_on is None:
        return trip.departs_on or trip.returns_on
    return max(trip.returns_on, trip.departs_on)


def weigh(severity: str, trip: Trip, visa: Visa) -> str:
    """No more than a warning for an idea or for a visa that is only applied for."""
    if severity == "critical" and (trip.status == "considering" or visa.status == "applied"):
        return "warning"
    return severity


def visa_words(visa: Visa) -> str:
    """How the visa is called before its dates."""
    return "visa applied for" if visa.status == "applied" else "visa"


def visa_terms(visa: Visa) -> str:
    """`Schengen visa: granted, single entry, valid from … until …`."""
    parts: list[str] = [visa.status]
    if visa.entries is not None:
        parts.append("single entry" if visa.entries == "single" else "multiple entries")
    if visa.valid_from is not None:
        parts.append(f"valid from {long_date(visa.valid_from)}")
    if visa.expires_on is not None:
        parts.append(f"valid until {long_date(visa.expires_on)}")
    return f"{shorten(visa.country)} visa: {', '.join(parts)}."


def visa_alert(severity: str, visa: Visa, trip: Trip, tail: str, action: str, key: str) -> Alert:
    """An alert on one visa and one trip; `tail` follows the name of the visa."""

    def words(country: str, destination: str) -> str:
        return f"{country} {visa_words(visa)} {tail} {destination}"

    return Alert(
        severity=weigh(severity, trip, visa),
        summary=sentence(words, visa.country, trip.destination),
        evidence=[visa, trip],
        detail=f"{visa_terms(visa)} {journey_words(trip)}.",
        unknown=[] if trip.returns_on else ["the day of return"],
        action=action,
        key=key,
        due=trip.departs_on,
    )


def date_problem(visa: Visa, trip: Trip) -> list[Alert]:
    """The alert when the visa does not cover the days of the trip."""
    departs, returns = trip.departs_on, end_of(trip)
    if departs is None or returns is None:
        return []
    if country_of_trip(trip) and not is_for_place(visa, trip) and not holds_on_no_day(visa, trip):
        return []
    renew = "Apply for a visa that covers the trip, or move the trip."
    if visa.expires_on is not None and visa.expires_on < departs:
        words = (
            f"expires {long_date(visa.expires_on)}, {gap(visa.expires_on, departs)} departure to"
        )
        return [visa_alert("critical", visa, trip, words, renew, "expired")]
    if visa.valid_from is not None and visa.valid_from > departs:
        start = long_date(visa.valid_from)
        words = f"is not valid before {start}, {gap(visa.valid_from, departs)} departure to"
        return [visa_alert("critical", visa, trip, words, renew, "not yet valid")]
    if visa.expires_on is not None and visa.expires_on < returns:
        words = f"expires {long_date(visa.expires_on)}, {gap(visa.expires_on, returns)} return from"
        return [visa_alert("warning", visa, trip, words, renew, "expires during the trip")]
    return []


def refusal(visa: Visa, trip: Trip) -> Alert:
    """The alert for a trip whose visa was refused or withdrawn."""
    departs = long_date(trip.departs_on) if trip.departs_on else ""
    severity = "critical" if trip.status == "booked" else "warning"
    words = f"was {visa.status}; departure is {departs} to"
    action = "Ask the consulate about a new application before going on with the trip."
    return visa_alert(severity, visa, trip, words, action, "refused")


def uses_entry(visa: Visa, trip: Trip) -> bool:
    """Whether the trip was or will be made on this visa, as far as the dates tell."""
    if trip.status == "cancelled" or not applies(visa, trip):
        return False
    entered = trip.departs_on or trip.returns_on
    if entered is None or (visa.expires_on is not None and entered > visa.expires_on):
        return False
    if visa.valid_from is None and trip.visa is None:
        return trip.status != "done"  # it may have been made on an earlier visa
    return visa.valid_from is None or entered >= visa.valid_from


def second_entry(visa: Visa, first: Trip, second: Trip) -> Alert:
    """The alert for a second trip on a visa for a single entry."""
    done = first.status == "done"
    severity = "critical" if done and second.status == "booked" else "warning"
    if second.status == "considering" and not done:
        severity = "info"
    departs = long_date(second.departs_on) if second.departs_on else ""
    spent = "already used for" if done else "needed for"

    def words(country: str, before: str, after: str) -> str:
        return (
            f"Single-entry {country} visa is {spent} {before}: no entry left for {after}, {departs}"
        )

    return Alert(
        severity=weigh(severity, second, visa),
        summary=sentence(words, visa.country, first.destination, second.destination),
        evidence=[visa, first, second],
        detail=(
            "A single-entry visa ends with the first departure from the country or area: "
            "one cannot enter again on it and needs a new visa for the second trip. "
            f"{visa_terms(visa)} {journey_words(first)}. {journey_words(second)}."
        ),
        unknown=[] if first.returns_on else ["the day of return from the first trip"],
        action="Apply for a new visa for the second trip.",
        key="second entry",
        due=second.departs_on,
    )


def entry_problems(visa: Visa, trips: list[Trip], others: list[Visa], today: date) -> list[Alert]:
    """The alerts for every trip ahead that would need a second entry on this single-entry visa."""
    # An idea takes no entry from a trip that is planned.
    used = surest_first([t for t in trips if uses_entry(visa, t)])
    alerts: list[Alert] = []
    for trip in used[1:]:
        first = used[0]
        left, departs = end_of(first), trip.departs_on
        if departs is None or not is_to_begin(trip, today):
            continue
        began = first.departs_on or left
        # Days that touch or overlap are one stay, such as two towns of one journey.
        apart = (left is not None and departs > left) or (
            began is not None and (end_of(trip) or departs) < began
        )
        covered = [v for v in others if applies(v, trip) and not date_problem(v, trip)]
        if apart and not covered:
            alerts.append(second_entry(visa, first, trip))
    return alerts


def visa_still_waiting(visa: Visa, trip: Trip, today: date) -> list[Alert]:
    """The alert for a booked trip that departs soon on a visa that is only applied for."""
    departs = trip.departs_on
    if visa.status != "applied" or trip.status != "booked" or departs is None:
        return []
    if departs - today > timedelta(days=VISA_WAIT_DAYS):
        return []
    words = f"is not recorded as granted; departure is {long_date(departs)} to"
    action = "Ask the consulate how the application stands, and record the visa when it has come."
    return [visa_alert("warning", visa, trip, words, action, "not granted yet")]


def named_visa_missing(trip: Trip) -> list[Alert]:
    """Says of a booked trip that the visa it names is not recorded."""
    if trip.status != "booked":
        return []

    def words(destination: str) -> str:
        lack = "the visa that the trip names is not recorded"
        return f"The visa for the booked trip to {destination} was not checked: {lack}"

    return [
        Alert(
            severity="info",
            summary=sentence(words, trip.destination),
            evidence=[trip],
            grade="not checked",
            unknown=["the visa that the trip names"],
            action="Record the visa and the days on which it is valid.",
            key="visa not checked",
        )
    ]


def check_dates(trip: Trip, visas: list[Visa], today: date) -> list[Alert]:
    """The alert for one trip ahead, if any: only when none of its visas serves."""
    mine = [v for v in visas if applies(v, trip)]
    if trip.visa is not None and not mine:
        return named_visa_missing(trip)
    live = [v for v in mine if v.status in ("applied", "granted")]
    if live:
        serving = [v for v in live if not date_problem(v, trip)]
        if serving:
            held = [v for v in serving if v.status == "granted"]
            return [] if held else visa_still_waiting(min(serving, key=lambda v: v.id), trip, today)
        # The granted one that lasts longest is the one to name.
        best = min(
            live,
            key=lambda v: (
                v.status != "granted",
                (date.max - (v.expires_on or date.max)).days,
                v.id,
            ),
        )
        return date_problem(best, trip)
    return [refusal(v, trip) for v in sorted(mine, key=lambda v: v.id)][:1]


def find_visa_problems(trips: list[Trip], visas: list[Visa], today: date) -> list[Alert]:
    """All alerts for these trips and visas, the gravest first, whatever their order."""
    alerts: list[Alert] = []
    upcoming = [trip for trip in trips if is_to_begin(trip, today)]
    for trip in sorted(upcoming, key=lambda t: t.id):
        alerts.extend(check_dates(trip, visas, today))
    for visa in sorted(visas, key=lambda v: v.id):
        if visa.entries == "single" and visa.status in ("applied", "granted"):
            others = [v for v in visas if v.id != visa.id and v.status in ("applied", "granted")]
            alerts.extend(entry_problems(visa, trips, others, today))
    return sorted(
        alerts, key=lambda alert: (VISA_RANKS[alert.severity], [r.id for r in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded trips and visas."""
    return find_visa_problems(trips, visas, today)
