from datetime import date

from domains.health.schema import Medication
from domains.people.schema import Person
from domains.preferences.schema import Prohibition
from rules.prohibited_drug import find_forbidden_drugs

DRUG_BAN_TODAY = date(2026, 3, 2)


def forbidden(substance, name, said_by="lee", status="taking", strict=True, for_whom=None):
    ban = Prohibition(
        id="b",
        what=f"no {substance}",
        substance=substance,
        said_by=said_by,
        strict=strict,
        for_whom=for_whom or [],
    )
    medication = Medication(id="m", name=name, status=status)
    persons = [Person(id="lee", name="Dr. Lee")]
    return find_forbidden_drugs([medication], [ban], persons, DRUG_BAN_TODAY)


def test_a_class_forbids_its_members_and_a_drug_not_its_relatives():
    found = forbidden("NSAIDs", "ibuprofen")
    assert [(a.severity, a.grade) for a in found] == [("critical", "same class")]
    assert [a.grade for a in forbidden("ibuprofen", "ibuprofen 400 mg")] == ["exact"]
    assert forbidden("ibuprofen", "naproxen") == []
    assert forbidden("NSAIDs", "metformin") == []


def test_whose_word_it_is_and_how_it_was_meant():
    assert [a.severity for a in forbidden("ibuprofen", "ibuprofen", said_by=None)] == ["warning"]
    assert [a.severity for a in forbidden("NSAIDs", "ibuprofen", strict=False)] == ["info"]
    assert [a.severity for a in forbidden("NSAIDs", "diclofenac gel")] == ["info"]
    assert forbidden("NSAIDs", "ibuprofen", for_whom=["lee"]) == []
    assert [a.severity for a in forbidden("NSAIDs", "ibuprofen", status="considered")] == [
        "warning"
    ]
    assert forbidden("NSAIDs", "ibuprofen", status="stopped") == []


def test_a_bare_penicillin_may_mean_the_class():
    found = forbidden("penicillin", "amoxicillin")
    assert [(a.severity, a.grade) for a in found] == [("warning", "same class")]
    assert found[0].unknown == ["whether all penicillins were meant", "why it was forbidden"]


def test_a_substance_that_the_table_does_not_know_is_not_checked():
    assert forbidden("NSAIDs", "Zorblaxine") == []
    found = forbidden("Quuxamab", "metformin")
    assert [(a.severity, a.grade) for a in found] == [("info", "not checked")]
    assert [a.grade for a in forbidden("Quuxamab", "Quuxamab")] == ["exact"]
