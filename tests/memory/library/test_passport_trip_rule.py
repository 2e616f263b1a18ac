"""The passport rule: validity up to, during and after the trip, and several passports."""

import itertools
from datetime import date

import pytest
from domains.travel.schema import Passport, Trip
from rules.passport_trip import find_passport_problems

TODAY = date(2025, 1, 10)


def trip(**more):
    fields = {
        "id": "tokyo", "destination": "Tokyo", "country": "Japan", "status": "booked",
        "departs_on": date(2025, 2, 20), "returns_on": date(2025, 3, 1),
    }  # fmt: skip
    return Trip(**(fields | more))


def passport(country="United States", expires_on=date(2035, 1, 1), **more):
    return Passport(id=country.casefold(), issuing_country=country, expires_on=expires_on, **more)


def found(trips, passports, today=TODAY):
    return [(a.severity, a.grade) for a in find_passport_problems(trips, passports, today)]


@pytest.mark.parametrize(
    ("expires_on", "expected"),
    [
        (date(2025, 2, 19), ["critical"]),
        (date(2025, 2, 20), ["warning"]),  # valid on its last day
        (date(2025, 2, 28), ["warning"]),
        (date(2025, 3, 1), ["warning"]),
        (date(2025, 5, 29), ["warning"]),
        (date(2025, 5, 30), ["info"]),  # 90 days after the return
        (date(2025, 8, 31), ["info"]),
        (date(2025, 9, 1), []),
        (date(2035, 1, 1), []),
    ],
)
def test_expiry_against_the_trip(expires_on, expected):
    assert [s for s, _ in found([trip()], [passport(expires_on=expires_on)])] == expected


@pytest.mark.parametrize(
    ("returns_on", "last_short_day", "first_fine_day"),
    [
        (date(2025, 8, 31), date(2026, 2, 27), date(2026, 2, 28)),
        (date(2027, 8, 31), date(2028, 2, 28), date(2028, 2, 29)),
        (date(2028, 2, 29), date(2028, 8, 28), date(2028, 8, 29)),
        (date(2025, 12, 31), date(2026, 6, 29), date(2026, 6, 30)),
    ],
)
def test_six_months_end_at_the_end_of_a_shorter_month(returns_on, last_short_day, first_fine_day):
    journey = trip(returns_on=returns_on)
    assert found([journey], [passport(expires_on=last_short_day)]) == [("info", "")]
    assert found([journey], [passport(expires_on=first_fine_day)]) == []


@pytest.mark.parametrize(
    "more",
    [
        {"status": "cancelled"},
        {"status": "done"},
        {"departs_on": date(2025, 1, 9)},  # gone already
        {"departs_on": None},
        {"country": "USA"},
        {"country": "united states of america"},
        {"country": None, "destination": "America"},
    ],
)
def test_trips_out_of_scope_are_silent(more):
    assert found([trip(**more)], [passport(expires_on=date(2025, 1, 11))]) == []


def test_a_trip_that_departs_today_counts():
    journey = trip(departs_on=TODAY, returns_on=None)
    assert found([journey], [passport(expires_on=date(2025, 1, 9))]) == [("critical", "")]


@pytest.mark.parametrize(
    ("status", "before_departure", "soon_after"),
    [
        ("booked", "critical", "warning"),
        ("planning", "critical", "warning"),
        ("considering", "warning", "info"),
    ],
)
def test_an_idea_is_never_critical(status, before_departure, soon_after):
    short, later = passport(expires_on=date(2025, 2, 1)), passport(expires_on=date(2025, 5, 1))
    assert found([trip(status=status)], [short]) == [(before_departure, "")]
    assert found([trip(status=status)], [later]) == [(soon_after, "")]


def test_one_passport_that_serves_is_enough():
    short, long = passport("France", date(2025, 2, 1)), passport("Canada")
    assert found([trip()], [short, long]) == []
    assert found([trip()], [long, short]) == []
    assert found([trip(passport_country="French")], [short, long]) == [("critical", "")]
    assert found([trip(passport_country="Canada")], [short, long]) == []


