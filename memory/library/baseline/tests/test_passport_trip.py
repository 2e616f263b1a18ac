from datetime import date

from domains.travel.schema import Passport, Trip
from rules.passport_trip import find_passport_problems

PASSPORT_TODAY = date(2025, 1, 10)


def passport_alerts(expires_on, status="booked", country="Japan", departs_on=None):
    trip = Trip(
        id="t",
        destination="Tokyo",
        country=country,
        departs_on=departs_on or date(2025, 2, 20),
        returns_on=date(2025, 3, 1),
        status=status,
    )
    passport = Passport(id="p", issuing_country="United States", expires_on=expires_on)
    return find_passport_problems([trip], [passport], PASSPORT_TODAY)


def test_a_passport_that_ends_before_departure_is_critical():
    assert [a.severity for a in passport_alerts(date(2025, 2, 19))] == ["critical"]
    considering = passport_alerts(date(2025, 2, 19), status="considering")
    assert [a.severity for a in considering] == ["warning"]


def test_six_months_after_the_return_are_enough():
    assert [a.severity for a in passport_alerts(date(2025, 5, 29))] == ["warning"]
    assert [a.severity for a in passport_alerts(date(2025, 5, 30))] == ["info"]
    assert [a.severity for a in passport_alerts(date(2025, 8, 31))] == ["info"]
    assert passport_alerts(date(2025, 9, 1)) == []


def test_past_cancelled_and_domestic_trips_are_silent():
    assert passport_alerts(date(2025, 1, 11), departs_on=date(2025, 1, 9)) == []
    assert passport_alerts(date(2025, 1, 11), status="cancelled") == []
    assert passport_alerts(date(2025, 1, 11), country="USA") == []


def test_the_passport_sentence():
    assert [a.summary for a in passport_alerts(date(2025, 3, 5))] == [
        (
            "United States passport expires Wednesday, March 5, 2025, 4 days after the return from"
            " Tokyo (many countries ask for six months)"
        )
    ]


def test_the_passport_that_a_trip_names_is_the_one_that_is_judged():
    trip = Trip(id="t", destination="Tokyo", country="Japan", departs_on=date(2025, 2, 20))
    short = Passport(id="us", issuing_country="United States", expires_on=date(2025, 2, 19))
    long = Passport(id="fr", issuing_country="France", expires_on=date(2034, 2, 19))
    assert find_passport_problems([trip], [short, long], PASSPORT_TODAY) == []
    trip.passport = "us"
    found = find_passport_problems([trip], [short, long], PASSPORT_TODAY)
    assert [a.severity for a in found] == ["critical"]
