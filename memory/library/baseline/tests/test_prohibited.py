from datetime import date
from decimal import Decimal

from domains.finance.schema import Payment
from domains.preferences.schema import Order, Prohibition, Subject
from domains.schedule.schema import Engagement, Place
from rules.prohibited import World, find_prohibited
from uac import wishes_of

BAN_TODAY = date(2026, 3, 2)
BAN_DAY = date(2026, 3, 7)
BAN_WORLD = World(
    {"katrin": "Katrin", "tom": "Tom", "ben": "Ben"},
    {
        "shrimp": Subject(id="shrimp", name="shrimp", part_of="seafood"),
        "seafood": Subject(id="seafood", name="seafood"),
    },
    {
        "bar": Place(id="bar", name="Bar", part_of="town"),
        "town": Place(id="town", name="Old Town"),
    },
)


def shrimp_order(status="ordered", for_whom=None, allowed_by=None, on=BAN_DAY):
    return Order(
        id="o",
        what="shrimp",
        involves=["shrimp"],
        for_whom=for_whom or [],
        allowed_by=allowed_by or [],
        on=on,
        status=status,
    )


def banned(ban, orders=None, engagements=None, payments=None):
    wishes = wishes_of(orders or [], engagements or [], payments or [])
    return find_prohibited([ban], wishes, BAN_WORLD, BAN_TODAY)


def test_it_holds_for_those_it_was_said_for():
    ban = Prohibition(id="p", what="no seafood", subject="seafood", for_whom=["tom"])
    assert banned(ban, [shrimp_order()]) == []
    found = banned(ban, [shrimp_order(for_whom=["tom"])])
    assert [a.severity for a in found] == ["warning"]
    assert [r.id for r in found[0].evidence] == ["p", "o", "shrimp"]


def test_an_exception_counts_from_those_who_may_make_it():
    ban = Prohibition(
        id="p", what="no seafood", subject="seafood", said_by="katrin", allowed_by=["ben"]
    )
    assert banned(ban, [shrimp_order(allowed_by=["ben"])]) == []
    assert banned(ban, [shrimp_order(allowed_by=["katrin"])]) == []
    assert [a.severity for a in banned(ban, [shrimp_order(allowed_by=["tom"])])] == ["warning"]
    assert banned(ban, [shrimp_order()])[0].action == "Ask Katrin and Ben before it goes ahead."


def test_days_from_the_first_to_the_last():
    first, last = date(2026, 3, 7), date(2026, 3, 31)
    ban = Prohibition(id="p", what="no seafood", subject="seafood", since=first, until=last)
    for day, count in ((6, 0), (7, 1), (31, 1)):
        assert len(banned(ban, [shrimp_order(on=date(2026, 3, day))])) == count
    assert banned(ban, [shrimp_order(on=date(2026, 4, 1))]) == []
    undated = banned(ban, [shrimp_order(on=None)])
    assert [(a.severity, a.unknown) for a in undated] == [("info", ["the day it is for"])]


def test_places_people_and_payments():
    ban = Prohibition(id="p", what="not to the Old Town", place="town")
    visit = Engagement(id="e", title="Quiz", on=date(2026, 1, 6), repeats="weekly", place="bar")
    assert "Tuesday, March 3, 2026" in banned(ban, engagements=[visit])[0].summary
    ban = Prohibition(id="p", what="no money to Ben", person="ben")
    payment = Payment(id="pay", what="loan", amount=Decimal(10), payee="ben", on=date(2026, 3, 3))
    assert [a.severity for a in banned(ban, payments=[payment])] == ["warning"]
    ban = Prohibition(id="p", what="nothing with Ben", person="ben")
    alone = Engagement(id="e", title="Lunch", on=date(2026, 3, 3), people=["ben"])
    found = banned(ban, engagements=[alone])
    assert [(a.severity, a.unknown) for a in found] == [("info", ["whether the person takes part"])]


def test_an_idea_says_so_and_a_wish_is_only_mentioned():
    ban = Prohibition(id="p", what="no seafood", subject="seafood")
    found = banned(ban, [shrimp_order("considering")])
    assert [a.severity for a in found] == ["info"]
    assert "an idea so far" in found[0].summary
    ban = Prohibition(id="p", what="rather no seafood", subject="seafood", strict=False)
    assert [a.severity for a in banned(ban, [shrimp_order()])] == ["info"]
    ban = Prohibition(id="p", what="no seafood", subject="seafood", status="lifted")
    assert banned(ban, [shrimp_order()]) == []
