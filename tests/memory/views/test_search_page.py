"""Search on a person's page, as it works without JavaScript."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import AuditEvent, MemoryUser
from memory.rights import Role
from tests.api_client import HOST, Api
from tests.facts import allergy, fact, note
from tests.people import new_person
from tests.staff import new_staff

HOSTILE = "<script>alert(1)</script>\u202e'\"&{{ 7|add:7 }}"


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    return client


def _search(client: Client, person: MemoryUser, q: str, **more: Any) -> str:
    answer = client.post(f"/people/{person.pk}/search", {"q": q, **more})
    assert answer.status_code == 200
    text: str = answer.content.decode()
    return text


def _hits(text: str) -> list[int]:
    listed = re.search(r'<ol class="card hits".*?</ol>', text, re.DOTALL)
    found = [] if listed is None else re.findall(r'<p class="seq"><a [^>]*>F(\d+)<', listed[0])
    return [int(seq) for seq in found]


def test_words_are_marked_and_lead_to_the_fact(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, note("I like walking"), fact("Penicillins & I do not agree", source="diary"))
    text = _search(pages, person, "does penicillin agree")
    assert _hits(text) == [2]
    assert "<mark>Penicillins</mark> &amp; I do not <mark>agree</mark>" in text
    assert f'href="/people/{person.pk}?tab=facts&amp;before=3#F2"' in text
    assert "left out: <bdi>does</bdi>" in text
    assert "diary" in text
    assert 'aria-current="page">Search' in text


def test_what_was_said_and_asked_is_only_text(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, fact(f"script {HOSTILE}", source=HOSTILE, session=HOSTILE))
    text = _search(pages, person, f"alert script {HOSTILE}", session=HOSTILE)
    assert "<script>" not in text.replace("<script type", "")
    assert "{{ 7|add:7 }}" in html.unescape(text)
    assert ">14<" not in text
    assert _hits(text) == [1]
    assert "&lt;<mark>script</mark>&gt;<mark>alert</mark>" in text


def test_a_corrected_fact_is_marked(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    api.append(person, fact("It was milk", corrects=1))
    text = _search(pages, person, "penicillin")
    assert "corrected</span> by" in text
    assert "before=3#F2" in text


@pytest.mark.parametrize(
    ("narrowed", "seqs"),
    [
        ({}, [1, 2, 3]),
        ({"kind": "notes.Note"}, [1]),
        ({"kind": "health."}, [2]),
        ({"source": "diary"}, [3]),
        ({"session": "none of that"}, []),
        ({"since": "2026-03-02"}, [1, 2]),
        ({"until": "2026-03-01"}, [3]),
        ({"until": "2026-02-28"}, []),
        ({"known_on": "2026-03-01"}, []),
        ({"known_on": "9999-12-31", "since": "0001-01-01", "until": "soon"}, [1, 2, 3]),
    ],
)
def test_it_is_narrowed_by_the_form(
    pages: Client, api: Api, person: MemoryUser, narrowed: dict[str, str], seqs: list[int]
) -> None:
    occurred = datetime(2026, 3, 1, 23, tzinfo=UTC).isoformat()
    api.append(
        person, note("tea"), allergy("tea"), fact("tea", occurred_at=occurred, source="diary")
    )
    assert sorted(_hits(_search(pages, person, "tea", **narrowed))) == seqs


def test_more_goes_on_where_the_page_ended(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, *(fact(f"tea number {number}") for number in range(45)))
    seen: list[int] = []
    more: dict[str, str] = {}
    for _ in range(3):
        text = _search(pages, person, "tea", source="", **more)
        seen += _hits(text)
        api.append(person, fact("tea tea tea"))
        at = re.search(r'name="at" value="([\d-]+)"', text)
        more = {"at": at[1]} if at else {}
    assert not more
    assert sorted(seen) == list(range(1, 46))


def test_messages_are_not_shown_to_who_may_not_read_them(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    turn = {"messages": [{"role": "user", "content": "quixotamol"}], "session": "s"}
    assert api.post(f"users/{person.pk}/messages", turn).status_code == 201
    text = _search(pages, person, "quixotamol")
    assert "Nothing was found" in text
    assert _hits(text) == []


def test_nothing_asked_is_the_empty_form(pages: Client, person: MemoryUser) -> None:
    assert "Nothing was found" not in _search(pages, person, " ")
    assert "say nothing by themselves" in _search(pages, person, "what was it")
    answer = pages.get(f"/people/{person.pk}/search")
    assert answer["Location"] == f"/people/{person.pk}?tab=search"
    assert pages.get(answer["Location"]).status_code == 200


def test_it_is_recorded_as_a_read_and_its_words_nowhere(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    _search(pages, person, "quixotamol")
    event = AuditEvent.objects.filter(person_id=person.pk).latest("pk")
    assert event.actor_id == str(caregiver.pk)
    assert "quixotamol" not in str(vars(event))


def test_others_do_not_find_the_page(person: MemoryUser, outsider: Staff) -> None:
    stranger = new_person(placed=False)
    reviewer = new_staff("reviewer only", Role.REVIEWER)
    for staff, whom in ((outsider, person), (reviewer, person), (reviewer, stranger)):
        client = Client(SERVER_NAME=HOST)
        client.force_login(staff)
        assert client.post(f"/people/{whom.pk}/search", {"q": "tea"}).status_code == 404
