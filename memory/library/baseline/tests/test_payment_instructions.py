from datetime import date
from decimal import Decimal

from domains.finance.schema import Account, Payment, PaymentInstruction
from rules.payment_instructions import find_instruction_conflicts

ASKED_TODAY = date(2026, 3, 4)
ASKING_PEOPLE = {"tom": "Tom", "ann": "Ann"}


def instruction_of(name, asked_by, day, **more):
    asked_on = date(2026, 3, day) if day else None
    return PaymentInstruction(id=name, payment="rent", asked_by=asked_by, asked_on=asked_on, **more)


def conflicts_of(found, today=ASKED_TODAY, **more):
    fields = {"what": "rent", "on": date(2026, 3, 10), "status": "scheduled"} | more
    known = {name: Account(id=name, name=name) for name in ["old", "new"]}
    known["ours"] = Account(id="ours", name="ours", holder="ann")
    payment = Payment(id="rent", **fields)
    return find_instruction_conflicts(found, [payment], known, ASKING_PEOPLE, today)


def test_two_people_and_two_destinations_are_critical_until_the_money_has_gone():
    found = [
        instruction_of("a", "tom", 1, to_account="old"),
        instruction_of("b", "ann", 2, to_account="new"),
    ]
    assert [a.severity for a in conflicts_of(found)] == ["critical"]
    assert [a.severity for a in conflicts_of(found, status="considering")] == ["warning"]
    assert conflicts_of(found, status="cancelled") == []
    assert conflicts_of(found, status="done") == []
    assert conflicts_of(found[::-1]) == conflicts_of(found)


def test_the_later_word_of_one_person_counts():
    found = [
        instruction_of("b", "tom", 1, to_account="old"),
        instruction_of("a", "tom", 2, to_account="new"),
    ]
    assert conflicts_of(found) == []
    assert conflicts_of(found, to_account="new") == []
    assert len(conflicts_of(found, to_account="old")) == 1


def test_a_later_wish_to_pay_lifts_ones_own_hold_and_not_that_of_another():
    pay = instruction_of("a", "tom", 2, amount=Decimal(50))
    assert conflicts_of([instruction_of("b", "tom", 1, hold=True), pay]) == []
    assert len(conflicts_of([instruction_of("b", "ann", 1, hold=True), pay])) == 1


def test_the_person_and_nobody_named_are_the_same():
    found = [
        instruction_of("a", None, 1, to_account="old"),
        instruction_of("b", "me", 2, to_account="new"),
    ]
    assert conflicts_of(found) == []


def test_an_account_of_the_payee_is_no_other_destination():
    payee = instruction_of("a", "tom", 1, payee="ann")
    assert conflicts_of([payee, instruction_of("b", "ann", 2, to_account="ours")]) == []
    assert conflicts_of([payee, instruction_of("b", "ann", 2, to_account="old")]) == []
    assert len(conflicts_of([payee, instruction_of("b", "ann", 2, payee="tom")])) == 1


def test_done_against_the_wish_is_told_and_not_when_it_was_asked_later():
    wish = instruction_of("a", "tom", 2, to_account="new")
    assert len(conflicts_of([wish], status="done", to_account="old", on=date(2026, 3, 2))) == 1
    assert conflicts_of([wish], status="done", to_account="old", on=date(2026, 3, 1)) == []
    assert conflicts_of([wish], status="done", to_account="new", on=date(2026, 3, 2)) == []


def test_where_nobody_asked_is_told_beside_another_difference():
    found = [
        instruction_of("a", "tom", 1, to_account="new", amount=Decimal(50)),
        instruction_of("b", "ann", 2, to_account="new", amount=Decimal(60)),
    ]
    assert [a.severity for a in conflicts_of(found, to_account="new")] == ["warning"]
    elsewhere = conflicts_of(found, to_account="old")
    assert [a.severity for a in elsewhere] == ["critical"]
    assert "What differs: how much it is, where it goes." in elsewhere[0].detail


def test_the_sentence_of_two_wishes():
    found = [
        instruction_of("a", "tom", 1, to_account="old"),
        instruction_of("b", "ann", None, hold=True),
    ]
    assert [a.summary for a in conflicts_of(found)] == [
        "Rent: Ann asked: to hold it; Tom asked on Sunday, March 1, 2026: to old"
    ]
    assert [a.unknown for a in conflicts_of(found)] == [["when Ann asked"]]
