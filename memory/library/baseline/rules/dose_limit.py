"""Warns of a dose above the limit that a clinician set for this person.

Only recorded limits count: no general highest doses are assumed. A daily limit is compared with the
sum over all medications that hold the drug on one day; a limit a dose with each of them. Exactly at
the limit is silent. What cannot be compared (no amount, no times a day, another kind of unit, a
combination whose shares are not said) is named. Beside doses that reach the limit already it must
pass it; beside less the sum is said to be not checked, with what is left. Ideas are counted apart,
and are at most a warning.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from domains.health.schema import DoseLimit, Medication
from domains.health.state import dose_limits, medications
from domains.people.schema import Person
from domains.people.state import people
from uac import (
    Alert,
    Taking,
    amount_words,
    comparable,
    gaps_among,
    limited,
    long_date,
    names_by_id,
    read_drug,
    route_of,
    sentence,
    shorten,
    speaker_words,
    taking_words,
    takings_of,
)

DOSE_RANKS = {"critical": 0, "warning": 1, "info": 2}
MOST_DOSES = 40  # medications shown as evidence of one alert


@dataclass
class LimitedDay:
    """What is taken on one day of a drug that a limit is about."""

    dosed: list[Taking]  # those whose dose can be compared with the limit
    others: list[Taking]
    total: Decimal  # of the doses that can be compared


def holds_on(limit: DoseLimit, today: date) -> bool:
    """Whether the limit has been set and has not run out."""
    begun = limit.set_on is None or limit.set_on <= today
    return begun and (limit.until is None or limit.until >= today)


def dose_limit_words(limit: DoseLimit) -> str:
    """`3,000 mg a day`, `500 mg a dose`."""
    return f"{amount_words(limit.amount, limit.unit)} a {limit.per}"


def limit_origin(limit: DoseLimit, names: dict[str, str]) -> str:
    """Who set the limit and when, as far as it was said."""
    who = speaker_words(names, limit.set_by) if limit.set_by else ""
    words = f"set by {who}" if who else "recorded without a name"
    return words + (f" on {long_date(limit.set_on)}" if limit.set_on else "")


def limit_detail(limit: DoseLimit, names: dict[str, str], takings: list[Taking]) -> str:
    """The limit with its origin and reason, and each medication with its dose and status."""
    text = f"The limit for {shorten(limit.substance)} is {dose_limit_words(limit)}"
    text += f", {limit_origin(limit, names)}"
    text += f", because of {shorten(limit.reason, 200)}." if limit.reason else "."
    text += f" It holds until {long_date(limit.until)}." if limit.until else ""
    for taking in takings[:8]:
        one = taking.record
        each = ""
        if one.amount is not None and one.unit is not None:
            each = f", {amount_words(one.amount, one.unit)} at a time"
        if one.times_a_day is not None:
            each += f", at most {amount_words(one.times_a_day, 'times a day')}"
        text += f" {shorten(one.name, 40)} {taking_words(one, one.prescriber)}{each}."
    return text


def limit_unknowns(limit: DoseLimit, gaps: list[str]) -> list[str]:
    """What nobody said: of the doses, and who set the limit."""
    return gaps[:10] + ([] if limit.set_by else ["who set the limit"])


def limit_basis(limit: DoseLimit) -> list[str]:
    """The rows of the drug table that the limit's substance led to."""
    return read_drug(limit.substance).rows


def over_words(limit: DoseLimit, total: Decimal, least: bool, idea: bool) -> str:
    """`comes to at least 4,500 mg a day, 1,500 mg over`, `comes to more than 3,000 mg a day`."""
    verb = "would come to" if idea else "comes to"
    dose = f"{amount_words(total, limit.unit)} a {limit.per}"
    if total <= limit.amount:
        return f"{verb} more than {dose}"
    over = amount_words(total - limit.amount, limit.unit)
    return f"{verb} {'at least ' if least else ''}{dose}, {over} over"


def over_detail(
    limit: DoseLimit, names: dict[str, str], takings: list[Taking], total: Decimal
) -> str:
    """The limit, the medications, and what the sum was made of."""
    text = limit_detail(limit, names, takings)
    if len(takings) > 1 and total <= limit.amount:
        known = amount_words(total, limit.unit)
        return f"{text} The doses that are known come to {known}, and more is taken besides."
    return text + (" The doses of these medications were added up." if len(takings) > 1 else "")


def over_alert(
    limit: DoseLimit, names: dict[str, str], takings: list[Taking], total: Decimal, gaps: list[str]
) -> Alert:
    """The alert for a dose or a sum above the limit; at the limit something unknown passes it."""
    idea = bool([taking for taking in takings if taking.idea])
    whose = speaker_words(names, limit.set_by) if limit.set_by else ""

    def words(substance: str, who: str) -> str:
        by = f"the limit {who} set" if who else "the recorded limit"
        comes = over_words(limit, total, bool(gaps), idea)
        return f"{substance} {comes}{', ' if total <= limit.amount else ' '}{by}"

    return Alert(
        severity="warning" if idea else "critical",
        summary=sentence(words, limit.substance, whose),
        evidence=[*[taking.record for taking in takings[:MOST_DOSES]], limit],
        detail=over_detail(limit, names, takings, total),
        grade="over the limit",
        basis=limit_basis(limit),
        unknown=limit_unknowns(limit, gaps),
        action=(
            "Ask the prescriber for another dose before starting it."
            if idea
            else "Do not give more than the limit; ask the prescriber about the dose."
        ),
    )


