"""An app sees what asks for code of a person, and where that stands."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.models import MemoryUser, Need
from tests.api_client import Api
from tests.facts import fact
from tests.people import new_person


@pytest.fixture
def path(api: Api, person: MemoryUser, now: datetime) -> str:
    """Where the needs of a person are who has four."""
    api.append(person, fact("one"), fact("two"), fact("three"))
    for seq, status in enumerate(("open", "failed", "met", "open"), 1):
        Need.objects.create(
            user=person,
            fact_seq=seq % 4,
            cause="reading",
            needs="kind",
            status=status,
            reason="types" if status == "failed" else "",
            noted_at=now,
            changed_at=now,
        )
    return f"users/{person.pk}/needs"


def test_needs_are_listed_with_fact_cause_and_status(api: Api, path: str) -> None:
    listed = api.all(path)
    assert [one["status"] for one in listed] == ["open", "met", "failed", "open"]
    assert [one["fact"] for one in listed] == [None, 3, 2, 1]
    failed = listed[2]
    assert (failed["cause"], failed["needs"], failed["reason"]) == ("reading", "kind", "types")
    assert failed["proposal"] is None


def test_they_come_page_by_page_and_by_status(api: Api, path: str) -> None:
    page = api.get(path, limit=2, order="asc").json()
    assert [one["fact"] for one in page["items"]] == [1, 2]
    assert page["next"] is not None
    cursor = page["items"][-1]["id"]
    following = api.get(path, limit=2, order="asc", cursor=cursor).json()
    assert [one["fact"] for one in following["items"]] == [3, None]
    assert [one["fact"] for one in api.get(path, status="failed").json()["items"]] == [2]
    assert api.get(path, status="lost").status_code == 400


def test_those_of_others_are_not_there(api: Api, path: str) -> None:
    other = new_person(name="Bea")
    assert api.get(f"users/{other.pk}/needs").json()["items"] == []
