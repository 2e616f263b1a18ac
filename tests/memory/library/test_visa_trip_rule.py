"""The visa rule: the days it covers, its status, and how often one may enter."""

import itertools
from datetime import date

import pytest
from domains.travel.schema import Trip, Visa
from rules.visa_trip import find_visa_problems

TODAY = date(2024, 11, 18)


def trip(**more):
    fields = {
        "id": "sydney", "destination": "Sydney", "country": "Australia", "status": "booked",
        "departs_on": date(2024, 12, 10), "returns_on": date(2024, 12, 20),
    }  # fmt: skip
    return Trip(**(fields | more))


def visa(country="Australia", **more):
    fields = {"valid_from": date(2024, 12, 1), "expires_on": date(2025, 5, 31)}
    return Visa(id=country.casefold(), country=country, **(fields | more))


def found(trips, visas):
    return [(a.severity, a.key) for a in find_visa_problems(trips, visas, TODAY)]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, []),
        ({"valid_from": date(2024, 12, 10)}, []),
        ({"valid_from": date(2024, 12, 11)}, [("critical", "not yet valid")]),
        ({"expires_on": date(2024, 12, 20)}, []),
        ({"expires_on": date(2024, 12, 19)}, [("warning", "expires during the trip")]),
        ({"expires_on": date(2024, 12, 10)}, [("warning", "expires during the trip")]),
        ({"expires_on": date(2024, 12, 9)}, [("critical", "expired")]),
        ({"expires_on": None, "valid_from": None}, []),
        ({"status": "refused"}, [("critical", "refused")]),
        ({"status": "cancelled"}, [("critical", "refused")]),
        ({"status": "applied"}, []),
        ({"status": "applied", "expires_on": date(2024, 12, 9)}, [("warning", "expired")]),
        ({"country": "New Zealand", "expires_on": date(2024, 12, 9)}, []),
    ],
)
def test_a_visa_against_a_booked_trip(more, expected):
    assert found([trip()], [visa(**more)]) == expected


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"status": "planning"}, [("critical", "expired")]),
        ({"status": "considering"}, [("warning", "expired")]),
        ({"status": "done"}, []),
        ({"status": "cancelled"}, []),
        ({"departs_on": date(2024, 11, 17)}, []),
        ({"departs_on": TODAY, "returns_on": None}, []),
        ({"departs_on": None, "returns_on": None}, []),
        ({"country": None}, []),
        ({"country": None, "destination": "Australia"}, [("critical", "expired")]),
    ],
)
def test_which_trips_count(more, expected):
    ended = visa(valid_from=None, expires_on=date(2024, 12, 1))
    assert found([trip(**more)], [ended]) == expected


def test_no_visa_is_silent():
    assert found([trip()], []) == []


def test_a_visa_that_serves_silences_one_that_does_not():
    ended = visa(expires_on=date(2024, 12, 5))
    assert found([trip()], [ended, Visa(id="b", country="australia")]) == []
    refused = visa(status="refused")
    assert found([trip()], [refused, Visa(id="b", country="australia")]) == []


def paris(**more):
    fields = {
        "id": "paris", "destination": "Paris", "country": "France", "status": "done",
        "departs_on": date(2024, 10, 28), "returns_on": date(2024, 11, 4),
    }  # fmt: skip
    return trip(**(fields | more))


def berlin(**more):
    fields = {
        "id": "berlin", "destination": "Berlin", "country": "Germany", "status": "booked",
        "departs_on": date(2024, 12, 20), "returns_on": date(2024, 12, 27),
    }  # fmt: skip
    return trip(**(fields | more))


def schengen(**more):
    fields = {
        "entries": "single", "valid_from": date(2024, 10, 1), "expires_on": date(2024, 12, 31),
    }  # fmt: skip
    return visa("Schengen", **(fields | more))


@pytest.mark.parametrize(
    ("first", "second", "document", "expected"),
    [
        (paris(), berlin(), schengen(), ["critical"]),
        (paris(), berlin(status="planning"), schengen(), ["warning"]),
        (paris(), berlin(status="considering"), schengen(), ["warning"]),
        (paris(departs_on=None), berlin(), schengen(), ["critical"]),
        (
            paris(status="booked", departs_on=date(2024, 12, 1), returns_on=date(2024, 12, 5)),
            berlin(), schengen(), ["warning"],
        ),
        (
            paris(status="booked", departs_on=date(2024, 12, 1), returns_on=date(2024, 12, 5)),
            berlin(status="considering"), schengen(), ["info"],
        ),
        (paris(), berlin(), schengen(entries="multiple"), []),
        (paris(), berlin(), schengen(entries=None), []),
        (paris(status="cancelled"), berlin(), schengen(), []),
        (paris(), berlin(status="cancelled"), schengen(), []),
        (paris(country="Ireland"), berlin(), schengen(), []),
        (paris(departs_on=date(2024, 9, 1)), berlin(), schengen(), []),
        (paris(), berlin(), schengen(valid_from=None), []),
        # one stay in two places
        (
            paris(status="booked", departs_on=date(2024, 12, 15), returns_on=date(2024, 12, 20)),
            berlin(), schengen(), [],
        ),
    ],
)  # fmt: skip
def test_a_single_entry_is_spent_once(first, second, document, expected):
    for trips in ([first, second], [second, first]):
        alerts = find_visa_problems(trips, [document], TODAY)
        assert [a.severity for a in alerts] == expected
        assert all(a.key == "second entry" for a in alerts)
        assert all(a.evidence == [document, first, second] for a in alerts)


