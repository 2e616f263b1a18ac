from datetime import date, time

from domains.schedule.schema import Engagement, Place
from domains.travel.schema import Trip
from rules.away_that_day import find_absences

AWAY_PLACES = [
    Place(id="town", name="Lyon"),
    Place(id="flat", name="Flat", part_of="town", home=True),
    Place(id="practice", name="Practice", part_of="town"),
    Place(id="bar", name="Bar"),
]
AWAY_TODAY = date(2026, 3, 2)


def visit(day, place, status="agreed"):
    return Engagement(
        id="visit", title="Visit", on=day, starts_at=time(10), place=place, status=status
    )


def away_alerts(engagement, today=AWAY_TODAY):
    trip = Trip(
        id="trip",
        destination="Rome",
        departs_on=date(2026, 5, 3),
        returns_on=date(2026, 5, 10),
        status="booked",
    )
    return find_absences([engagement], AWAY_PLACES, [trip], {}, today)


def test_only_whole_days_between_departure_and_return_count():
    for day in (2, 3, 10, 11):
        assert away_alerts(visit(date(2026, 5, day), "practice")) == []
    found = away_alerts(visit(date(2026, 5, 4), "practice"))
    assert [a.severity for a in found] == ["warning"]
    assert [r.id for r in found[0].evidence] == ["trip", "visit"]
    assert [a.severity for a in away_alerts(visit(date(2026, 5, 9), "practice"))] == ["warning"]


def test_a_place_of_which_no_town_is_known_is_not_checked_unless_it_is_agreed():
    found = away_alerts(visit(date(2026, 5, 6), "bar", "planned"))
    assert [(a.severity, a.grade) for a in found] == [("info", "not checked")]
    assert away_alerts(visit(date(2026, 5, 6), "bar", "planned"), date(2026, 5, 7)) == []
    assert away_alerts(visit(date(2026, 5, 6), "bar", "considering")) == []
    found = away_alerts(visit(date(2026, 5, 6), "bar"))
    assert [a.severity for a in found] == ["warning"]
    assert found[0].unknown == ["whether Bar can be reached from there"]


def test_no_place_and_an_idea():
    assert away_alerts(visit(date(2026, 5, 6), None, "planned")) == []
    found = away_alerts(visit(date(2026, 5, 6), None))
    assert [(a.severity, a.unknown) for a in found] == [("warning", ["where Visit is"])]
    found = away_alerts(visit(date(2026, 5, 6), "flat", "considering"))
    assert [a.severity for a in found] == ["info"]
    assert "an idea so far" in found[0].summary
