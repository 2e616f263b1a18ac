"""Warns of a trip abroad for which the passport is not valid long enough, or not recorded."""

from datetime import date

from domains.travel.schema import Passport, Trip
from domains.travel.state import passports, trips
from uac import Alert, add_months, gap, is_country, long_date, same_country, sentence, shorten

# What many countries ask for; which of them do is outside what this rule knows.
MONTHS_AFTER_RETURN = 6
LOWER = {"critical": "warning", "warning": "info", "info": "info"}
PASSPORT_RANKS = {"critical": 0, "warning": 1, "info": 2}


def is_ahead(trip: Trip, today: date) -> bool:
    """Whether the trip is still to begin: not over, not called off, departing today or later."""
    if trip.status in ("done", "cancelled") or trip.departs_on is None:
        return False
    return trip.departs_on >= today


def country_of(trip: Trip) -> str:
    """The country of the trip; empty when neither it nor a country as destination was said."""
    if trip.country and trip.country.strip():
        return trip.country
    return trip.destination if is_country(trip.destination) else ""


def last_day(trip: Trip) -> date | None:
    """The day of return, or of departure when no sensible return is recorded."""
    if trip.returns_on is None or trip.departs_on is None:
        return trip.departs_on
    return max(trip.returns_on, trip.departs_on)


def valid_until(passport: Passport) -> date:
    """The passport's last day; the last of all days when it is not recorded."""
    return passport.expires_on or date.max


def not_checked(trip: Trip, evidence: list[object], missing: str, action: str) -> list[Alert]:
    """Says of a booked trip what is missing to check the passport; of any other nothing."""
    if trip.status != "booked":
        return []

    def words(destination: str) -> str:
        lack = f"{missing} is not recorded"
        return f"The passport for the booked trip to {destination} was not checked: {lack}"

    return [
        Alert(
            severity="info",
            summary=sentence(words, trip.destination),
            evidence=evidence,
            grade="not checked",
            unknown=[missing],
            action=action,
            key="passport not checked",
        )
    ]


def too_short(trip: Trip, passport: Passport) -> list[Alert]:
    """The alert when the passport ends before the trip does, or too soon after it."""
    departs, until, returns = trip.departs_on, passport.expires_on, last_day(trip)
    if departs is None or until is None or returns is None:
        return []
    wanted = add_months(returns, MONTHS_AFTER_RETURN)
    if until >= wanted:
        return []
    what = "return from" if trip.returns_on else "departure to"
    severity, end = "warning", returns
    if until < departs:
        severity, end, what = "critical", departs, "departure to"
    soon = " (many countries ask for six months)" if until >= returns else ""
    if trip.status == "considering":
        severity = LOWER[severity]
    when = "on the day of" if until == end else f"{gap(until, end)} the"

    def words(issuer: str, destination: str) -> str:
        return f"{issuer} passport expires {long_date(until)}, {when} {what} {destination}{soon}"

    detail = (
        f"Departure {long_date(departs)}, "
        f"return {long_date(trip.returns_on) if trip.returns_on else 'not recorded'}; "
        f"the passport is valid until {long_date(until)}. "
        f"Six months after the trip would be {long_date(wanted)}."
    )
    return [
        Alert(
            severity=severity,
            summary=sentence(words, passport.issuing_country, trip.destination),
            evidence=[passport, trip],
            detail=detail,
            unknown=[] if trip.returns_on else ["the day of return"],
            action=(
                "Find out what the destination asks for before deciding."
                if trip.status == "considering"
                else "Renew the passport before the trip."
                if until < returns
                else "Look up the entry rules of the destination, and renew the passport if needed."
            ),
        )
    ]


def check_trip(trip: Trip, passports: list[Passport]) -> list[Alert]:
    """The alert for one trip ahead, if any: only when none of the passports serves."""
    named = trip.passport_country or ""
    usable = [p for p in passports if not named or same_country(p.issuing_country, named)]
    country = country_of(trip)
    if country and named and same_country(country, named):
        return []  # a journey home
    if country and [p for p in usable if same_country(p.issuing_country, country)]:
        return []  # a domestic trip, or one on that country's own passport
    if not usable:
        missing = f"a passport of {shorten(named, 30)}" if named else "a passport"
        return not_checked(trip, [trip], missing, "Record the passport and its expiry date.")
    best = min(usable, key=lambda p: ((date.max - valid_until(p)).days, p.id))
    if best.expires_on is None:
        missing = "its expiry date"
        return not_checked(trip, [best, trip], missing, "Record the passport's expiry date.")
    found = too_short(trip, best)
    if found and not country:
        missing = "the country of the destination"
        return not_checked(trip, [best, trip], missing, "Record the country of the trip.")
    return found


def find_passport_problems(
    trips: list[Trip], passports: list[Passport], today: date
) -> list[Alert]:
    """All alerts for these trips and passports, the gravest first, whatever their order."""
    alerts = []
    ahead = [trip for trip in trips if is_ahead(trip, today)]
    for trip in sorted(ahead, key=lambda t: t.id):
        alerts.extend(check_trip(trip, passports))
    return sorted(
        alerts,
        key=lambda alert: (PASSPORT_RANKS[alert.severity], [r.id for r in alert.evidence]),
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded trips and passports."""
    return find_passport_problems(trips, passports, today)
