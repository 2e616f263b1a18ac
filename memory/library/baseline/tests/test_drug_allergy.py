from datetime import date

from domains.health.schema import Allergy, Medication
from rules.drug_allergy import find_conflicts
from uac import PartialDate

DRUG_TODAY = date(2026, 11, 21)


def conflicts(drug, substance, status="taking", reaction=None):
    medication = Medication(id="m", name=drug, status=status)
    allergy = Allergy(id="a", substance=substance, reaction=reaction)
    found = find_conflicts([medication], [allergy], DRUG_TODAY)
    return [(alert.severity, alert.grade) for alert in found]


def test_the_same_ingredient_is_critical():
    assert conflicts("Amoxil 500 mg", "amoxicillin") == [("critical", "exact")]


def test_the_same_class_is_critical_after_a_severe_reaction():
    assert conflicts("amoxicillin", "penicillin", reaction="hives") == [("warning", "same class")]
    assert conflicts("amoxicillin", "PCN", reaction="anaphylaxis") == [("critical", "same class")]


def test_a_similar_side_chain_is_a_warning():
    assert conflicts("cephalexin", "amoxicillin") == [("warning", "cross-reactive")]
    assert conflicts("ceftriaxone", "amoxicillin") == []


def test_an_idea_is_at_most_a_warning_and_a_stopped_drug_is_silent():
    assert conflicts("amoxicillin", "amoxicillin", "considered") == [("warning", "exact")]
    assert conflicts("amoxicillin", "amoxicillin", "stopped") == []


def test_a_substance_that_the_table_does_not_know_is_not_checked():
    assert conflicts("Zorblax", "penicillin") == []
    assert conflicts("metformin", "quuxamab") == [("info", "not checked")]


def test_a_known_and_safe_drug_is_silent():
    assert conflicts("metformin", "penicillin") == []
    assert conflicts("acetaminophen", "NSAIDs") == []
    assert conflicts("metformin", "peanuts") == []


def test_the_sentence():
    medication = Medication(id="m", name="Amoxicillin")
    allergy = Allergy(id="a", substance="penicillin", reaction="anaphylaxis")
    found = find_conflicts([medication], [allergy], DRUG_TODAY)
    assert found[0].summary == (
        "Amoxicillin conflicts with the recorded penicillin allergy (anaphylaxis)"
    )
    assert found[0].basis == ["drug:amoxicillin", "drug:penicillin", "class:penicillins"]


def test_an_intolerance_is_graded_lower():
    medication = Medication(id="m", name="amoxicillin")
    for substance, severity in [("amoxicillin", "warning"), ("penicillin", "info")]:
        allergy = Allergy(id="a", substance=substance, nature="intolerance", reaction="nausea")
        (alert,) = find_conflicts([medication], [allergy], DRUG_TODAY)
        assert alert.severity == severity
        assert f"{substance} intolerance (nausea)" in alert.summary


def test_a_tolerance_lowers_the_alert_and_is_named():
    allergy = Allergy(id="a", substance="penicillin", severity="severe", tolerated=["amoxicillin"])
    for name, severity in [("Amoxil", "info"), ("ampicillin", "critical")]:
        (alert,) = find_conflicts([Medication(id="m", name=name)], [allergy], DRUG_TODAY)
        assert alert.severity == severity
        assert ("tolerated before" in alert.summary) == (severity == "info")


def test_a_tolerance_before_the_reaction_lowers_nothing():
    for since, severity in [(date(2025, 3, 1), "critical"), (date(2025, 5, 2), "info")]:
        allergy = Allergy(
            id="a",
            substance="penicillin",
            severity="severe",
            noted_on=date(2025, 5, 1),
            tolerated_since=PartialDate(since.year, since.month, since.day),
        )
        (alert,) = find_conflicts([Medication(id="m", name="Amoxil")], [allergy], DRUG_TODAY)
        assert alert.severity == severity
