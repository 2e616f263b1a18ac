from datetime import date
from decimal import Decimal

from domains.health.schema import DoseLimit, Medication
from domains.people.schema import Person
from rules.dose_limit import find_doses_over_limits

DOSE_TODAY = date(2026, 3, 2)


def dosed(name, amount=None, unit=None, times=None, status="taking"):
    return Medication(
        id=name.casefold(),
        name=name,
        status=status,
        amount=None if amount is None else Decimal(amount),
        unit=unit,
        times_a_day=None if times is None else Decimal(times),
    )


def at_most(substance, amount, unit="mg", per="day", until=None):
    return DoseLimit(
        id="limit",
        substance=substance,
        amount=Decimal(amount),
        unit=unit,
        per=per,
        set_by="albers",
        set_on=date(2026, 2, 3),
        until=until,
    )


def judged(drugs, limit):
    found = find_doses_over_limits(
        drugs, [limit], [Person(id="albers", name="Dr. Albers")], DOSE_TODAY
    )
    return [(alert.severity, alert.grade) for alert in found]


def test_above_the_limit_is_critical_and_at_it_is_silent():
    limit = at_most("acetaminophen", "3000")
    assert judged([dosed("Tylenol", "1", "g", "4")], limit) == [("critical", "over the limit")]
    assert judged([dosed("Tylenol", "1", "g", "3")], limit) == []
    assert judged([dosed("ibuprofen", "800", "mg", "5")], limit) == []


def test_the_sentence_names_who_set_it():
    drugs = [dosed("Tylenol", "1", "g", "4")]
    persons = [Person(id="albers", name="Dr. Albers")]
    (alert,) = find_doses_over_limits(drugs, [at_most("Tylenol", "3000")], persons, DOSE_TODAY)
    assert (
        alert.summary == "Tylenol comes to 4,000 mg a day, 1,000 mg over the limit Dr. Albers set"
    )
    assert "set by Dr. Albers on Tuesday, February 3, 2026" in alert.detail


def test_products_with_the_same_ingredient_are_added_up():
    drugs = [dosed("ibuprofen", "400", "mg", "2"), dosed("Advil", "200", "mg", "3")]
    assert judged(drugs, at_most("ibuprofen", "1.2", "g")) == [("critical", "over the limit")]
    assert judged(drugs, at_most("ibuprofen", "1.4", "g")) == []
    assert judged(drugs, at_most("ibuprofen", "400", per="dose")) == []
    assert len(judged(drugs, at_most("ibuprofen", "399999", "mcg", per="dose"))) == 1


def test_an_idea_is_at_most_a_warning():
    drugs = [dosed("metformin", "1000", "mg", "3", "considered")]
    assert judged(drugs, at_most("metformin", "2000")) == [("warning", "over the limit")]


def test_what_is_missing_is_named():
    limit = at_most("ibuprofen", "1200")
    unchecked = [("info", "not checked")]
    assert judged([dosed("ibuprofen", "400", "mg")], limit) == unchecked
    assert judged([dosed("ibuprofen")], limit) == unchecked
    assert judged([dosed("ibuprofen", "10", "mL", "2")], limit) == unchecked
    assert judged([dosed("Advil PM", "400", "mg", "1")], limit) == unchecked
    assert judged([dosed("naproxen")], limit) == []


def test_a_limit_that_ran_out_is_silent():
    drugs = [dosed("Tylenol", "1", "g", "4")]
    over = at_most("Tylenol", "3000", until=date(2026, 3, 1))
    assert judged(drugs, over) == []
    assert len(judged(drugs, at_most("Tylenol", "3000", until=date(2026, 3, 2)))) == 1
