"""The list of people."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import MemoryUser
from tests.api_client import HOST, Api
from tests.facts import allergy, medication
from tests.people import new_person


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    return client


def test_people_are_listed_by_name_with_their_open_alerts(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    new_person(name="Zoe")
    api.append(person, allergy("penicillin", severity="severe"), medication("amoxicillin"))
    text = pages.get("/people").content.decode()
    assert text.index("Ada") < text.index("Zoe")
    assert "1 critical" in text


def test_a_search_finds_names_and_ids_in_any_case(pages: Client, person: MemoryUser) -> None:
    other = new_person(name="Zoe")
    assert "Zoe" in pages.post("/people", {"q": "zO"}).content.decode()
    assert "Ada" not in pages.post("/people", {"q": "zO"}).content.decode()
    assert "Zoe" in pages.post("/people", {"q": other.external_id}).content.decode()


@pytest.mark.parametrize("sought", ["%", "<b>nobody</b>", "\0", "'; --"])
def test_a_search_for_anything_answers_and_is_escaped(
    pages: Client, person: MemoryUser, sought: str
) -> None:
    answer = pages.post("/people", {"q": sought})
    assert answer.status_code == 200
    assert b"<b>nobody" not in answer.content


def test_the_list_needs_few_queries_however_long_it_is(
    pages: Client, person: MemoryUser, django_assert_max_num_queries: object
) -> None:
    for number in range(60):
        new_person(name=f"Person {number}")
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        first = pages.get("/people").content.decode()
    assert "page 1 of 2" in first
    assert "Person 59" in first + pages.get("/people", {"page": 2}).content.decode()


def test_a_site_without_people_says_what_to_do_next(pages: Client) -> None:
    assert "how to post" in pages.get("/people").content.decode()


def test_somebody_who_is_not_staff_is_told_so(outsider: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(outsider)
    assert client.get("/people").status_code == 403


def test_a_stranger_is_asked_to_log_in(transactional_db: None) -> None:
    answer = Client(SERVER_NAME=HOST).get("/people")
    assert answer.status_code == 302
    assert answer["Location"] == "/login?next=/people"