def unchecked_dose(
    limit: DoseLimit, names: dict[str, str], takings: list[Taking], gaps: list[str], known: Decimal
) -> Alert:
    """Says that the doses could not be compared with the limit, what is missing and what is left.

    `known` is what the doses that can be compared come to.
    """
    left = amount_words(max(limit.amount - known, Decimal(0)), limit.unit)
    room = f"; the doses known leave {left}" if known else ""

    def words(substance: str) -> str:
        most = dose_limit_words(limit)
        return f"{substance} was not checked against its limit of {most}{room}"

    return Alert(
        severity="info",
        summary=sentence(words, limit.substance),
        evidence=[*[taking.record for taking in takings[:MOST_DOSES]], limit],
        detail=limit_detail(limit, names, takings),
        grade="not checked",
        basis=limit_basis(limit),
        unknown=limit_unknowns(limit, gaps),
        action="Record the amount at a time in figures, its unit and the times a day.",
    )


def adds_something(taking: Taking) -> bool:
    """Whether an unknown dose is surely more than none; little of a gel or cream is absorbed."""
    none = taking.record.amount == 0 or taking.record.times_a_day == 0
    return not none and route_of(taking.record.name) != "local"


def limited_days(limit: DoseLimit, takings: list[Taking], today: date) -> list[LimitedDay]:
    """The days from today on which one of these begins: only there can the sum grow."""
    dosed = comparable(limit, takings)
    known = [taking.record.id for taking, _ in dosed]
    others = [taking for taking in takings if taking.record.id not in known]
    days = []
    for day in sorted({max(taking.first, today) for taking in takings}):
        counted = [(t, dose) for t, dose in dosed if t.first <= day <= t.last]
        total = sum([dose for _, dose in counted], Decimal(0))
        open_ones = [t for t in others if t.first <= day <= t.last]
        days.append(LimitedDay([t for t, _ in counted], open_ones, total))
    return days


def day_alerts(limit: DoseLimit, names: dict[str, str], days: list[LimitedDay]) -> list[Alert]:
    """The alert for the fullest of these days, if it passes the limit."""
    over = [day for day in days if day.total > limit.amount]
    if over:
        day = max(over, key=lambda one: one.total)
        return [over_alert(limit, names, day.dosed, day.total, gaps_among(limit, day.others))]
    full = [day for day in days if day.total == limit.amount]
    for day in full:
        more = [taking for taking in day.others if adds_something(taking)]
        if more:
            together = sorted(day.dosed + more, key=lambda taking: str(taking.record.id))
            return [over_alert(limit, names, together, day.total, gaps_among(limit, more))]
    return []


def day_gaps(
    limit: DoseLimit, names: dict[str, str], takings: list[Taking], days: list[LimitedDay]
) -> list[Alert]:
    """One alert naming what keeps a sum from being compared, beside all that counts in it."""
    without = [day for day in days if day.others]
    if not without:
        return []
    known = max([day.total for day in without])
    return [unchecked_dose(limit, names, takings, gaps_among(limit, takings), known)]


def gap_alerts(limit: DoseLimit, names: dict[str, str], takings: list[Taking]) -> list[Alert]:
    """One alert naming what keeps these medications from being compared with a limit a dose."""
    dosed = [taking.record.id for taking, _ in comparable(limit, takings)]
    without = [taking for taking in takings if taking.record.id not in dosed]
    gaps = gaps_among(limit, without)
    return [unchecked_dose(limit, names, without, gaps, Decimal(0))] if without else []


def dose_alerts(limit: DoseLimit, names: dict[str, str], takings: list[Taking]) -> list[Alert]:
    """Each medication of which one dose passes the limit."""
    return [
        over_alert(limit, names, [taking], dose, [])
        for taking, dose in comparable(limit, takings)
        if dose > limit.amount
    ]


def alerts_of_limit(
    limit: DoseLimit, names: dict[str, str], takings: list[Taking], today: date
) -> list[Alert]:
    """The alerts of one limit: what is taken or prescribed, then what is only an idea."""
    real = [taking for taking in takings if not taking.idea]
    ideas = [taking for taking in takings if taking.idea]
    if limit.per == "dose":
        return dose_alerts(limit, names, real + ideas) + gap_alerts(limit, names, real)
    days = limited_days(limit, real, today)
    over = day_alerts(limit, names, days)
    if over:
        return over
    with_ideas = limited_days(limit, real + ideas, today) if ideas else []
    return day_alerts(limit, names, with_ideas) + day_gaps(limit, names, real, days)


def find_doses_over_limits(
    drugs: list[Medication], limits: list[DoseLimit], persons: list[Person], today: date
) -> list[Alert]:
    """All alerts for these records, the gravest first."""
    holding = sorted([limit for limit in limits if holds_on(limit, today)], key=lambda one: one.id)
    if not holding:
        return []
    names = names_by_id(persons)
    takings = [(t, read_drug(t.record.name)) for t in takings_of(drugs, today)]
    alerts = []
    for limit in holding:
        substance = read_drug(limit.substance)
        about = [taking for taking, drug in takings if limited(drug, substance)]
        alerts.extend(alerts_of_limit(limit, names, about, today))
    return sorted(
        alerts, key=lambda a: (DOSE_RANKS[a.severity], [record.id for record in a.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and dose limits."""
    return find_doses_over_limits(medications, dose_limits, people, today)