def test_a_trip_that_names_its_passport_is_judged_by_that_one():
    short, long = passport("France", date(2025, 2, 1)), passport("Canada")
    assert found([trip(passport="france")], [short, long]) == [("critical", "")]
    assert found([trip(passport="canada")], [short, long]) == []
    # The passport itself was named: the country said beside it adds nothing.
    assert found([trip(passport="canada", passport_country="France")], [short, long]) == []
    assert found([trip(passport="peru")], [short, long]) == [("info", "not checked")]
    assert found([trip(passport="peru", status="planning")], [short, long]) == []


def test_a_named_passport_must_outlast_a_trip_to_wherever():
    nowhere = {"country": None, "destination": "the lake house", "passport": "france"}
    assert found([trip(**nowhere)], [passport("France", date(2025, 2, 1))]) == [("critical", "")]
    assert found([trip(**nowhere)], [passport("France", date(2025, 2, 28))]) == [("warning", "")]
    # Whether six months more are asked for depends on the country.
    soon = passport("France", date(2025, 5, 1))
    assert found([trip(**nowhere)], [soon]) == [("info", "not checked")]


def test_what_the_rule_does_not_know_is_said():
    (alert,) = find_passport_problems([trip()], [passport(expires_on=date(2025, 3, 5))], TODAY)
    assert alert.unknown == ["how long the destination asks a passport to be valid"]
    one_way = trip(returns_on=None, status="considering")
    (alert,) = find_passport_problems([one_way], [passport(expires_on=date(2025, 2, 1))], TODAY)
    assert alert.unknown == ["the day of return"]
    assert alert.detail.startswith("The trip is only an idea so far.")


def test_the_passport_that_lasts_longest_is_named():
    first, second = passport("France", date(2025, 2, 1)), passport("Canada", date(2025, 4, 1))
    (alert,) = find_passport_problems([trip()], [first, second], TODAY)
    assert alert.evidence == [second, trip()]


def test_a_trip_to_the_country_of_one_passport_is_silent():
    assert found([trip()], [passport("Japan", date(2025, 1, 11)), passport("Canada")]) == []


def test_missing_records_are_named_for_a_booked_trip_only():
    assert found([trip()], []) == [("info", "not checked")]
    assert found([trip(status="planning")], []) == []
    assert found([trip(status="considering")], []) == []
    assert found([trip()], [passport(expires_on=None)]) == [("info", "not checked")]
    assert found([trip(passport_country="Peru")], [passport()]) == [("info", "not checked")]


def test_an_unknown_country_matters_only_when_the_passport_is_short():
    nowhere = trip(country=None, destination="the lake house")
    assert found([nowhere], [passport()]) == []
    assert found([nowhere], [passport(expires_on=date(2025, 2, 1))]) == [("info", "not checked")]
    planned = trip(country=None, destination="the lake house", status="planning")
    assert found([planned], [passport(expires_on=date(2025, 2, 1))]) == []


def test_the_sentence_has_the_date_and_the_gap():
    (alert,) = find_passport_problems([trip()], [passport(expires_on=date(2025, 3, 5))], TODAY)
    assert alert.summary == (
        "United States passport expires Wednesday, March 5, 2025, 4 days after the return from"
        " Tokyo (many countries ask for six months)"
    )
    (alert,) = find_passport_problems([trip()], [passport(expires_on=date(2025, 2, 14))], TODAY)
    assert alert.summary == (
        "United States passport expires Friday, February 14, 2025,"
        " 6 days before the departure to Tokyo"
    )


def test_the_order_of_arrival_does_not_matter():
    trips = [trip(), trip(id="oslo", destination="Oslo", country="Norway"), trip(id="x")]
    passports = [passport("France", date(2025, 2, 1)), passport("Canada", date(2025, 2, 1))]
    expected = find_passport_problems(trips, passports, TODAY)
    assert len(expected) == 3
    for some_trips in itertools.permutations(trips):
        for some_passports in itertools.permutations(passports):
            again = find_passport_problems(list(some_trips), list(some_passports), TODAY)
            assert again == expected
