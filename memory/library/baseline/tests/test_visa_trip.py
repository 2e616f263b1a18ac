from datetime import date

from domains.travel.schema import Trip, Visa
from rules.visa_trip import find_visa_problems

VISA_TODAY = date(2024, 11, 18)


def visa_trip(name, country, departs_on, returns_on, status="booked"):
    return Trip(
        id=name,
        destination=name,
        country=country,
        departs_on=departs_on,
        returns_on=returns_on,
        status=status,
    )


def test_a_visa_must_cover_the_trip():
    trip = visa_trip("Sydney", "Australia", date(2024, 11, 25), date(2024, 12, 5))
    visa = Visa(id="v", country="Australia", valid_from=date(2024, 12, 1))
    found = find_visa_problems([trip], [visa], VISA_TODAY)
    assert [a.severity for a in found] == ["critical"]
    visa = Visa(id="v", country="Australia", valid_from=date(2024, 11, 25))
    assert find_visa_problems([trip], [visa], VISA_TODAY) == []


def test_a_single_entry_is_spent_once():
    first = visa_trip("Paris", "France", date(2024, 10, 28), date(2024, 11, 4), "done")
    second = visa_trip("Berlin", "Germany", date(2024, 12, 20), date(2024, 12, 27))
    visa = Visa(
        id="v",
        country="Schengen",
        entries="single",
        valid_from=date(2024, 10, 1),
        expires_on=date(2024, 12, 31),
    )
    found = find_visa_problems([second, first], [visa], VISA_TODAY)
    assert [a.summary for a in found] == [
        (
            "Single-entry Schengen visa is already used for Paris: no entry left for Berlin,"
            " Friday, December 20, 2024"
        )
    ]
    visa.entries = "multiple"
    assert find_visa_problems([second, first], [visa], VISA_TODAY) == []


def test_no_visa_is_silent():
    trip = visa_trip("Sydney", "Australia", date(2024, 11, 25), date(2024, 12, 5))
    assert find_visa_problems([trip], [], VISA_TODAY) == []


def test_the_visa_that_a_trip_names_is_the_one_that_is_judged():
    trip = visa_trip("Berlin", "Germany", date(2024, 12, 20), date(2024, 12, 27))
    short = Visa(id="s", country="Schengen", expires_on=date(2024, 12, 22))
    long = Visa(id="g", country="Germany", expires_on=date(2025, 12, 31))
    assert find_visa_problems([trip], [short, long], VISA_TODAY) == []
    trip.visa = "s"
    found = find_visa_problems([trip], [short, long], VISA_TODAY)
    assert [a.key for a in found] == ["expires during the trip"]


def test_a_visa_only_applied_for_is_told_of_ten_days_before():
    trip = visa_trip("Sydney", "Australia", date(2024, 11, 28), date(2024, 12, 5))
    visa = Visa(id="v", country="Australia", status="applied")
    assert [a.key for a in find_visa_problems([trip], [visa], VISA_TODAY)] == ["not granted yet"]
    assert find_visa_problems([trip], [visa], date(2024, 11, 17)) == []
