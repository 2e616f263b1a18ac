"""Warns of a trip abroad for which the passport is not valid long enough, or not recorded.

Where the trip names its passport, that one is judged and no other. How long after the journey a
country wants a passport to be valid is outside what this rule knows. A passport that ends less than
90 days after the return is a warning, since three months are what the Schengen states (Regulation
(EU) 2016/399, article 6) and many others ask; up to six months, which others ask, it is
information.
"""

from datetime import date, timedelta

from domains.travel.schema import Passport, Trip
from domains.travel.state import passports, trips
from uac import (
    Alert,
    add_months,
    country_of_trip,
    gap,
    is_to_begin,
    last_day_of_trip,
    long_date,
    same_country,
    sentence,
    shorten,
)

MONTHS_AFTER_RETURN = 6
OFTEN_ASKED_DAYS = 90  # after the return
LOWER = {"critical": "warning", "warning": "info", "info": "info"}
PASSPORT_RANKS = {"critical": 0, "warning": 1, "info": 2}


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
    departs, until, returns = trip.departs_on, passport.expires_on, last_day_of_trip(trip)
    if departs is None or until is None or returns is None:
        return []
    wanted = add_months(returns, MONTHS_AFTER_RETURN)
    if until >= wanted:
        return []
    what = "return from" if trip.returns_on else "departure to"
    end = returns
    severity = "warning" if until - returns < timedelta(days=OFTEN_ASKED_DAYS) else "info"
    if until < departs:
        severity, end, what = "critical", departs, "departure to"
    soon = " (many countries ask for six months)" if until >= returns else ""
    if trip.status == "considering":
        severity = LOWER[severity]
    when = "on the day of" if until == end else f"{gap(until, end)} the"

    def words(issuer: str, destination: str) -> str:
        return f"{issuer} passport expires {long_date(until)}, {when} {what} {destination}{soon}"

    unknown = [] if trip.returns_on else ["the day of return"]
    if passport.issuing_country is None:
        unknown.append("which country issued the passport")
    if soon:
        unknown.append("how long the destination asks a passport to be valid")
    return [
        Alert(
            severity=severity,
            summary=sentence(words, passport.issuing_country or "The", trip.destination),
            evidence=[passport, trip],
            detail=dates(trip, departs, until, wanted),
            unknown=unknown,
            action=what_to_do(trip, until, returns),
            due=departs,
        )
    ]


def dates(trip: Trip, departs: date, until: date, wanted: date) -> str:
    """The dates compared, and the day until which others ask a passport to be valid."""
    idea = "The trip is only an idea so far. " if trip.status == "considering" else ""
    return (
        f"{idea}Departure {long_date(departs)}, "
        f"return {long_date(trip.returns_on) if trip.returns_on else 'not recorded'}; "
        f"the passport is valid until {long_date(until)}. "
        f"Many countries ask for three months after the trip, others for six, "
        f"which would be {long_date(wanted)}."
    )


def what_to_do(trip: Trip, until: date, returns: date) -> str:
    """What to do about a passport that is not valid long enough."""
    if trip.status == "considering":
        return "Find out what the destination asks for before deciding."
    if until < returns:
        return "Renew the passport before the trip."
    return "Look up the entry rules of the destination, and renew the passport if needed."


def passports_for(trip: Trip, passports: list[Passport]) -> list[Passport]:
    """The passport that the trip names; else those that may be of the country said, or all."""
    if trip.passport is not None:
        return [p for p in passports if p.id == trip.passport]
    named = trip.passport_country or ""
    return [p for p in passports if not named or same_country(p.issuing_country or named, named)]


def check_trip(trip: Trip, passports: list[Passport]) -> list[Alert]:
    """The alert for one trip ahead, if any: only when none of the passports serves."""
    named = "" if trip.passport is not None else trip.passport_country or ""
    usable = passports_for(trip, passports)
    country = country_of_trip(trip)
    if country and named and same_country(country, named):
        return []  # a journey home
    if country and [p for p in usable if same_country(p.issuing_country or "", country)]:
        return []  # a domestic trip, or one on that country's own passport
    if not usable:
        missing = f"a passport of {shorten(named, 30)}" if named else "a passport"
        if trip.passport is not None:
            missing = "the passport that the trip names"
        return not_checked(trip, [trip], missing, "Record the passport and its expiry date.")
    best = min(usable, key=lambda p: ((date.max - valid_until(p)).days, p.id))
    if best.expires_on is None:
        missing = "its expiry date"
        return not_checked(trip, [best, trip], missing, "Record the passport's expiry date.")
    found = too_short(trip, best)
    # Who names a passport for a trip crosses a border with it, wherever that is.
    crosses = trip.passport is not None and best.expires_on < (
        last_day_of_trip(trip) or best.expires_on
    )
    if found and not country and not crosses:
        missing = "the country of the destination"
        return not_checked(trip, [best, trip], missing, "Record the country of the trip.")
    return found


def find_passport_problems(
    trips: list[Trip], passports: list[Passport], today: date
) -> list[Alert]:
    """All alerts for these trips and passports, the gravest first, whatever their order."""
    alerts = []
    ahead = [trip for trip in trips if is_to_begin(trip, today)]
    for trip in sorted(ahead, key=lambda t: t.id):
        alerts.extend(check_trip(trip, passports))
    return sorted(
        alerts,
        key=lambda alert: (PASSPORT_RANKS[alert.severity], [r.id for r in alert.evidence]),
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded trips and passports."""
    return find_passport_problems(trips, passports, today)
