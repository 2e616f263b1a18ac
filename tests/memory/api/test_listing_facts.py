"""`GET users/{id}/facts`: filters and cursors."""

from __future__ import annotations

from typing import Any

import pytest

from memory.models import MemoryUser
from tests.api_client import Api, facts_path, pointers
from tests.facts import allergy, fact, note
from tests.people import new_person


@pytest.fixture
def told(api: Api, person: MemoryUser) -> MemoryUser:
    """A person with six facts of different kinds, sources, sessions and dates."""
    days = [f"2025-01-0{day}T12:00:00Z" for day in range(1, 7)]
    for said in (
        fact("1", source="chat", session="a", occurred_at=days[0]),
        fact("2", source="chat", session="b", occurred_at=days[1]),
        {**allergy("latex"), "source": "mail", "session": "a", "occurred_at": days[2]},
        {**note("4"), "source": "mail", "occurred_at": days[3]},
        {**allergy("nuts"), "occurred_at": days[4]},
        fact("6", occurred_at=days[5]),
    ):
        api.append(person, said)
    return person


@pytest.mark.parametrize(
    ("query", "seqs"),
    [
        ({}, [6, 5, 4, 3, 2, 1]),
        ({"order": "asc"}, [1, 2, 3, 4, 5, 6]),
        ({"source": "chat"}, [2, 1]),
        ({"session": "a"}, [3, 1]),
        ({"source": "mail", "session": "a"}, [3]),
        ({"source": "nowhere"}, []),
        ({"kind": "health.Allergy"}, [5, 3]),
        ({"kind": "no.Kind"}, []),
        ({"kind": "health.Allergy", "source": "mail"}, [3]),
        ({"occurred_from": "2025-01-04T12:00:00Z"}, [6, 5, 4]),
        ({"occurred_to": "2025-01-04T12:00:00Z"}, [3, 2, 1]),
        ({"occurred_from": "2025-01-04T13:00:00+01:00", "occurred_to": "2025-01-06"}, None),
        (
            {
                "occurred_from": "2025-01-04T13:00:00+01:00",
                "occurred_to": "2025-01-06T12:00:00Z",
            },
            [5, 4],
        ),
        ({"recorded_from": "2100-01-01T00:00:00Z"}, []),
        ({"recorded_to": "2100-01-01T00:00:00Z"}, [6, 5, 4, 3, 2, 1]),
    ],
)
def test_filters_narrow(
    api: Api, told: MemoryUser, query: dict[str, str], seqs: list[int] | None
) -> None:
    if seqs is None:
        assert api.get(facts_path(told.pk), **query).status_code == 400
    else:
        assert [one["seq"] for one in api.all(facts_path(told.pk), **query)] == seqs


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7])
@pytest.mark.parametrize("query", [{}, {"source": "mail"}, {"kind": "health.Allergy"}])
def test_pages_hold_every_fact_once(
    api: Api, told: MemoryUser, query: dict[str, str], limit: int, order: str
) -> None:
    whole = [one["seq"] for one in api.all(facts_path(told.pk), order=order, **query)]
    pages = api.pages(facts_path(told.pk), order=order, limit=limit, **query)
    assert [one["seq"] for page in pages for one in page] == whole
    assert all(len(page) <= limit for page in pages)


def test_facts_that_come_while_paging_neither_double_nor_hide_others(
    api: Api, told: MemoryUser
) -> None:
    first = api.get(facts_path(told.pk), limit=3).json()
    api.append(told, fact("7"))
    second = api.client.get(first["next"]).json()
    assert [one["seq"] for one in first["items"] + second["items"]] == [6, 5, 4, 3, 2, 1]


def test_whoever_reads_upwards_meets_what_came_meanwhile(api: Api, told: MemoryUser) -> None:
    first = api.get(facts_path(told.pk), limit=6, order="asc").json()
    api.append(told, fact("7"))
    second = api.client.get(first["next"]).json()
    assert [one["seq"] for one in second["items"]] == [7]


def test_nobody_reads_the_facts_of_another(api: Api, told: MemoryUser) -> None:
    other = new_person()
    api.append(other, fact("mine"))
    assert [one["text"] for one in api.all(facts_path(other.pk))] == ["mine"]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 201},
        {"limit": "-1"},
        {"limit": "١٠"},
        {"limit": "1.5"},
        {"limit": ""},
        {"cursor": -1},
        {"cursor": "abc"},
        {"cursor": 2**31},
        {"cursor": "9" * 400},
        {"order": "up"},
        {"occurred_from": "yesterday"},
        {"occurred_from": "2025-01-04T12:00:00"},
        {"recorded_to": "5"},
    ],
)
def test_a_query_that_makes_no_sense_is_refused(
    api: Api, told: MemoryUser, query: dict[str, Any]
) -> None:
    answer = api.get(facts_path(told.pk), **query)
    assert answer.status_code == 400
    assert next(iter(query)) in answer.json()["detail"]
    pointers(answer)
