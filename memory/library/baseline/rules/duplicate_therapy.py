"""Warns of the same drug in two medications, or of two drugs of which one is enough.

Never critical: too much of a drug is the business of the dose limits. Only medications taken on the
same days count. Silent on purpose: vitamins and minerals, insulins, two local forms, a local and a
swallowed form, courses that follow each other, and one drug in known doses whose sum a recorded
daily limit judges (`dose_limit` speaks of it). Milder (info) where both may well be meant, or
where one medication may have been recorded twice.
"""

from datetime import date
from typing import Any

from domains.health.schema import DoseLimit, Medication
from domains.health.state import dose_limits, medications
from uac import (
    Alert,
    Taking,
    find_twice,
    how_taken_together,
    is_long_acting,
    read_drug,
    route_of,
    row_label,
    row_of,
    same_plain_name,
    sentence,
    shorten,
    taking_words,
    takings_of,
)

DUPLICATE_RANKS = {"critical": 0, "warning": 1, "info": 2}
MOST_DUPLICATES = 12  # records in one alert
DUPLICATE_WEIGHTS = {"mcg", "mg", "g"}  # units that dose_limit converts into each other
VAGUE_INSULIN = "drug:insulin"  # the word alone does not tell a basal from a rapid one


def strengths_in(medication: Medication) -> list[str]:
    """The figures in the name and the dose, as they were written."""
    text = f"{medication.name} {medication.dose or ''}"
    return "".join([c if c.isdigit() or c == "." else " " for c in text]).split()


def meant_together(one: Medication, other: Medication, strengths: bool) -> str:
    """Why the same ingredient in both may be no fault, in a sentence; empty where it is one."""
    names = f"{shorten(one.name)} and {shorten(other.name)}"
    if "considered" in (one.status, other.status):
        return "One of them is only an idea so far and may be meant instead of the other."
    same_figures = strengths_in(one) == strengths_in(other)
    silent = not strengths_in(one) or not strengths_in(other)
    if same_plain_name(one.name, other.name) and (same_figures or silent):
        return f"{names} may be one medication that was recorded twice."
    if is_long_acting(one.name) != is_long_acting(other.name):
        return "A long-acting and a short-acting form are often meant together."
    if strengths and not same_figures:
        return "Two strengths of this drug are often meant together to make up one dose."
    if "local" in (route_of(one.name), route_of(other.name)):
        return "One of them acts where it is put; how the other is taken was not said."
    return ""


def apart_by_route(one: Medication, other: Medication) -> bool:
    """Whether the names tell that both act locally, or one locally and one from within."""
    routes = [route_of(one.name), route_of(other.name)]
    return "local" in routes and "" not in routes


def on_the_same_days(takings: list[Taking], today: date) -> list[Taking]:
    """Those taken on a day, today or later, on which another of them is taken as well."""
    some = takings[:MOST_DUPLICATES]
    return [
        one
        for one in some
        if [
            other
            for other in some
            if other is not one
            and how_taken_together(one, other, today) == "together"
            and not apart_by_route(one.record, other.record)
        ]
    ]


def excuse_for(takings: list[Taking], strengths: bool) -> str:
    """A reason why all of them may be meant; empty as soon as two of them have none."""
    found = ""
    for at, one in enumerate(takings):
        for other in takings[at + 1 :]:
            if apart_by_route(one.record, other.record):
                continue
            found = meant_together(one.record, other.record, strengths)
            if not found:
                return ""
    return found


def judged_by_limit(
    takings: list[Taking], ingredients: list[str], limits: list[DoseLimit], today: date
) -> bool:
    """Whether a daily limit for their one ingredient can be compared with the sum of all doses."""
    records = [taking.record for taking in takings]
    if len(ingredients) > 1 or [one for one in records if one.times_a_day is None]:
        return False
    if [one for one in records if one.amount is None or len(read_drug(one.name).ingredients) > 1]:
        return False
    for limit in limits:
        ended = limit.until is not None and limit.until < today
        begun = limit.set_on is None or limit.set_on <= today
        units = {limit.unit, *[one.unit for one in records]}
        alike = len(units) == 1 or units <= DUPLICATE_WEIGHTS
        holds = limit.per == "day" and begun and not ended and alike
        if holds and ingredients[0] in read_drug(limit.substance).ingredients:
            return True
    return False


def enumeration(words: list[str]) -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def status_lines(takings: list[Taking]) -> str:
    """When each is taken, a sentence each."""
    lines = [
        f" {shorten(t.record.name, 40)} {taking_words(t.record, t.record.prescriber)}."
        for t in takings[:8]
    ]
    return "".join(lines)


def replacement_unknowns(takings: list[Taking]) -> list[str]:
    """Whether a prescribed one replaces one that is taken, where nobody said."""
    new = [t.record.name for t in takings if t.record.status == "prescribed"]
    old = [t.record.name for t in takings if t.record.status == "taking"]
    if not new or not old:
        return []
    return [f"whether {shorten(new[0])} replaces {shorten(old[0])}"]


