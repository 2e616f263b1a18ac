"""Questions in Python over HTTP: answers, what they hold for, and why there is none."""

from __future__ import annotations

import threading
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import MemoryUser
from tests.api_client import PROBLEM, Api
from tests.facts import allergy, fact, note, reading, trip
from tests.people import new_person
from tests.proposals import approved, bought, proposed
from tests.together import paused_before, together

HOSTILE = "'''\"\\{x}\u202e<script>\n🦋" + "ｉ１" * 3


def ask(api: Api, person: MemoryUser, code: str) -> Any:
    return api.post(f"users/{person.pk}/query", {"code": code})


def answer(api: Api, person: MemoryUser, code: str) -> Any:
    found = ask(api, person, code)
    assert found.status_code == 200, found.content
    return found.json()


def refusal(api: Api, person: MemoryUser, code: str, status: int = 422) -> Any:
    found = ask(api, person, code)
    assert (found.status_code, found["Content-Type"]) == (status, PROBLEM)
    return found.json()


@pytest.fixture
def traveller(api: Api, person: MemoryUser) -> MemoryUser:
    """Somebody with three trips and an allergy."""
    api.append(
        person,
        trip("Rome", "2026-03-01", country="Italy", status="done", returns_on="2026-03-09"),
        trip("Oslo", "2026-05-01", country="Norway"),
        trip("Milan", "2026-05-20", country="Italy", status="booked"),
        allergy("nuts"),
    )
    return person


def test_an_expression_is_answered_with_what_it_holds_for(api: Api, traveller: MemoryUser) -> None:
    found = answer(api, traveller, 'len([t for t in trips if t.country == "Italy"])')
    assert (found["value"], found["type"], found["printed"]) == (2, "int", "")
    assert found["collections"] == ["trips"]
    assert (found["seq"], found["reading_seq"], found["warnings"]) == (4, 4, [])
    assert found["today"]
    assert len(found["version"]) == 64
    assert found["seconds"] > 0


def test_the_last_line_of_several_is_the_value(api: Api, traveller: MemoryUser) -> None:
    code = "days = 0\r\nfor t in trips:\r\n    print(t.id)\r\n    days += 1\r\n{'days': days}"
    found = answer(api, traveller, code)
    assert found["value"] == {"days": 3}
    assert found["printed"].splitlines() == [
        "milan-2026-05-20",
        "oslo-2026-05-01",
        "rome-2026-03-01",
    ]


def test_everything_is_there_without_an_import(api: Api, traveller: MemoryUser) -> None:
    code = (
        "count_by(trips, lambda t: month_key(t.departs_on or today)), Decimal('1.50'), "
        "timedelta(days=2), Trip('x', 'X').status, find_drug('amoxicillin').name"
    )
    found = answer(api, traveller, code)
    counted = {"2026-05": 2, "2026-03": 1}
    assert found["value"] == [counted, "1.50", "P2D", "planning", "amoxicillin"]


def test_records_come_as_objects(api: Api, traveller: MemoryUser) -> None:
    found = answer(api, traveller, "min(trips, key=lambda t: t.id)")
    assert found["type"] == "travel.Trip"
    assert found["value"]["kind"] == "travel.Trip"
    assert found["value"]["id"] == "milan-2026-05-20"
    assert found["value"]["data"]["departs_on"] == "2026-05-20"
    assert found["value"]["data"]["returns_on"] is None


def test_hostile_facts_come_out_as_they_went_in(api: Api, person: MemoryUser) -> None:
    api.append(person, note(HOSTILE))
    assert answer(api, person, "notes[0].text")["value"] == HOSTILE
    assert answer(api, person, "print(notes[0].text)")["printed"] == f"{HOSTILE}\n"


def test_a_new_fact_is_in_the_next_answer(api: Api, traveller: MemoryUser) -> None:
    before = answer(api, traveller, "len(trips)")
    api.append(traveller, trip("Lima", "2026-08-01"))
    after = answer(api, traveller, "len(trips)")
    assert (before["value"], after["value"]) == (3, 4)
    assert (before["reading_seq"], after["reading_seq"]) == (4, 5)


