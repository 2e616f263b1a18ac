"""The drug and allergy rule: what it raises, how gravely, and when it keeps silent."""

import itertools
from datetime import date

import pytest
from domains.health.schema import Allergy, Medication
from rules.drug_allergy import find_conflicts

TODAY = date(2026, 11, 21)


def med(name, status="taking", **more):
    return Medication(id=name.casefold(), name=name, status=status, **more)


def allergy(substance, category=None, **more):
    return Allergy(id=substance.casefold(), substance=substance, category=category, **more)


def found(medications, allergies):
    return [
        (alert.severity, alert.grade) for alert in find_conflicts(medications, allergies, TODAY)
    ]


ALARMS = [
    # the same ingredient, by whatever name
    ("amoxicillin", "amoxicillin", {}, "critical", "exact"),
    ("Amoxil 500 mg capsules", "amoxicillin", {}, "critical", "exact"),
    ("Augmentin 875/125", "amoxicillin", {"severity": "mild"}, "critical", "exact"),
    ("amoxicillin-clavulanate", "clavulanic acid", {}, "critical", "exact"),
    ("Amoxicillin 500 MG / Clavulanate 125 MG [Augmentin]", "Augmentin", {}, "critical", "exact"),
    ("Advil", "Motrin", {}, "critical", "exact"),
    ("Excedrin", "aspirin", {}, "critical", "exact"),
    ("Bactrim DS", "sulfamethoxazole", {}, "critical", "exact"),
    ("Pen VK 250 mg", "penicillin", {}, "critical", "exact"),
    ("penicillin", "penicillin G benzathine", {}, "critical", "exact"),
    # the same class
    ("amoxicillin", "penicillin", {"reaction": "hives"}, "warning", "same class"),
    ("amoxicillin", "PCN", {"reaction": "anaphylaxis"}, "critical", "same class"),
    ("amoxicillin", "penicillins", {"severity": "severe"}, "critical", "same class"),
    ("amoxicillin", "Penicillin", {"reaction": "rash, no anaphylaxis"}, "warning", "same class"),
    ("Zosyn", "penicillin allergy", {}, "warning", "same class"),
    ("piperacillin", "ampicillin", {"reaction": "throat swelling"}, "critical", "same class"),
    ("cefazolin", "cephalosporins", {}, "warning", "same class"),
    ("ceftriaxone", "Keflex", {}, "warning", "same class"),
    ("meropenem", "beta-lactams", {}, "warning", "same class"),
    ("naproxen", "NSAIDs", {"severity": "severe"}, "critical", "same class"),
    ("naproxen", "ibuprofen", {"severity": "mild"}, "warning", "same class"),
    ("celecoxib", "aspirin", {}, "warning", "same class"),
    ("Pepto-Bismol", "aspirin", {}, "warning", "same class"),
    ("NSAID", "ibuprofen", {}, "warning", "same class"),
    ("Septra", "sulfa drugs", {}, "warning", "same class"),
    ("levofloxacin", "Cipro", {}, "warning", "same class"),
    ("ramipril", "lisinopril", {"reaction": "angioedema"}, "critical", "same class"),
    ("atorvastatin", "statins", {}, "warning", "same class"),
    # similar side chains
    ("cephalexin", "amoxicillin", {"severity": "severe"}, "warning", "cross-reactive"),
    ("cefadroxil", "ampicillin", {}, "warning", "cross-reactive"),
    ("cefaclor", "penicillin", {"reaction": "anaphylaxis"}, "warning", "cross-reactive"),
    ("amoxicillin", "cefprozil", {}, "warning", "cross-reactive"),
    ("aztreonam", "ceftazidime", {}, "warning", "cross-reactive"),
    # unknown to the table, but the same words
    ("Zorblax 5 mg", "zorblax", {}, "critical", "exact"),
    ("Aspirin 325 MG / Carisoprodol 200 MG", "carisoprodol", {}, "critical", "exact"),
]


@pytest.mark.parametrize(("drug", "substance", "more", "severity", "grade"), ALARMS)
def test_a_conflict_is_graded(drug, substance, more, severity, grade):
    assert found([med(drug)], [allergy(substance, **more)]) == [(severity, grade)]


