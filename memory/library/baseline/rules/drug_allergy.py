"""Warns of a medication that conflicts with a recorded allergy."""

from datetime import date

from domains.health.schema import Allergy, Medication
from domains.health.state import allergies, medications
from uac import (
    Alert,
    Allergen,
    Drug,
    Match,
    compare,
    read_allergen,
    read_drug,
    says_no_allergy,
    sentence,
    shorten,
)

RANKS = {"critical": 0, "warning": 1, "info": 2}
# Reactions that are severe whatever else is recorded.
SEVERE_REACTIONS = [
    "anaphyla", "angioedema", "angio oedema", "stevens johnson", "sjs", "toxic epidermal", "dress",
    "throat swelling", "throat swelled", "throat closed", "throat closing", "swollen throat",
    "swelling of the throat", "trouble breathing", "difficulty breathing", "could not breathe",
    "couldn t breathe", "stopped breathing", "life threatening",
]  # fmt: skip
NEGATIONS = ["no", "not", "without", "never", "denies", "wasn", "didn"]


def is_severe(allergy: Allergy) -> bool:
    """Whether the recorded severity or the recorded reaction is severe."""
    if allergy.severity == "severe":
        return True
    plain = "".join([c if c.isalnum() else " " for c in (allergy.reaction or "").casefold()])
    text = f" {' '.join(plain.split())} "
    for sign in SEVERE_REACTIONS:
        at = text.find(f" {sign}")
        # A short sign is a whole word: "dress" is not "dressing".
        whole = len(sign) > 5 or f" {sign} " in text
        if at >= 0 and whole and not [w for w in text[:at].split()[-3:] if w in NEGATIONS]:
            return True
    return False


def in_scope(medication: Medication, today: date) -> bool:
    """Whether the person takes the medication, is to take it or thinks about it."""
    if medication.status == "stopped":
        return False
    return medication.stopped_on is None or medication.stopped_on >= today


def substance_of(allergy: Allergy) -> str:
    """The substance without the word allergy behind it."""
    plain = allergy.substance.strip()
    bare = plain[:-8].strip() if plain.casefold().endswith(" allergy") else plain
    return bare or plain


def severity_of(match: Match, medication: Medication, allergy: Allergy) -> str:
    """Critical for the same ingredient or a severe reaction to the class; an idea never is."""
    grave = match.grade == "exact" or (match.grade == "same class" and is_severe(allergy))
    return "critical" if grave and medication.status != "considered" else "warning"


def unknowns(match: Match, allergy: Allergy) -> list[str]:
    """What nobody has said and would change the judgement."""
    substance = shorten(substance_of(allergy))
    unknown = []
    if not allergy.reaction:
        unknown.append(f"what the {substance} reaction was")
    if allergy.severity is None and not is_severe(allergy):
        unknown.append(f"severity of the {substance} reaction")
    return unknown + match.unknown


def conflict(match: Match, medication: Medication, allergy: Allergy) -> Alert:
    """The alert for one medication against one allergy."""
    idea = medication.status == "considered"
    may = match.grade == "cross-reactive"
    verb = {
        (False, False): "conflicts with",
        (False, True): "may cross-react with",
        (True, False): ", an idea so far, would conflict with",
        (True, True): ", an idea so far, might cross-react with",
    }[(idea, may)]
    known = allergy.reaction or (f"{allergy.severity} reaction" if allergy.severity else "")
    gap_before = "" if idea else " "

    def words(name: str, substance: str, reaction: str) -> str:
        tail = f" ({reaction})" if reaction else ""
        return f"{name}{gap_before}{verb} the recorded {substance} allergy{tail}"

    detail = match.reason
    if match.grade == "same class":
        detail += " An allergy to one of them often means an allergy to the others."
    if match.grade == "cross-reactive":
        detail += " Most people with one of the allergies tolerate the other drug."
    return Alert(
        severity=severity_of(match, medication, allergy),
        summary=sentence(words, medication.name, substance_of(allergy), known),
        evidence=[medication, allergy],
        detail=detail[:1].upper() + detail[1:],
        grade=match.grade,
        basis=match.basis,
        unknown=unknowns(match, allergy),
        action=(
            "Ask a pharmacist or doctor about the allergy before starting it."
            if idea
            else "Do not give the next dose before the prescriber or a pharmacist has confirmed it."
            if severity_of(match, medication, allergy) == "critical"
            else "Check with the prescriber or a pharmacist whether it is safe."
        ),
    )


def is_about_drugs(allergy: Allergy, allergen: Allergen) -> bool:
    """Whether the allergy may be to a drug; nobody's word to the contrary and no known food."""
    known_other = [row for row in allergen.rows if row.startswith("other:")]
    return allergy.category == "medication" or (allergy.category is None and not known_other)


def unchecked_drug(medication: Medication, gaps: list[str], drug: Drug) -> Alert:
    """Says that a medication's name is not in the drug table, or names a class only."""
    why = "the drug table does not know it" if drug.missing else "it names a class, not a drug"
    what = " and ".join(gaps) if drug.ingredients else medication.name

    def words(name: str) -> str:
        return f"{name} was not checked against the recorded allergies: {why}"

    return Alert(
        severity="info",
        summary=sentence(words, what),
        evidence=[medication],
        grade="not checked",
        basis=drug.rows,
        unknown=[f"the active ingredient of {shorten(gap)}" for gap in gaps[:10]],
        action="Record the active ingredient, or have a pharmacist check it.",
        key="drug not checked",
    )


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


def drug_gaps(drug: Drug) -> list[str]:
    """The parts of a medication's name that cannot be checked: unknown words, mere class names."""
    return drug.missing + ([drug.name] if drug.groups and not drug.ingredients else [])


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
            if match is not None:
                alerts.append(conflict(match, medication, allergy))
                matched.add((medication.id, allergy.id))
        # A pair that already has its alert needs no word that it was not checked.
        gaps = drug_gaps(drug)
        if gaps and [a for a, _ in checked if (medication.id, a.id) not in matched]:
            alerts.append(unchecked_drug(medication, gaps, drug))
    for allergy, allergen in checked:
        if allergen.missing and [m for m, _ in drugs if (m.id, allergy.id) not in matched]:
            alerts.append(unchecked_allergen(allergy, allergen))
    return sorted(
        alerts, key=lambda alert: (RANKS[alert.severity], [record.id for record in alert.evidence])
    )


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and allergies."""
    return find_conflicts(medications, allergies, today)
