from datetime import date
from decimal import Decimal

from domains.commitments.schema import Commitment
from domains.finance.schema import Contract
from rules.contract_renewal import find_contract_renewals


def renewals_of(today, reminders=(), **fields):
    contract = Contract(id="gym", name="gym", **fields)
    return find_contract_renewals([contract], list(reminders), {}, {}, today)


def test_the_warning_begins_a_third_of_the_time_before():
    decided, day = date(2026, 3, 2), date(2026, 3, 14)

    def on(today):
        return renewals_of(today, trial_ends_on=day, cancel_decided_on=decided, status="to cancel")

    assert on(date(2026, 3, 9)) == []
    assert [a.severity for a in on(date(2026, 3, 10))] == ["warning"]
    assert on(date(2026, 3, 10)) == on(date(2026, 3, 14))


def test_it_speaks_for_thirty_days_of_what_went_on():
    day = date(2026, 3, 30)
    found = renewals_of(date(2026, 4, 29), renews_on=day, status="to cancel")
    assert ["went on by itself" in a.summary for a in found] == [True]
    assert renewals_of(date(2026, 4, 30), renews_on=day, status="to cancel") == []


def test_only_a_trial_is_told_of_where_nobody_wants_to_cancel():
    today, day = date(2026, 3, 28), date(2026, 3, 31)
    assert renewals_of(today, renews_on=day) == []
    assert [a.severity for a in renewals_of(today, trial_ends_on=day)] == ["info"]
    assert renewals_of(today, trial_ends_on=day, amount=Decimal(0)) == []
    assert renewals_of(today, trial_ends_on=day, status="cancelled") == []


def test_a_commitment_in_time_reminds_instead():
    today, day = date(2026, 3, 10), date(2026, 3, 20)

    def with_commitment(**fields):
        one = Commitment(id="c", title="cancel the gym", contract="gym", **fields)
        return renewals_of(today, [one], renews_on=day, status="to cancel")

    assert with_commitment(due_on=day) == []
    assert with_commitment(counts_from_on=date(2026, 1, 31), offset_months=1) == []
    assert len(with_commitment(due_on=date(2026, 3, 21))) == 1
    assert len(with_commitment(due_on=day, status="done")) == 1
    assert len(with_commitment()) == 1
    assert len(with_commitment(due_on=day, done_on=today)) == 1
    assert len(with_commitment(due_on=day, by_whom="ann")) == 1
    assert len(with_commitment(due_on=day, thing="key")) == 1
    assert with_commitment(due_on=day, by_whom="me") == []
    assert with_commitment(due_on=date(2026, 2, 8)) == []
    assert len(with_commitment(due_on=date(2026, 2, 7))) == 1


def test_an_unknown_day_is_not_checked():
    found = renewals_of(date(2026, 3, 10), status="to cancel")
    assert [(a.severity, a.grade) for a in found] == [("info", "not checked")]
    assert renewals_of(date(2026, 3, 10), status="to cancel", ends_on=date(2026, 4, 1)) == []