def test_another_visa_for_the_second_trip_silences():
    assert found([paris(), berlin()], [schengen(), Visa(id="d", country="Germany")]) == []


def test_a_trip_that_names_its_visa_is_judged_by_that_one():
    short, long = visa(expires_on=date(2024, 12, 19)), Visa(id="b", country="australia")
    assert found([trip(visa="australia")], [short, long]) == [
        ("warning", "expires during the trip")
    ]
    assert found([trip(visa="b")], [short, long]) == []
    assert found([trip(visa="gone")], [short, long]) == [("info", "visa not checked")]
    assert found([trip(visa="gone", status="planning")], [short, long]) == []


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"expires_on": date(2024, 12, 9)}, [("critical", "expired")]),
        ({"expires_on": date(2024, 12, 10)}, []),
        ({"valid_from": date(2024, 12, 20)}, []),
        ({"valid_from": date(2024, 12, 21)}, [("critical", "not yet valid")]),
        ({"status": "refused"}, [("critical", "refused")]),
    ],
)
def test_a_named_visa_for_a_part_of_the_way_must_hold_on_some_day(more, expected):
    assert found([trip(visa="new zealand")], [visa("New Zealand", **more)]) == expected


def test_a_named_visa_must_cover_a_trip_to_a_place_of_unknown_country():
    nowhere = trip(country=None, destination="the reef", visa="australia")
    assert found([nowhere], [visa(expires_on=date(2024, 12, 19))]) == [
        ("warning", "expires during the trip")
    ]
    assert found([nowhere], [visa()]) == []


def test_an_entry_is_taken_by_the_trip_that_names_the_visa():
    france = Visa(id="f", country="France", entries="single")
    assert found([paris(visa="f"), berlin()], [schengen(), france]) == []
    assert found([paris(visa="schengen"), berlin()], [schengen(), france]) == [
        ("critical", "second entry")
    ]
    undated = schengen(valid_from=None)
    assert found([paris(visa="schengen"), berlin()], [undated]) == [("critical", "second entry")]


@pytest.mark.parametrize(
    ("departs_on", "status", "expected"),
    [
        (date(2024, 11, 28), "booked", [("warning", "not granted yet")]),
        (date(2024, 11, 29), "booked", []),
        (TODAY, "booked", [("warning", "not granted yet")]),
        (date(2024, 11, 28), "planning", []),
        (date(2024, 11, 28), "considering", []),
    ],
)
def test_a_visa_only_applied_for_is_told_of_before_a_booked_trip(departs_on, status, expected):
    applied = Visa(id="v", country="Australia", status="applied")
    journey = trip(departs_on=departs_on, status=status)
    assert found([journey], [applied]) == expected
    assert found([journey], [applied, Visa(id="w", country="Australia")]) == []


def test_the_sentences():
    (alert,) = find_visa_problems([paris(), berlin()], [schengen()], TODAY)
    assert alert.summary == (
        "Single-entry Schengen visa is already used for Paris: no entry left for Berlin,"
        " Friday, December 20, 2024"
    )
    early = trip(departs_on=date(2024, 11, 25))
    (alert,) = find_visa_problems([early], [visa(status="applied")], TODAY)
    assert alert.summary == (
        "Australia visa applied for is not valid before Sunday, December 1, 2024,"
        " 6 days after departure to Sydney"
    )


def test_the_order_of_arrival_does_not_matter():
    trips = [paris(), berlin(), berlin(id="rome", destination="Rome", country="Italy")]
    visas = [schengen(), visa(expires_on=date(2024, 12, 9)), visa("Italy", status="refused")]
    trips.append(trip())
    expected = find_visa_problems(trips, visas, TODAY)
    assert len(expected) == 3
    for some_trips in itertools.permutations(trips):
        for some_visas in itertools.permutations(visas):
            assert find_visa_problems(list(some_trips), list(some_visas), TODAY) == expected
