"""Warns of a medication that conflicts with a recorded allergy.

Critical only for the same ingredient, or for a drug of the same class after a severe reaction. An
intolerance (said to be one, or nothing but nausea, headache and the like) is graded lower; being no
immune reaction, it says nothing of drugs with similar side chains. A recorded tolerance lowers the
alert to info and is named in it; it never removes it. A tolerance older than the reaction, or of a
whole class, lowers nothing. Of a medication that the table does not know `drug_unknown` speaks.
"""

from datetime import date

from domains.health.schema import Allergy, Medication
from domains.health.state import allergies, medications
from uac import (
    Alert,
    Allergen,
    Drug,
    Match,
    compare,
    date_words,
    earliest_day,
    is_about_drugs,
    long_date,
    names_severe_reaction,
    only_side_effects,
    read_allergen,
    read_drug,
    row_label,
    same_plain_name,
    says_no_allergy,
    sentence,
    shorten,
    taking_words,
)

RANKS = {"critical": 0, "warning": 1, "info": 2}


def is_severe(allergy: Allergy) -> bool:
    """Whether the recorded severity or the recorded reaction is severe."""
    return allergy.severity == "severe" or names_severe_reaction(allergy.reaction or "")


def is_intolerance(allergy: Allergy) -> bool:
    """Whether it was no immune reaction: said so, or only harmless effects and nothing else."""
    if allergy.nature == "allergy" or is_severe(allergy):
        return False
    return allergy.nature == "intolerance" or only_side_effects(allergy.reaction or "")


def in_scope(medication: Medication, today: date) -> bool:
    """Whether the person takes the medication, is to take it or thinks about it."""
    last = medication.stopped_on
    if medication.status == "stopped":
        return last is not None and last > today
    return last is None or last >= today


def tolerance_of_substance(allergy: Allergy, today: date) -> str:
    """Since when the substance itself is tolerated, in words; empty where that excuses nothing."""
    since = allergy.tolerated_since
    if since is None or earliest_day(since) > today:
        return ""
    # A dose that went well before the reaction says nothing about the next one.
    if allergy.noted_on is not None and earliest_day(since) < allergy.noted_on:
        return ""
    return f"tolerated since {date_words(since)}"


def tolerance_of_drug(medication: Medication, drug: Drug, allergy: Allergy) -> str:
    """That just this drug was tolerated, in words: every ingredient that conflicts, or the name."""
    if [name for name in allergy.tolerated if same_plain_name(name, medication.name)]:
        return "tolerated before"
    safe = [row_id for name in allergy.tolerated for row_id in read_drug(name).ingredients]
    if not safe or drug.missing:
        return ""
    allergen = read_allergen(allergy.substance)
    others = [row_label(row_id) for row_id in drug.ingredients if row_id not in safe]
    harmful = [name for name in others if compare(read_drug(name), allergen) is not None]
    held = [row_id for row_id in drug.ingredients if row_id in safe]
    return "tolerated before" if held and not harmful else ""


def tolerance_unknowns(allergy: Allergy) -> list[str]:
    """Why a recorded tolerance excuses nothing."""
    since, noted = allergy.tolerated_since, allergy.noted_on
    unknown = []
    if since is not None and noted is not None and earliest_day(since) < noted:
        unknown.append(
            f"whether it was tolerated after the reaction noted on {long_date(noted)}"
            f" (recorded as tolerated since {date_words(since)})"
        )
    classes = [name for name in allergy.tolerated if read_drug(name).groups]
    return unknown + [f"which of the {shorten(name)} were tolerated" for name in classes[:3]]


def substance_of(allergy: Allergy) -> str:
    """The substance without the word allergy behind it."""
    plain = allergy.substance.strip()
    bare = plain[:-8].strip() if plain.casefold().endswith(" allergy") else plain
    return bare or plain


def severity_of(match: Match, medication: Medication, allergy: Allergy, tolerated: str) -> str:
    """Critical for the same ingredient or a severe reaction to the class; an idea never is.

    An intolerance is a warning for the same ingredient and info for the class; what was tolerated
    is info.
    """
    if tolerated:
        return "info"
    if is_intolerance(allergy):
        return "warning" if match.grade == "exact" else "info"
    grave = match.grade == "exact" or (match.grade == "same class" and is_severe(allergy))
    return "critical" if grave and medication.status != "considered" else "warning"


def unknowns(match: Match, allergy: Allergy) -> list[str]:
    """What nobody has said and would change the judgement."""
    substance = shorten(substance_of(allergy))
    unknown = []
    if not allergy.reaction:
        unknown.append(f"what the {substance} reaction was")
    if allergy.severity is None and not is_severe(allergy) and not is_intolerance(allergy):
        unknown.append(f"severity of the {substance} reaction")
    if allergy.nature == "intolerance" and is_severe(allergy):
        unknown.append(f"whether the severe reaction to {substance} was an allergy")
    return unknown + match.unknown


