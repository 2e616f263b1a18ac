"""Names a medication that the drug table does not know, and what it was not checked against.

One alert a medication says for all drug rules what they could not look for: the allergies that may
be to a drug, the other drugs, what somebody forbade, a pregnancy. It is silent where nothing could
matter: beside other drugs only where one is known to interact with some drug, since beside others
there is nothing that a pharmacist would look up first; not while a pregnancy is only hoped for or
while breastfeeding; and not for an allergy, a prohibition or a pregnancy that has its alert.
"""

from dataclasses import dataclass
from datetime import date

from domains.health.schema import Allergy, Intake, Medication, Pregnancy
from domains.health.state import allergies, intakes, medications, pregnancies
from domains.preferences.schema import Prohibition
from domains.preferences.state import prohibitions
from uac import (
    Alert,
    Allergen,
    Drug,
    Forbidden,
    Taking,
    bans_on_drugs,
    compare,
    falls_in_force,
    find_cautions,
    forbidden_match,
    is_about_drugs,
    is_interacting,
    party_of,
    party_of_intake,
    pregnancy_is_over,
    pregnancy_is_overdue,
    read_allergen,
    read_drug,
    says_no_allergy,
    sentence,
    shorten,
    systemic_party_of,
    taken_in_pregnancy,
    takings_of,
)

MOST_UNCHECKED_NAMES = 4  # of one sort, in the detail


@dataclass
class UncheckedAgainst:
    """What a medication has to be checked against, as far as the tables know it."""

    allergies: list[tuple[Allergy, Allergen]]
    interacting: list[Medication | Intake]
    bans: list[Forbidden]
    pregnancies: list[Pregnancy]
    today: date


def unknown_parts(drug: Drug) -> list[str]:
    """The parts of a medication's name that cannot be checked: unknown words, mere class names."""
    return drug.missing + ([drug.name] if drug.groups and not drug.ingredients else [])


def allergies_left(drug: Drug, around: UncheckedAgainst) -> list[str]:
    """The allergies that may be to the unknown part; one with an alert has been looked at."""
    left = []
    for allergy, allergen in around.allergies:
        match = compare(drug, allergen)
        if match is None or match.grade == "cross-reactive":
            left.append(allergy.substance)
    return left


def drugs_left(taking: Taking, drug: Drug, around: UncheckedAgainst) -> list[str]:
    """What is taken beside it and is known to interact; a class is checked as a class."""
    others = [one for one in around.interacting if one is not taking.record]
    return [one.what if isinstance(one, Intake) else one.name for one in others if drug.missing]


def bans_left(taking: Taking, drug: Drug, around: UncheckedAgainst) -> list[str]:
    """The prohibitions of known substances under which the unknown part may fall."""
    return [
        one.ban.what
        for one in around.bans
        if falls_in_force(one.ban, taking, around.today)
        and forbidden_match(drug, one.allergen) is None
    ]


def unchecked_for_pregnancy(taking: Taking, drug: Drug, around: UncheckedAgainst) -> bool:
    """Whether it is taken in a pregnancy and nothing is known of it there."""
    if not [one for one in around.pregnancies if taken_in_pregnancy(taking, one)]:
        return False
    return bool(drug.missing) and not find_cautions(party_of(taking.record.name), "pregnant")


def joined_words(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join([part for part in [", ".join(words[:-1]), words[-1]] if part])


def listed_names(names: list[str]) -> str:
    """The first of the names, in brackets."""
    more = len(names) - MOST_UNCHECKED_NAMES
    shown = [shorten(name) for name in names[:MOST_UNCHECKED_NAMES]]
    return f" ({', '.join(shown)}{f' and {more} more' if more > 0 else ''})"


def unknown_drug_alert(taking: Taking, drug: Drug, around: UncheckedAgainst) -> list[Alert]:
    """The alert on one medication, if there is anything that it was not checked against."""
    names = {
        "the recorded allergies": allergies_left(drug, around),
        "other drugs": drugs_left(taking, drug, around),
        "what was forbidden": bans_left(taking, drug, around),
    }
    sorts = [sort for sort, found in names.items() if found]
    details = [sort + listed_names(found) for sort, found in names.items() if found]
    if unchecked_for_pregnancy(taking, drug, around):
        sorts.append("pregnancy")
        details.append("the recorded pregnancy")
    if not sorts:
        return []
    why = "the drug table does not know it" if drug.missing else "that is a class, not a drug"
    parts = unknown_parts(drug)

    def words(name: str) -> str:
        return f"{name}: not checked against {joined_words(sorts)}; {why}"

    return [
        Alert(
            severity="info",
            summary=sentence(words, joined_words(parts) if drug.ingredients else drug.name),
            evidence=[taking.record],
            detail=f"{shorten(drug.name)}: not checked against {joined_words(details)}.",
            grade="not checked",
            basis=drug.rows,
            unknown=[f"the active ingredient of {shorten(part)}" for part in parts[:10]],
            action="Record the active ingredient, or have a pharmacist check it.",
        )
    ]


def interacting_records(
    drugs: list[Medication], foods: list[Intake], today: date
) -> list[Medication | Intake]:
    """What is taken, prescribed or considered and known to interact with some drug."""
    taken = [t.record for t in takings_of(drugs, today) if not t.over]
    eaten = [t.record for t in takings_of(foods, today) if not t.over]
    found = [one for one in taken if is_interacting(systemic_party_of(one.name))]
    return found + [one for one in eaten if is_interacting(party_of_intake(one.what, one.category))]


def checks_of(
    drugs: list[Medication],
    foods: list[Intake],
    reactions: list[Allergy],
    bans: list[Prohibition],
    states: list[Pregnancy],
    today: date,
) -> UncheckedAgainst:
    """What there is to check a medication against."""
    named = [a for a in reactions if not says_no_allergy(a.substance)]
    allergens = [(a, read_allergen(a.substance)) for a in sorted(named, key=lambda a: a.id)]
    lasting = [p for p in states if p.status == "pregnant" and not pregnancy_is_over(p, today)]
    forbidden = bans_on_drugs(bans, {}, today)  # who said it is the other rule's to tell
    return UncheckedAgainst(
        allergies=[(a, found) for a, found in allergens if is_about_drugs(a, found)],
        interacting=interacting_records(drugs, foods, today),
        bans=[
            one
            for one in forbidden
            if not one.allergen.missing and (one.allergen.ingredients or one.allergen.groups)
        ],
        pregnancies=[p for p in lasting if not pregnancy_is_overdue(p, today)],
        today=today,
    )


def find_unknown_drugs(
    drugs: list[Medication],
    foods: list[Intake],
    reactions: list[Allergy],
    bans: list[Prohibition],
    states: list[Pregnancy],
    today: date,
) -> list[Alert]:
    """One alert for each medication with an unknown part, in order of their ids."""
    taken = [(t, read_drug(t.record.name)) for t in takings_of(drugs, today) if not t.over]
    unknown = [(taking, drug) for taking, drug in taken if unknown_parts(drug)]
    if not unknown:
        return []
    around = checks_of(drugs, foods, reactions, bans, states, today)
    return [alert for t, drug in unknown for alert in unknown_drug_alert(t, drug, around)]


def check(today: date) -> list[Alert]:
    """The alerts for the recorded medications and all that they are checked against."""
    return find_unknown_drugs(medications, intakes, allergies, prohibitions, pregnancies, today)