def test_an_unchanged_state_is_not_read_again(api: Api, traveller: MemoryUser) -> None:
    def reads(code: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as said:
            answer(api, traveller, code)
        return sum("memory_record" in one["sql"] for one in said)

    assert [reads("len(trips)"), reads("len(trips)"), reads("trips[0].id")] == [1, 0, 0]
    assert reads("len(allergies)") == 1
    api.append(traveller, note("x"))
    assert reads("len(trips)") == 1


def test_what_a_query_changes_is_gone_with_it(api: Api, traveller: MemoryUser) -> None:
    code = "trips.clear()\nallergies[0].substance = 'dust'\nlen(trips)"
    assert answer(api, traveller, code)["value"] == 0
    again = answer(api, traveller, "len(trips), allergies[0].substance")
    assert again["value"] == [3, "nuts"]


def test_a_kind_of_ones_own_is_asked_about_once_it_is_approved(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp", 20), bought("a chair", 35))
    before = refusal(api, person, "len(purchases)")
    approved(proposed(person), caregiver)
    after = answer(api, person, "sum(p.price for p in purchases)")
    assert "there is no purchases" in before["detail"]
    assert (after["value"], after["collections"]) == (55, ["purchases"])
    assert answer(api, person, "purchases[0]")["type"] == "purchases.Purchase"


def test_one_person_is_never_answered_with_another(api: Api, traveller: MemoryUser) -> None:
    other = new_person()
    assert answer(api, traveller, "len(trips)")["value"] == 3
    assert answer(api, other, "len(trips)")["value"] == 0


def test_a_doubt_is_told_beside_the_answer(api: Api, traveller: MemoryUser) -> None:
    found = answer(api, traveller, 'len([t for t in trips if t.status == "bokked"])')
    (warning,) = found["warnings"]
    assert found["value"] == 0
    assert "did you mean booked?" in warning["detail"]
    assert (warning["line"], warning["column"]) == (1, 38)
    assert warning["caret"].strip() == "^^^^^^^^"


@pytest.mark.parametrize(
    ("code", "title", "detail", "place"),
    [
        ("len(tripz)", "The query may not run", "did you mean trips?", (1, 5)),
        ("trips[0].contry", "The types do not fit", "did you mean country?", (1, 10)),
        ("x = 1\ny = 0\nx / y", "The query raised ZeroDivisionError", "division by zero", (3, 1)),
        ("[t.returns_on.year for t in trips]", "raised AttributeError", "leave those out", (1, 15)),
        ("{}['a']", "raised KeyError", "use .get(key)", (1, 1)),
        ("min(t.id for t in trips if t.id == 'x')", "raised ValueError", "give default=", (1, 1)),
        (
            "def f(n: int) -> int:\n    return f(n + 1)\n\nf(0)",
            "past a limit",
            "too deeply",
            (2, 12),
        ),
        ("'x' * 2_000_000_000", "past a limit", "MiB", (1, 1)),
        ("print('x' * 100_000)", "past a limit", "print less", (None, None)),
        ("x = 1\n[0] * 300_000", "past a limit", "return fewer", (2, 1)),
        ("str", "The value cannot be shown", "call it", (1, 1)),
        ("while True:\n    pass", "past a limit", "longer than 5 seconds", (None, None)),
    ],
)
def test_a_query_that_fails_says_where_and_what_to_do(
    api: Api, traveller: MemoryUser, code: str, title: str, detail: str, place: tuple[int, int]
) -> None:
    problem = refusal(api, traveller, code)
    error = problem["errors"][0]
    assert title in problem["title"]
    assert detail in problem["detail"]
    assert detail in error["detail"]
    assert error["pointer"] == "/code"
    assert (error["line"], error["column"]) == place
    if place[0]:
        assert error["source_line"] == code.split("\n")[place[0] - 1]
        assert error["caret"].index("^") == place[1] - 1
    assert answer(api, traveller, "len(trips)")["value"] == 3


@pytest.mark.parametrize("body", [{}, {"code": ""}, {"code": 7}, {"code": "1", "x": 1}, []])
def test_a_body_that_is_no_query_is_refused(api: Api, person: MemoryUser, body: Any) -> None:
    assert api.post(f"users/{person.pk}/query", body).status_code == 422


def test_a_query_longer_than_anybody_reads_is_refused(api: Api, person: MemoryUser) -> None:
    problem = refusal(api, person, "1 + " * 10_000 + "1")
    assert "longer than 20,000 characters" in problem["detail"]


def test_only_an_app_with_a_key_may_ask_and_only_of_people_there_are(
    api: Api, person: MemoryUser
) -> None:
    assert ask(Api(None), person, "1").status_code == 401
    assert api.post(f"users/{uuid.uuid4()}/query", {"code": "1"}).status_code == 404


def test_answers_hold_for_one_moment_while_facts_come_in(api: Api, person: MemoryUser) -> None:
    """Each post adds a trip and an allergy; no answer may see one without the other."""
    done = threading.Event()

    def post() -> list[Any]:
        try:
            for number in range(12):
                pair = (
                    reading("travel.Trip", destination=f"T{number}", departs_on="2026-01-01"),
                    reading("health.Allergy", substance=f"S{number}"),
                )
                api.append(person, fact("both", *pair))
        finally:
            done.set()
        return []

    def look() -> list[Any]:
        found: list[Any] = []
        while not done.is_set() or len(found) < 3:
            found.append(answer(api, person, "len(trips), len(allergies)"))
        return [*found, answer(api, person, "len(trips), len(allergies)")]  # after the last post

    _, answers = together(post, look)
    for one in answers:
        trips, allergies = one["value"]
        assert trips == allergies == one["reading_seq"] // 2
    assert answers[-1]["value"] == [12, 12]


def test_a_fact_that_comes_while_a_query_is_on_its_way_is_in_its_answer(
    api: Api, traveller: MemoryUser
) -> None:
    """The query has seen where the log ends and is about to read the records."""

    def reads_records(sql: str) -> bool:
        return sql.startswith("SELECT") and "memory_record" in sql

    with paused_before(reads_records, lambda: answer(api, traveller, "len(trips)")) as late:
        api.append(traveller, trip("Lima", "2026-08-01"))
        found = late.finish()
    assert (found["value"], found["reading_seq"], found["seq"]) in [(3, 4, 4), (4, 5, 5)]
    assert answer(api, traveller, "len(trips)")["value"] == 4


def test_readings_between_the_log_and_the_records_are_read_with_it(
    api: Api, traveller: MemoryUser
) -> None:
    seen = 0

    def second_look_at_the_person(sql: str) -> bool:
        nonlocal seen
        seen += "FROM" in sql and "memory_memoryuser" in sql and sql.startswith("SELECT")
        return seen == 3  # access, the query's own, and the one with the records

    with paused_before(
        second_look_at_the_person, lambda: answer(api, traveller, "len(trips)")
    ) as late:
        api.append(traveller, trip("Lima", "2026-08-01"))
        found = late.finish()
    assert (found["value"], found["reading_seq"], found["seq"]) == (4, 5, 5)