def conflict_sentence(
    match: Match, medication: Medication, allergy: Allergy, tolerated: str
) -> str:
    """The summary: both names, how sure the conflict is, and the reaction or the tolerance."""
    idea = medication.status == "considered"
    verb = {
        (False, False): "conflicts with",
        (False, True): "may cross-react with",
        (True, False): ", an idea so far, would conflict with",
        (True, True): ", an idea so far, might cross-react with",
    }[(idea, match.grade == "cross-reactive")]
    known = allergy.reaction or (f"{allergy.severity} reaction" if allergy.severity else "")
    what = "intolerance" if is_intolerance(allergy) else "allergy"
    space = "" if idea else " "

    def words(name: str, substance: str, reaction: str) -> str:
        tail = f" ({reaction})" if reaction else ""
        end = f", but was {tolerated}" if tolerated else ""
        return f"{name}{space}{verb} the recorded {substance} {what}{tail}{end}"

    return sentence(words, medication.name, substance_of(allergy), known)


def conflict_detail(match: Match, medication: Medication, allergy: Allergy, tolerated: str) -> str:
    """Why it conflicts, what lowers it, and when each of the two was said to hold."""
    text = match.reason[:1].upper() + match.reason[1:]
    if match.grade == "same class" and not is_intolerance(allergy):
        text += " An allergy to one of them often means an allergy to the others."
    if match.grade == "cross-reactive":
        text += " Most people with one of the allergies tolerate the other drug."
    if is_intolerance(allergy):
        said = "is recorded as an intolerance" if allergy.nature else "names side effects only"
        text += f" The reaction {said}, not an immune reaction, so it is graded lower."
    if tolerated:
        what = shorten(medication.name if tolerated == "tolerated before" else allergy.substance)
        text += f" The record says that {what} was {tolerated}; that lowers the alert."
    name = shorten(medication.name)
    text += f" {name[:1].upper()}{name[1:]} {taking_words(medication, medication.prescriber)}."
    if allergy.noted_on is not None:
        text += f" The reaction was noted on {long_date(allergy.noted_on)}."
    return text


def conflict_action(severity: str, medication: Medication, tolerated: str) -> str:
    """The one thing to do."""
    if medication.status == "considered":
        return "Ask a pharmacist or doctor about the allergy before starting it."
    if tolerated == "tolerated before":
        return "Have the prescriber or a pharmacist confirm that it is tolerated."
    if tolerated:
        return "Have the prescriber confirm the tolerance and correct the allergy record."
    if severity == "critical":
        return "Do not give the next dose before the prescriber or a pharmacist has confirmed it."
    return "Check with the prescriber or a pharmacist whether it is safe."


def conflict(match: Match, medication: Medication, allergy: Allergy, today: date) -> Alert:
    """The alert for one medication against one allergy."""
    tolerated = tolerance_of_substance(allergy, today)
    if not tolerated and allergy.tolerated:
        tolerated = tolerance_of_drug(medication, read_drug(medication.name), allergy)
    severity = severity_of(match, medication, allergy, tolerated)
    doubts = [] if tolerated else tolerance_unknowns(allergy)
    return Alert(
        severity=severity,
        summary=conflict_sentence(match, medication, allergy, tolerated),
        evidence=[medication, allergy],
        detail=conflict_detail(match, medication, allergy, tolerated),
        grade=match.grade,
        basis=match.basis,
        unknown=unknowns(match, allergy) + doubts,
        action=conflict_action(severity, medication, tolerated),
    )


def says_nothing(match: Match, allergy: Allergy) -> bool:
    """Whether an intolerance is no reason at all: side chains matter to the immune system only."""
    return match.grade == "cross-reactive" and is_intolerance(allergy)


def unchecked_allergen(allergy: Allergy, allergen: Allergen) -> Alert:
    """Says that an allergy's substance is not in the drug table."""
    what = " and ".join(allergen.missing) if allergen.rows else substance_of(allergy)

    def words(name: str) -> str:
        why = "the drug table does not know it"
        return f"Medications were not checked against the recorded {name} allergy: {why}"

    return Alert(
        severity="info",
        summary=sentence(words, what),
        evidence=[allergy],
        grade="not checked",
        basis=allergen.rows,
        unknown=[f"which drugs contain {shorten(part)}" for part in allergen.missing[:10]],
        action="Record the substance by its ingredient or class, or say that it is no drug.",
        key="allergen not checked",
    )


def find_conflicts(
    medications: list[Medication], allergies: list[Allergy], today: date
) -> list[Alert]:
    """All alerts for these medications and allergies, the gravest first, whatever their order."""
    taken = sorted([m for m in medications if in_scope(m, today)], key=lambda m: m.id)
    drugs = [(m, read_drug(m.name)) for m in taken]
    known = sorted([a for a in allergies if not says_no_allergy(a.substance)], key=lambda a: a.id)
    allergens = [(a, read_allergen(a.substance)) for a in known]
    checked = [(a, allergen) for a, allergen in allergens if is_about_drugs(a, allergen)]
    alerts = []
    matched = set()
    for medication, drug in drugs:
        for allergy, allergen in allergens:
            # Most pairs share nothing, and a call for each would be most of this rule's time.
            far = drug.reach.isdisjoint(allergen.reach)
            match = None if far else compare(drug, allergen)
            if match is not None and not says_nothing(match, allergy):
                alerts.append(conflict(match, medication, allergy, today))
                matched.add((medication.id, allergy.id))
    for allergy, allergen in checked:
        # A pair that already has its alert needs no word that it was not checked.
        if allergen.missing and [m for m, _ in drugs if (m.id, allergy.id) not in matched]:
            alerts.append(unchecked_allergen(allergy, allergen))
    return sorted(
        alerts, key=lambda alert: (RANKS[alert.severity], [record.id for record in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and allergies."""
    return find_conflicts(medications, allergies, today)
