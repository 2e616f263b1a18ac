from datetime import date
from decimal import Decimal

from domains.finance.schema import Charge, Payment, SpendingLimit
from domains.preferences.schema import Order, Subject
from rules.spending_limit import find_spending_over_limits
from uac import outgoings

SPENDING_TODAY = date(2026, 3, 4)
SPENDING_PEOPLE = {"dana": "Dana", "tom": "Tom"}


def limit_of(amount, per="payment", **more):
    fields = {"what": "limit", "said_by": "dana", "may_exceed": ["dana"]} | more
    return SpendingLimit(id="limit", amount=Decimal(amount), per=per, **fields)


def payment_of(what, amount, **more):
    fields = {"on": date(2026, 3, 10)} | more
    return Payment(id=what, what=what, amount=Decimal(amount), **fields)


def spending_alerts(limit, found, charged=(), ordered=(), about=(), today=SPENDING_TODAY):
    money_out = outgoings(list(found), list(charged), list(ordered), list(about), [])
    return find_spending_over_limits([limit], money_out, SPENDING_PEOPLE, today)


def test_a_payment_at_the_limit_is_silent_and_a_cent_more_is_not():
    assert spending_alerts(limit_of("500"), [payment_of("mower", "500")]) == []
    found = spending_alerts(limit_of("500"), [payment_of("mower", "500.01")])
    assert [a.severity for a in found] == ["warning"]


def test_the_spending_sentence():
    found = spending_alerts(limit_of("500"), [payment_of("mower", "700", ordered_by="tom")])
    assert [a.summary for a in found] == [
        "Mower ($700) on Tuesday, March 10, 2026, ordered by Tom, is $200 over the limit of $500"
        " per payment set by Dana"
    ]
    assert "ordered by Tom" in found[0].detail


def test_who_may_exceed_it_orders_or_approves_in_silence():
    limit = limit_of("500")
    assert spending_alerts(limit, [payment_of("mower", "700", ordered_by="dana")]) == []
    assert spending_alerts(limit, [payment_of("mower", "700", approved_by=["dana"])]) == []
    assert len(spending_alerts(limit, [payment_of("mower", "700", approved_by=["tom"])])) == 1


def test_failed_and_cancelled_payments_have_not_gone():
    for status in ["failed", "cancelled"]:
        assert spending_alerts(limit_of("500"), [payment_of("mower", "700", status=status)]) == []


def test_the_week_runs_from_monday_to_sunday_over_new_year():
    sunday, monday = date(2027, 1, 3), date(2027, 1, 4)
    first = payment_of("fireworks", "70", on=date(2026, 12, 31))
    today = date(2026, 12, 30)
    week = limit_of("100", "week")
    assert len(spending_alerts(week, [first, payment_of("a", "60", on=sunday)], today=today)) == 1
    assert spending_alerts(week, [first, payment_of("a", "60", on=monday)], today=today) == []


def test_a_monthly_payment_of_the_31st_falls_on_the_last_day_of_february():
    plan = payment_of("plan", "60", on=date(2024, 1, 31), repeats="monthly", status="scheduled")
    extra = payment_of("extra", "60", on=date(2024, 2, 29))
    found = spending_alerts(limit_of("100", "month"), [plan, extra], today=date(2024, 2, 10))
    assert len(found) == 1
    assert "$120 in February 2024 with plan" in found[0].summary
    assert "plan, $60, Thursday, February 29, 2024" in found[0].detail


def test_what_the_same_repeated_payments_exceed_is_told_once():
    plan = payment_of("plan", "160", on=date(2025, 3, 5), repeats="monthly")
    assert len(spending_alerts(limit_of("100", "month"), [plan])) == 1
    assert spending_alerts(limit_of("160", "month"), [plan]) == []


def test_a_year_ends_with_december():
    year = limit_of("100", "year")
    last, new = (
        payment_of("a", "60", on=date(2026, 12, 31)),
        payment_of("b", "60", on=date(2027, 1, 1)),
    )
    assert spending_alerts(year, [last, new]) == []
    assert len(spending_alerts(year, [last, payment_of("b", "60")])) == 1


def test_the_narrower_subject_is_meant_and_a_circle_ends():
    about = [
        Subject(id="hobbies", name="hobbies", part_of="music"),
        Subject(id="music", name="music", part_of="hobbies"),
        Subject(id="food", name="food"),
    ]
    limit = limit_of("100", category="hobbies")

    def order_for(subject):
        return Order(
            id="o", what="strings", involves=[subject], price=Decimal(120), on=date(2026, 3, 9)
        )

    assert len(spending_alerts(limit, [], ordered=[order_for("music")], about=about)) == 1
    assert spending_alerts(limit, [], ordered=[order_for("food")], about=about) == []


def test_a_charge_counts_only_where_the_limit_names_account_or_payee():
    charge = Charge(id="c", what="tax", amount=Decimal(900), on=date(2026, 3, 9), account="card")
    assert spending_alerts(limit_of("100"), [], charged=[charge]) == []
    assert len(spending_alerts(limit_of("100", account="card"), [], charged=[charge])) == 1


def test_an_idea_is_told_as_one_and_another_currency_is_not_checked():
    idea = spending_alerts(limit_of("500"), [payment_of("boat", "700", status="considering")])
    assert [a.severity for a in idea] == ["warning"]
    assert "only an idea so far" in idea[0].summary
    other = spending_alerts(limit_of("500"), [payment_of("hotel", "700", currency="EUR")])
    assert [(a.severity, a.grade) for a in other] == [("info", "not checked")]


def test_a_payment_at_the_end_of_the_calendar_is_counted():
    far = payment_of("far", "700", on=date(9999, 12, 31), repeats="monthly")
    for per in ["payment", "day", "week", "month", "year"]:
        assert len(spending_alerts(limit_of("500", per), [far], today=date(9999, 12, 31))) == 1
