from datetime import date

from domains.commitments.schema import Commitment
from domains.documents.schema import Document
from domains.finance.schema import Contract
from domains.schedule.schema import Engagement
from rules.commitment_due import CommitmentRecords, find_commitments_due
from uac import deadline_of


def router(**more):
    return Commitment(id="router", title="return the router", **more)


def due_alerts(found, today, **records):
    return find_commitments_due(found, CommitmentRecords(**records), today)


def test_a_day_counted_from_another_day():
    def due(**more):
        found = deadline_of(router(**more))
        return found and found.due

    assert due(counts_from_on=date(2026, 1, 31), offset_months=1) == date(2026, 2, 28)
    assert due(counts_from_on=date(2028, 1, 31), offset_months=1) == date(2028, 2, 29)
    assert due(counts_from_on=date(2028, 2, 29), offset_months=12) == date(2029, 2, 28)
    assert due(counts_from_on=date(2026, 8, 31), offset_days=-60) == date(2026, 7, 2)
    assert due(counts_from_on=date(2026, 1, 31), offset_months=1, offset_days=1) == date(2026, 3, 1)
    assert due(counts_from="delivery", offset_days=30) is None


def test_a_third_of_the_period_is_the_time_of_warning():
    month = router(counts_from="delivery", counts_from_on=date(2026, 2, 18), offset_days=30)
    assert due_alerts([month], date(2026, 3, 9)) == []
    assert [a.summary for a in due_alerts([month], date(2026, 3, 10))] == [
        "Return the router: due Friday, March 20, 2026, 30 days after delivery"
    ]
    assert [a.severity for a in due_alerts([month], date(2026, 4, 19))] == ["warning"]
    assert due_alerts([month], date(2026, 4, 20)) == []


def test_an_unknown_period_is_information_before_it_is_a_warning():
    stated = router(due_on=date(2026, 3, 31))
    assert due_alerts([stated], date(2026, 2, 28)) == []
    assert [a.severity for a in due_alerts([stated], date(2026, 3, 20))] == ["info"]
    assert [a.severity for a in due_alerts([stated], date(2026, 3, 21))] == ["warning"]


def test_done_and_dropped_are_silent():
    today = date(2026, 3, 31)
    assert due_alerts([router(due_on=today, status="done")], today) == []
    assert due_alerts([router(due_on=today, status="dropped")], today) == []
    assert due_alerts([router(due_on=today, done_on=today)], today) == []


def test_the_text_does_not_change_from_day_to_day():
    stated = router(due_on=date(2026, 3, 31), said_on=date(2026, 3, 1))
    texts = [due_alerts([stated], date(2026, 3, day)) for day in range(21, 32)]
    assert [alert for alert in texts if alert != texts[0]] == []


def test_commitments_on_one_contract_and_day_are_one_alert():
    plan = Contract(id="plan", name="Streamly")
    first = router(due_on=date(2026, 3, 31), contract="plan")
    second = Commitment(id="b", title="tell Ana", due_on=date(2026, 3, 31), contract="plan")
    found = due_alerts([first, second], date(2026, 3, 30), contracts={"plan": plan})
    assert [[record.id for record in a.evidence] for a in found] == [["b", "router", "plan"]]
    second.due_on = date(2026, 4, 1)
    assert len(due_alerts([first, second], date(2026, 3, 30), contracts={"plan": plan})) == 2


def test_a_document_brings_its_commitment_forward():
    paper = Document(id="d", name="licence", expires_on=date(2026, 3, 31), renewal="holder")
    renew = router(due_on=date(2026, 3, 26), said_on=date(2026, 3, 1), document="d")
    assert due_alerts([renew], date(2026, 3, 2)) == []
    found = due_alerts([renew], date(2026, 3, 2), documents={"d": paper})
    assert [[record.id for record in a.evidence] for a in found] == [["router", "d"]]


def test_the_day_of_an_engagement_is_an_anchor():
    scan = Engagement(id="scan", title="MRI", on=date(2026, 3, 16))
    letter = router(engagement="scan", offset_days=-3)
    today = date(2026, 3, 13)
    assert len(due_alerts([letter], today, engagements={"scan": scan})) == 1
    scan.status = "cancelled"
    assert due_alerts([letter], today, engagements={"scan": scan}) == []
