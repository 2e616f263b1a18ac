from datetime import date

from domains.health.schema import Medication, Pregnancy
from rules.drug_pregnancy import find_pregnancy_cautions
from uac import PartialDate

PREGNANCY_TODAY = date(2026, 3, 2)


def cautions(name, state="pregnant", status="taking", due_on=None, ended_on=None):
    medication = Medication(id="m", name=name, status=status)
    pregnancy = Pregnancy(id="p", status=state, due_on=due_on, ended_on=ended_on)
    found = find_pregnancy_cautions([medication], [pregnancy], PREGNANCY_TODAY)
    return [(alert.severity, alert.grade) for alert in found]


def test_a_drug_that_harms_the_child_is_critical():
    for name in ["lisinopril", "Diovan", "warfarin", "isotretinoin", "methotrexate", "Depakote"]:
        assert cautions(name) == [("critical", "contraindicated")]


def test_other_drugs_are_silent():
    for name in ["atorvastatin", "Tylenol", "labetalol", "insulin", "amoxicillin", "tretinoin"]:
        assert cautions(name) == []


def test_a_hope_and_an_idea_are_at_most_a_warning():
    assert cautions("warfarin", "trying") == [("warning", "contraindicated")]
    assert cautions("warfarin", status="considered") == [("warning", "contraindicated")]


def test_what_is_over_is_silent():
    assert cautions("warfarin", "ended") == []
    assert cautions("warfarin", ended_on=date(2026, 3, 1)) == []
    assert cautions("warfarin", status="stopped") == []


def test_a_record_long_past_its_due_date_is_doubted():
    assert cautions("warfarin", due_on=date(2026, 1, 31)) == [("warning", "contraindicated")]
    assert cautions("warfarin", due_on=date(2026, 2, 20)) == [("critical", "contraindicated")]


def test_breastfeeding_has_its_own_list():
    assert cautions("codeine", "breastfeeding") == [("warning", "caution")]
    assert cautions("lisinopril", "breastfeeding") == []
    assert cautions("codeine") == []


def test_an_unknown_drug_is_another_rules_word():
    assert cautions("Zorblax") == []


def test_the_words():
    medication = Medication(id="m", name="Zestril", prescriber="Dr. Albers")
    pregnancy = Pregnancy(id="p", status="pregnant", since=PartialDate(2026, 1))
    (alert,) = find_pregnancy_cautions([medication], [pregnancy], PREGNANCY_TODAY)
    assert alert.summary == "Zestril is taken, but its label warns against it in pregnancy"
    assert "Zestril (lisinopril) is taken, prescribed by Dr. Albers." in alert.detail
    assert "A pregnancy is recorded since January 2026." in alert.detail
    assert alert.basis == ["caution:ace-inhibitors", "drug:lisinopril"]