SILENCES = [
    ("amoxicillin", "azithromycin"),
    ("azithromycin", "penicillin"),
    ("ceftriaxone", "penicillin"),
    ("cefazolin", "amoxicillin"),
    ("cefalexin", "piperacillin"),
    ("cephalexin", "penicillin V"),
    ("amoxicillin", "cefazolin"),
    ("aztreonam", "penicillin"),
    ("meropenem", "amoxicillin"),
    ("acetaminophen", "ibuprofen"),
    ("Tylenol", "NSAIDs"),
    ("furosemide", "sulfa"),
    ("hydrochlorothiazide", "Bactrim"),
    ("morphine sulfate", "sulfa"),
    ("ferrous sulfate", "sulfa"),
    ("rosuvastatin", "atorvastatin"),
    ("oxycodone", "codeine"),
    ("trimethoprim", "sulfa"),
    ("losartan", "lisinopril"),
    ("doxycycline", "penicillin"),
    ("metformin 500 mg XR", "penicillin"),
    ("amoxicillin", "NKDA"),
    ("amoxicillin", "no known drug allergies"),
    ("Zorblax", "none"),
    ("cetirizine", "peanuts"),
    ("Zorblax", "pollen"),
]


@pytest.mark.parametrize(("drug", "substance"), SILENCES)
def test_no_conflict_is_silent(drug, substance):
    assert found([med(drug)], [allergy(substance)]) == []


@pytest.mark.parametrize("category", ["food", "environment", "other"])
def test_an_allergy_that_is_no_drugs_never_says_not_checked(category):
    assert found([med("Zorblax")], [allergy("quuxberry", category)]) == []


@pytest.mark.parametrize(
    ("status", "stopped_on", "expected"),
    [
        ("taking", None, [("critical", "exact")]),
        ("prescribed", None, [("critical", "exact")]),
        ("considered", None, [("warning", "exact")]),
        ("stopped", None, []),
        ("taking", date(2026, 11, 20), []),
        ("taking", date(2026, 11, 21), [("critical", "exact")]),
        ("taking", date(2026, 11, 30), [("critical", "exact")]),
    ],
)
def test_what_is_in_scope(status, stopped_on, expected):
    drug = med("amoxicillin", status, stopped_on=stopped_on)
    assert found([drug], [allergy("amoxicillin")]) == expected


def test_the_sentence_names_both_sides_and_the_reaction():
    drug, known = med("Amoxicillin"), allergy("penicillin", reaction="anaphylaxis")
    (alert,) = find_conflicts([drug], [known], TODAY)
    assert (
        alert.summary == "Amoxicillin conflicts with the recorded penicillin allergy (anaphylaxis)"
    )
    assert alert.evidence == [drug, known]
    assert alert.basis == ["drug:amoxicillin", "drug:penicillin", "class:penicillins"]
    assert alert.unknown == []
    assert alert.action


def test_an_idea_is_called_one():
    (alert,) = find_conflicts([med("Amoxicillin", "considered")], [allergy("penicillin")], TODAY)
    assert alert.summary == (
        "Amoxicillin, an idea so far, would conflict with the recorded penicillin allergy"
    )
    assert alert.severity == "warning"


def test_what_nobody_said_is_named():
    (alert,) = find_conflicts([med("amoxicillin")], [allergy("penicillin")], TODAY)
    assert "severity of the penicillin reaction" in alert.unknown
    (alert,) = find_conflicts([med("cephalexin")], [allergy("penicillin")], TODAY)
    assert "which of the penicillins it was" in alert.unknown


def test_an_unknown_allergen_is_reported_once_and_only_beside_a_medication():
    drugs = [med("metformin"), med("lisinopril")]
    (alert,) = find_conflicts(drugs, [allergy("quuxamab", "medication")], TODAY)
    assert (alert.severity, alert.grade) == ("info", "not checked")
    assert "quuxamab" in alert.summary
    assert found([], [allergy("quuxamab")]) == []
    assert found([med("metformin", "stopped")], [allergy("quuxamab")]) == []


def test_the_order_of_arrival_does_not_matter():
    drugs = [med("amoxicillin"), med("Zorblax"), med("cephalexin"), med("naproxen")]
    known = [allergy("penicillin", reaction="hives"), allergy("aspirin"), allergy("quuxamab")]
    expected = find_conflicts(drugs, known, TODAY)
    assert [a.severity for a in expected] == ["warning", "warning", "warning", "info"]
    for some_drugs in itertools.permutations(drugs):
        for some_known in itertools.permutations(known):
            assert find_conflicts(list(some_drugs), list(some_known), TODAY) == expected
