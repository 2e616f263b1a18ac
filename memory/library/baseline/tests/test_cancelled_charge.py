from datetime import date
from decimal import Decimal

from domains.finance.schema import Charge, Contract
from rules.cancelled_charge import find_charges_after_end

CHARGED_TODAY = date(2026, 3, 12)


def charges_of(on, contract=None, **more):
    gym = contract or Contract(
        id="gym",
        name="gym",
        status="cancelled",
        cancel_decided_on=date(2026, 1, 20),
        ends_on=date(2026, 2, 28),
    )
    charge = Charge(id="fee", what="fee", amount=Decimal(30), on=on, contract="gym", **more)
    return find_charges_after_end([charge], [gym], {}, {}, CHARGED_TODAY)


def test_between_decision_and_end_it_is_owed():
    assert charges_of(date(2026, 1, 21)) == []
    assert charges_of(date(2026, 2, 28)) == []
    assert [a.summary for a in charges_of(date(2026, 3, 1))] == [
        (
            "Fee ($30) for gym was charged on Sunday, March 1, 2026, 1 day after the last day,"
            " Saturday, February 28, 2026; cancelled on January 20, 2026"
        )
    ]


def test_the_time_it_is_for_counts_more_than_its_day():
    assert charges_of(date(2026, 3, 9), for_period_from=date(2026, 2, 1)) == []
    early = charges_of(date(2026, 2, 20), for_period_from=date(2026, 3, 1))
    assert len(early) == 1
    assert "for the time from March 1, 2026" in early[0].summary


def test_refunded_and_old_charges_are_silent():
    assert charges_of(date(2026, 3, 1), status="refunded") == []
    old = Contract(id="gym", name="gym", status="cancelled", ends_on=date(2025, 10, 31))
    assert charges_of(date(2025, 12, 11), old) == []
    assert len(charges_of(date(2025, 12, 12), old)) == 1


def test_without_a_last_day_only_what_follows_the_decision_is_unsure():
    gym = Contract(id="gym", name="gym", status="cancelled", cancel_decided_on=date(2026, 2, 15))
    assert charges_of(date(2026, 2, 15), gym) == []
    found = charges_of(date(2026, 2, 16), gym)
    assert [(a.severity, a.grade) for a in found] == [("info", "not checked")]
    running = Contract(id="gym", name="gym", status="to cancel")
    assert charges_of(date(2026, 2, 16), running) == []


def test_a_term_that_is_renewed_has_no_end():
    day = date(2026, 2, 28)
    lease = Contract(id="gym", name="gym", ends_on=day, renews_on=date(2026, 3, 1))
    assert charges_of(date(2026, 3, 5), lease) == []
    ended = Contract(id="gym", name="gym", ends_on=day)
    assert [a.unknown for a in charges_of(date(2026, 3, 5), ended)] == [
        ["whether the contract was continued"]
    ]
