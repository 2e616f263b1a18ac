from datetime import date

from domains.health.schema import Medication
from rules.duplicate_therapy import find_duplicates

DUPLICATE_TODAY = date(2026, 3, 2)


def taken(name, status="taking", started_on=None, stopped_on=None):
    return Medication(
        id=name.casefold(), name=name, status=status, started_on=started_on, stopped_on=stopped_on
    )


def duplicates(names):
    found = find_duplicates([taken(name) for name in names], [], DUPLICATE_TODAY)
    return [(alert.severity, alert.grade) for alert in found]


def test_the_same_ingredient_in_two_products():
    assert duplicates(["Percocet", "Tylenol"]) == [("warning", "same ingredient")]
    assert duplicates(["Zocor 20 mg", "simvastatin 20 mg"]) == [("warning", "same ingredient")]


def test_two_of_one_kind():
    for pair in [["Advil", "naproxen"], ["lisinopril", "losartan"], ["Prilosec", "pantoprazole"]]:
        assert duplicates(pair) == [("warning", "same kind")]


def test_what_is_meant_together_is_silent():
    sets = [
        ["Lantus", "Humalog"],
        ["aspirin 81 mg", "ibuprofen"],
        ["hydrocortisone cream", "hydrocortisone 10 mg tablet"],
        ["diclofenac gel", "naproxen"],
        ["lisinopril", "amlodipine", "metoprolol"],
        ["Zorblax", "Quuxamab"],
    ]
    for names in sets:
        assert duplicates(names) == []


def test_what_may_be_meant_is_milder():
    mild = [("info", "same ingredient")]
    assert duplicates(["lisinopril", "Lisinopril 10 mg tablets"]) == mild
    assert duplicates(["levothyroxine 100 mcg", "levothyroxine 25 mcg"]) == mild
    assert duplicates(["morphine ER 30 mg", "morphine 10 mg"]) == mild
    idea = [taken("sertraline"), taken("escitalopram", "considered")]
    (alert,) = find_duplicates(idea, [], DUPLICATE_TODAY)
    assert alert.severity == "info"
    assert "only an idea so far" in alert.detail


def test_courses_that_follow_each_other():
    first = taken("naproxen", stopped_on=date(2026, 3, 31))
    second = taken("meloxicam", "prescribed", started_on=date(2026, 4, 1))
    assert find_duplicates([first, second], [], DUPLICATE_TODAY) == []
    second = taken("meloxicam", "prescribed", started_on=date(2026, 3, 31))
    assert len(find_duplicates([first, second], [], DUPLICATE_TODAY)) == 1


def test_three_are_told_once():
    drugs = [taken("Advil"), taken("ibuprofen 400 mg"), taken("Motrin")]
    (alert,) = find_duplicates(drugs, [], DUPLICATE_TODAY)
    assert alert.evidence == drugs
    assert alert.summary == "Advil, ibuprofen 400 mg and 1 more hold the same drug: ibuprofen"
