"""What asks for code is on the person's pages, with what it waits for and a button to ask again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from pytest_django import Settings

from memory.models import Job, MemoryUser, Need, Proposal, ProposalOrigin, ToRead
from tests.api_client import HOST, Api
from tests.facts import fact
from tests.proposals import FAILED, proposed, with_files

HOSTILE = "<script>alert(1)</script>'\"&{{ 7|add:7 }}"


@pytest.fixture
def model(settings: Settings) -> None:
    """A model that could be asked, at an address where none is."""
    address = "http://127.0.0.1:9/v1"
    settings.MODEL = {**settings.MODEL, "base_url": address, "models": {"": "small"}}


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    return client


@pytest.fixture
def boat(api: Api, person: MemoryUser) -> None:
    """A fact that fits nothing, of which a model said that it needs nothing."""
    api.append(person, fact("My boat is the Anna"))
    found = [{"fact": 1, "quote": "boat: Anna", "fit": "none", "needs": "nothing", "doubts": []}]
    ToRead.objects.filter(user=person).update(status="read", found=found)


def noted(person: MemoryUser, now: datetime, **more: Any) -> Need:
    said = {"fact_seq": 1, "cause": "reading", "needs": "kind", **more}
    return Need.objects.create(user=person, noted_at=now, changed_at=now, **said)


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_without_a_model_it_says_what_waits_and_for_what(
    pages: Client, person: MemoryUser, boat: None, now: datetime
) -> None:
    noted(person, now)
    text = text_of(pages, f"/people/{person.pk}/needs")
    assert "waits for a model" in text
    assert "My boat is the Anna" in text
    assert "boat: Anna" in text
    assert "what was said has no place, or asks for a rule" in text
    assert "Ask the model now" not in text
    for page in ("", "/code"):
        text = text_of(pages, f"/people/{person.pk}{page}")
        assert "waits for a model" in text
        assert f'href="/people/{person.pk}/needs"' in text


def test_with_a_model_somebody_may_ask_now(
    pages: Client, person: MemoryUser, boat: None, now: datetime, model: None
) -> None:
    noted(person, now)
    Job.objects.all().delete()
    assert "waits for a proposal" in text_of(pages, f"/people/{person.pk}/needs")
    answer = pages.post(f"/people/{person.pk}/needs/ask", follow=True)
    assert "a model is writing code" in answer.content.decode()
    assert Job.objects.filter(name="structure", user=person).exists()


def test_a_failed_one_shows_its_reason_and_is_tried_again(
    pages: Client, person: MemoryUser, boat: None, now: datetime, model: None
) -> None:
    need = noted(person, now, status="failed", reason=HOSTILE)
    text = text_of(pages, f"/people/{person.pk}/needs")
    assert "&lt;script&gt;alert(1)" in text
    assert HOSTILE not in text
    assert "1 failed</span> 1 asks for code" in text_of(pages, f"/people/{person.pk}")
    answer = pages.post(f"/needs/{need.pk}/again", follow=True)
    assert "a model is writing code" in answer.content.decode()
    need.refresh_from_db()
    assert need.status == "open"
    answer = pages.post(f"/needs/{need.pk}/again", follow=True)
    assert "meanwhile" in answer.content.decode()


def test_code_is_asked_for_a_fact_that_fits_nothing(
    pages: Client, person: MemoryUser, boat: None
) -> None:
    where = f"/people/{person.pk}/needs"
    assert "Fits no kind" in text_of(pages, where)
    answer = pages.post(f"{where}/ask", {"fact": "1"}, follow=True)
    assert "waits until a language model is configured" in answer.content.decode()
    assert [(one.fact_seq, one.cause) for one in Need.objects.all()] == [(1, "request")]
    assert "Fits no kind" not in text_of(pages, where)
    answer = pages.post(f"{where}/ask", {"fact": "99"}, follow=True)
    assert "There is no such fact" in answer.content.decode()


def test_attempts_that_failed_are_listed_with_the_reason(
    pages: Client, api: Api, person: MemoryUser, boat: None
) -> None:
    project = with_files(person, {"rules/bad.py": "# bad\n"})
    proposed(person, project, origin=ProposalOrigin.MODEL, model="small", checks=[FAILED])
    assert Proposal.objects.get().status == "failed"
    for address in (f"/people/{person.pk}/needs", "/proposals?status=failed"):
        assert "types: line 3" in text_of(pages, address)
    assert "written by <bdi>small" in text_of(pages, "/proposals?status=failed")


def test_the_page_is_not_there_for_others(
    person: MemoryUser, boat: None, outsider: Staff, now: datetime
) -> None:
    need = noted(person, now, status="failed")
    client = Client(SERVER_NAME=HOST)
    client.force_login(outsider)
    assert client.get(f"/people/{person.pk}/needs").status_code == 404
    assert client.post(f"/needs/{need.pk}/again").status_code == 404
    need.refresh_from_db()
    assert need.status == "failed"
