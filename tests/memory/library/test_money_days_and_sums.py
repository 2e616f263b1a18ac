"""Days of repeated payments, calendar periods, money counted once, and words for speakers."""

from datetime import date, timedelta
from decimal import Decimal

from domains.finance.schema import Charge, Payment
from domains.people.schema import Person
from domains.preferences.schema import Order
from uac import (
    calendar_bounds,
    calendar_words,
    counted_once,
    first_payment_day,
    names_by_id,
    outgoings,
    payment_days,
    speaker_words,
)


def kept(payments=(), charges=(), orders=()):
    return [one.record.id for one in counted_once(outgoings(payments, charges, orders, [], []))]


def payment(name="p", amount="20", on=date(2026, 3, 2), **more):
    return Payment(id=name, what=name, amount=Decimal(amount), on=on, **more)


def test_the_31st_and_the_leap_day_come_back_after_shorter_months():
    days = payment_days(date(2024, 1, 31), "monthly", None, date(2024, 2, 1), date(2024, 4, 30))
    assert days == [date(2024, 2, 29), date(2024, 3, 31), date(2024, 4, 30)]
    leap = payment_days(date(2024, 2, 29), "yearly", None, date(2025, 1, 1), date(2028, 12, 31))
    assert leap[0] == date(2025, 2, 28)
    assert leap[-1] == date(2028, 2, 29)


def test_every_start_finds_the_day_that_counting_one_by_one_finds():
    first = date(2023, 12, 31)
    for repeats in ("weekly", "fortnightly", "monthly", "quarterly", "yearly"):
        every = payment_days(first, repeats, None, first, date(2026, 12, 31))
        for step in range(0, 900, 7):
            start = first - timedelta(days=10) + timedelta(days=step)
            expected = next(day for day in every if day >= start)
            assert first_payment_day(first, repeats, None, start) == expected


def test_it_ends_with_its_last_day_and_with_the_calendar():
    first = date(2026, 1, 31)
    assert payment_days(first, "monthly", date(2026, 2, 27), first, date.max) == [first]
    assert payment_days(first, None, date(2025, 1, 1), first, date.max) == [first]
    for repeats in ("weekly", "monthly", "yearly"):
        assert payment_days(date.max, repeats, None, date.min, date.max) == [date.max]
    assert first_payment_day(first, "weekly", first, date(2026, 2, 1)) is None


def test_calendar_periods():
    assert calendar_bounds(date(2027, 1, 1), "week") == (date(2026, 12, 28), date(2027, 1, 3))
    assert calendar_bounds(date(2024, 2, 10), "month") == (date(2024, 2, 1), date(2024, 2, 29))
    assert calendar_bounds(date(2025, 2, 10), "year") == (date(2025, 1, 1), date(2025, 12, 31))
    assert calendar_bounds(date.max, "week")[1] == date.max
    assert calendar_bounds(date.min, "week")[0] == date.min
    assert calendar_words(date(2026, 3, 6), "week") == "in the week of Monday, March 2, 2026"
    assert calendar_words(date(2026, 3, 6), "month") == "in March 2026"
    assert calendar_words(date(2026, 3, 6), "day") == "on Friday, March 6, 2026"


def test_an_order_its_payment_and_its_charge_are_one_sum():
    order = Order(id="o", what="P", price=Decimal(20), on=date(2026, 3, 20), status="ordered")
    charge = Charge(id="c", what="p", amount=Decimal("20.00"), on=date(2026, 3, 4))
    assert kept([payment()], [charge], [order]) == ["p"]


def test_what_only_looks_alike_is_counted_twice():
    far = Charge(id="c", what="p", amount=Decimal(20), on=date(2026, 5, 4))
    other = Charge(id="c", what="something else", amount=Decimal(20), on=date(2026, 3, 4))
    payees = Charge(id="c", what="p", amount=Decimal(20), on=date(2026, 3, 4), payee="ann")
    assert kept([payment()], [far]) == ["p", "c"]
    assert kept([payment()], [other]) == ["p", "c"]
    assert kept([payment(payee="tom")], [payees]) == ["p", "c"]
    assert kept([payment(), payment("q")]) == ["p", "q"]


def test_one_payment_stands_for_one_charge_and_a_repeated_one_for_many():
    charges = [
        Charge(id=f"c{n}", what="p", amount=Decimal(20), on=date(2026, 3, n)) for n in (3, 4)
    ]
    assert kept([payment()], charges) == ["p", "c4"]
    assert kept([payment(repeats="weekly")], charges) == ["p"]


def test_a_firm_order_stands_before_the_idea_of_its_payment():
    order = Order(id="o", what="p", price=Decimal(20), on=date(2026, 3, 2), status="ordered")
    assert kept([payment(status="considering")], orders=[order]) == ["o"]


def test_what_was_over_before_a_day_is_left_out():
    found = [
        payment("old", on=date(2025, 1, 1)),
        payment("on", on=date(2025, 1, 1), repeats="monthly"),
        payment("ended", on=date(2025, 1, 1), repeats="monthly", repeats_until=date(2025, 2, 1)),
        payment("undated", on=None),
        payment("failed", status="failed"),
    ]
    money_out = outgoings(found, [], [], [], [], date(2026, 1, 1))
    assert [one.record.id for one in money_out] == ["on", "undated"]


def test_words_for_who_said_something():
    names = names_by_id([Person(id="dana", name="Dana")])
    assert speaker_words(names, "dana") == "Dana"
    assert speaker_words(names, None) == speaker_words(names, "me") == "the person"
    assert speaker_words({"me": "Kim"}, None) == "Kim"
    assert speaker_words(names, "gone") == "somebody no longer on record"