def same_ingredient_alert(takings: list[Taking], ingredients: list[str], excuse: str) -> Alert:
    """The alert for medications that hold the same ingredients."""
    names = [taking.record.name for taking in takings]
    labels = enumeration([row_label(row_id) for row_id in ingredients])
    ideas = [taking for taking in takings if taking.idea]
    holds = "would hold" if ideas else "hold"

    def words(what: str, first: str, second: str) -> str:
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        if more:
            return f"{first}, {second}{more} {holds} the same drug: {what}"
        return f"{first} and {second} {holds} the same drug: {what}"

    detail = f"{labels[:1].upper()}{labels[1:]} counts once for each of them, so the doses add up."
    return Alert(
        severity="info" if excuse else "warning",
        summary=sentence(words, labels, names[0], names[1]),
        evidence=[taking.record for taking in takings],
        detail=detail + (f" {excuse}" if excuse else "") + status_lines(takings),
        grade="same ingredient",
        basis=ingredients,
        unknown=replacement_unknowns(takings),
        action="Ask the prescriber or a pharmacist whether all of them are meant.",
        key="same ingredient",
    )


def same_kind_alert(row: dict[str, Any], takings: list[Taking], members: list[str]) -> Alert:
    """The alert for different drugs of one kind."""
    names = [taking.record.name for taking in takings]
    ideas = [taking for taking in takings if taking.idea]
    label = row_label(row["first"])

    def words(first: str, second: str) -> str:
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        verb = "would be" if ideas else "are"
        joint = f"{first}, {second}{more}" if more else f"{first} and {second}"
        return f"{joint} {verb} of one kind: {label}"

    idea = " One of them is only an idea so far and may be meant instead." if ideas else ""
    return Alert(
        severity="info" if ideas else row["severity"],
        summary=sentence(words, names[0], names[1]),
        evidence=[taking.record for taking in takings],
        detail=row["effect"] + idea + status_lines(takings),
        grade="same kind",
        basis=[row["id"], row["first"], *members],
        unknown=replacement_unknowns(takings),
        action=row["action"],
        key=row["id"],
    )


def by_ingredient(takings: list[Taking]) -> dict[str, list[Taking]]:
    """The medications that hold each ingredient, without those that may stand in several."""
    harmless = [*row_of("group:twice-harmless").get("members", []), VAGUE_INSULIN]
    found: dict[str, list[Taking]] = {}
    for taking in takings:
        for ingredient in read_drug(taking.record.name).ingredients:
            if ingredient not in harmless:
                found[ingredient] = [*found.get(ingredient, []), taking]
    return found


def same_ingredient_alerts(
    takings: list[Taking], limits: list[DoseLimit], today: date
) -> list[Alert]:
    """One alert for each set of medications that share ingredients."""
    combined = row_of("group:twice-strengths").get("members", [])
    sets: dict[str, list[Taking]] = {}
    shared: dict[str, list[str]] = {}
    for ingredient, holders in sorted(by_ingredient(takings).items()):
        together = on_the_same_days(holders, today) if len(holders) > 1 else []
        if together:
            place = "\n".join([taking.record.id for taking in together])
            sets[place] = together
            shared[place] = [*shared.get(place, []), ingredient]
    alerts = []
    for place, together in sets.items():
        if judged_by_limit(together, shared[place], limits, today):
            continue
        of_strengths = not [one for one in shared[place] if one not in combined]
        excuse = excuse_for(together, of_strengths)
        alerts.append(same_ingredient_alert(together, shared[place], excuse))
    return alerts


def same_kind_alerts(takings: list[Taking], today: date) -> list[Alert]:
    """One alert for each kind of which different drugs are taken."""
    # A cream and a tablet of one kind do not add up.
    inner = [taking for taking in takings if route_of(taking.record.name) != "local"]
    parties = [read_drug(taking.record.name).ingredients for taking in inner]
    alerts = []
    for row, members in find_twice(parties):
        firsts: dict[str, Taking] = {}
        for index, member in members:
            # Of each drug the first: the same one twice has its own alert.
            firsts[member] = firsts.get(member, inner[index])
        apart = {taking.record.id: taking for taking in firsts.values()}
        together = on_the_same_days(list(apart.values()), today)
        if together:
            alerts.append(same_kind_alert(row, together, sorted(firsts)))
    return alerts


def find_duplicates(drugs: list[Medication], limits: list[DoseLimit], today: date) -> list[Alert]:
    """All alerts for these medications, the gravest first."""
    takings = takings_of(drugs, today)
    alerts = same_ingredient_alerts(takings, limits, today) + same_kind_alerts(takings, today)
    return sorted(
        alerts, key=lambda a: (DUPLICATE_RANKS[a.severity], [record.id for record in a.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications."""
    return find_duplicates(medications, dose_limits, today)
