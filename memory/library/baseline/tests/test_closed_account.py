from datetime import date

from domains.finance.schema import Account, Contract, Payment
from rules.closed_account import find_closed_account_uses

CLOSING_TODAY = date(2026, 3, 4)


CLOSING_DAY = date(2026, 3, 31)


def account_of(status="closing", closes_on=CLOSING_DAY):
    return Account(id="card", name="the card", status=status, closes_on=closes_on)


def uses_of(account, on, **more):
    fields = {"from_account": "card", "status": "scheduled"} | more
    payment = Payment(id="rent", what="rent", on=on, **fields)
    return find_closed_account_uses([account], [payment], [], CLOSING_TODAY)


def test_the_last_day_still_serves_and_the_next_does_not():
    assert uses_of(account_of(), date(2026, 3, 31)) == []
    assert [a.summary for a in uses_of(account_of(), date(2026, 4, 1))] == [
        (
            "Rent is paid from the card on Wednesday, April 1, 2026,"
            " 1 day after its last day, Tuesday, March 31, 2026: it fails"
        )
    ]


def test_money_to_the_account_counts_as_well():
    found = uses_of(account_of(), date(2026, 4, 1), from_account=None, to_account="card")
    assert [a.action for a in found] == ["Send the money to another account."]


def test_what_is_over_or_called_off_is_silent():
    for status in ["done", "failed", "cancelled"]:
        assert uses_of(account_of(), date(2026, 4, 1), status=status) == []
    assert uses_of(account_of("closed", date(2026, 2, 1)), date(2026, 3, 3)) == []


def test_the_first_day_after_the_closing_is_named_as_long_as_it_goes_on():
    found = uses_of(account_of("closed", date(2026, 1, 30)), date(2025, 12, 31), repeats="monthly")
    assert len(found) == 1
    assert "Saturday, January 31, 2026, 1 day after" in found[0].summary
    until = date(2026, 3, 30)
    assert uses_of(account_of(), date(2025, 12, 31), repeats="monthly", repeats_until=until) == []


def test_an_unknown_last_day_is_not_checked():
    found = uses_of(account_of(closes_on=None), date(2026, 4, 1))
    assert [(a.severity, a.grade) for a in found] == [("info", "not checked")]
    assert [a.severity for a in uses_of(account_of("closed", None), date(2026, 4, 1))] == [
        "warning"
    ]
    assert [a.severity for a in uses_of(account_of("frozen"), date(2026, 3, 9))] == ["warning"]


def test_a_contract_that_ends_in_time_is_silent():
    def contract_uses(**more):
        contract = Contract(id="gym", name="gym", account="card", **more)
        return find_closed_account_uses([account_of()], [], [contract], CLOSING_TODAY)

    assert [a.severity for a in contract_uses()] == ["warning"]
    assert [a.severity for a in contract_uses(status="to cancel")] == ["info"]
    assert contract_uses(status="cancelled") == []
    assert contract_uses(ends_on=date(2026, 3, 31)) == []
    assert len(contract_uses(ends_on=date(2026, 4, 1))) == 1
