from datetime import date

from domains.health.schema import Allergy, Intake, Medication, Pregnancy
from domains.preferences.schema import Prohibition
from rules.drug_unknown import find_unknown_drugs

UNKNOWN_DRUG_TODAY = date(2026, 3, 2)


def taken(name, status="taking"):
    return Medication(id=name.casefold(), name=name, status=status)


def unchecked(drugs, allergy=None, ban=None, state=None, food=None):
    found = find_unknown_drugs(
        drugs,
        [] if food is None else [Intake(id="i", what=food)],
        [] if allergy is None else [Allergy(id="a", substance=allergy)],
        [] if ban is None else [Prohibition(id="b", what=f"no {ban}", substance=ban)],
        [] if state is None else [Pregnancy(id="p", status=state)],
        UNKNOWN_DRUG_TODAY,
    )
    return [alert.summary for alert in found]


def test_one_alert_says_all_that_it_was_not_checked_against():
    drugs = [taken("Zorblax"), taken("warfarin")]
    (summary,) = unchecked(drugs, "penicillin", "NSAIDs", "pregnant")
    assert summary == (
        "Zorblax: not checked against the recorded allergies, other drugs, what was forbidden and "
        "pregnancy; the drug table does not know it"
    )
    (summary,) = unchecked([taken("Zorblax")], "penicillin")
    assert "not checked against the recorded allergies; the drug table" in summary


def test_where_nothing_could_matter_it_is_silent():
    zorblax = [taken("Zorblax")]
    assert unchecked(zorblax) == []
    assert unchecked(zorblax, "peanuts") == []
    assert unchecked(zorblax, "no known drug allergies") == []
    assert unchecked([taken("Zorblax", "stopped")], "penicillin") == []
    assert unchecked([taken("Zorblax"), taken("levothyroxine")]) == []
    assert unchecked(zorblax, state="trying") == []
    assert unchecked(zorblax, state="breastfeeding") == []
    assert unchecked(zorblax, ban="Quuxamab") == []
    assert unchecked([taken("metformin")], "penicillin", "NSAIDs", "pregnant") == []


def test_what_has_its_own_alert_is_not_named_again():
    assert unchecked([taken("Zorblax")], "Zorblax") == []
    assert unchecked([taken("Zorblax")], ban="Zorblax") == []
    (summary,) = unchecked([taken("Zorblax")], food="St John's wort")
    assert "against other drugs" in summary


def test_a_class_is_no_drug():
    assert unchecked([taken("NSAIDs")], "NSAIDs") == []
    (summary,) = unchecked([taken("NSAIDs")], "penicillin")
    assert summary == (
        "NSAIDs: not checked against the recorded allergies; that is a class, not a drug"
    )


def test_the_unknown_part_of_a_combination_is_named():
    combined = taken("Acetaminophen 325 MG / Zorblax 50 MG Oral Tablet")
    (summary,) = unchecked([combined], "penicillin")
    assert summary.startswith("Zorblax: not checked")
