from datetime import date

from domains.health.schema import Intake, Medication
from rules.drug_interaction import find_drug_interactions

INTERACTION_TODAY = date(2026, 3, 2)


def drug(name, status="taking", started_on=None, stopped_on=None):
    return Medication(
        id=name.casefold(), name=name, status=status, started_on=started_on, stopped_on=stopped_on
    )


def interactions(drugs, foods=None, today=INTERACTION_TODAY):
    found = find_drug_interactions(drugs, foods or [], today)
    return [(alert.severity, alert.grade) for alert in found]


CONTRAINDICATED = ("critical", "contraindicated")


def test_a_contraindicated_pair_is_critical_in_either_order():
    pairs = [
        ("Nardil", "Zoloft"),
        ("linezolid", "fluoxetine"),
        ("febuxostat", "azathioprine"),
        ("tizanidine", "ciprofloxacin"),
        ("simvastatin", "itraconazole"),
        ("Viagra", "isosorbide dinitrate"),
        ("naltrexone", "oxycodone"),
        ("ziprasidone", "dofetilide"),
    ]
    for first, second in pairs:
        assert interactions([drug(first), drug(second)]) == [CONTRAINDICATED]
        assert interactions([drug(second), drug(first)]) == [CONTRAINDICATED]


def test_pairs_of_the_same_names_that_do_not_matter_are_silent():
    pairs = [
        ("rosuvastatin", "itraconazole"),
        ("allopurinol", "febuxostat"),
        ("tizanidine", "levofloxacin"),
        ("naltrexone", "ibuprofen"),
        ("sertraline", "sumatriptan"),
        ("apixaban", "aspirin"),
        ("sertraline", "escitalopram"),
        ("ziprasidone", "ziprasidone 40 mg"),
        ("metronidazole gel", "warfarin"),
    ]
    for first, second in pairs:
        assert interactions([drug(first), drug(second)]) == []


def test_an_idea_is_at_most_a_warning():
    assert interactions([drug("Nardil"), drug("Zoloft", "considered")]) == [
        ("warning", "contraindicated")
    ]


def test_the_wash_out_ends_on_its_day():
    gone = drug("Nardil", "stopped", stopped_on=date(2026, 2, 20))
    taken = drug("Zoloft", started_on=date(2026, 2, 26))
    assert interactions([gone, taken], today=date(2026, 3, 5)) == [CONTRAINDICATED]
    assert interactions([gone, taken], today=date(2026, 3, 6)) == []
    (alert,) = find_drug_interactions([gone, taken], [], date(2026, 3, 5))
    assert alert.summary == "Zoloft is too soon after Nardil: not before Friday, March 6, 2026"
    assert "6 days after" in alert.detail


def test_a_stop_without_a_date_is_not_checked_where_it_matters():
    assert interactions([drug("Nardil", "stopped"), drug("Zoloft")]) == [("info", "not checked")]
    assert interactions([drug("clarithromycin", "stopped"), drug("Zocor")]) == []
    assert interactions([drug("Nardil", "stopped"), drug("Zoloft", "stopped")]) == []


def test_foods_count_unless_they_are_avoided():
    wine = Intake(id="wine", what="red wine", category="alcohol")
    avoided = Intake(id="wine", what="red wine", category="alcohol", status="avoided")
    juice = Intake(id="juice", what="grapefruit juice")
    assert interactions([drug("disulfiram")], [wine]) == [CONTRAINDICATED]
    assert interactions([drug("disulfiram")], [avoided]) == []
    assert interactions([drug("simvastatin")], [juice]) == [("warning", "caution")]
    assert interactions([drug("pravastatin")], [juice, wine]) == []


def test_an_unknown_drug_is_another_rules_word():
    assert interactions([drug("Zorblax"), drug("warfarin")]) == []
