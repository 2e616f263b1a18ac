"""The question box on a person's page, as it works without JavaScript."""

from __future__ import annotations

import html
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import AuditEvent, MemoryUser
from tests.api_client import HOST, Api
from tests.facts import note, trip
from tests.memory.answering.conftest import UNKNOWN, query, quote, text
from tests.memory.checkpointer.conftest import server
from tests.model_server import Script, answers, status

__all__ = ["server"]

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    return client


@pytest.fixture
def traveller(api: Api, person: MemoryUser) -> MemoryUser:
    """Somebody with three trips and a hostile note."""
    api.append(
        person,
        trip("Rome", "2026-03-01", country="Italy"),
        trip("Oslo", "2026-05-01", country="Norway"),
        trip("Milan", "2026-06-01", country="Italy"),
        note(f"Ann says {HOSTILE} twice."),
    )
    turn = {"role": "user", "content": "A secret about Ann."}
    api.post(f"users/{person.pk}/messages", {"messages": [turn]})
    return person


def ask(client: Client, person: MemoryUser, question: str, **more: Any) -> str:
    answer = client.post(f"/people/{person.pk}/ask?tab=query", {"question": question}, **more)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_answer_comes_with_its_query_to_edit_and_what_it_rests_on(
    pages: Client, traveller: MemoryUser, server: Script
) -> None:
    code = 'rests_on = [t for t in trips if t.country == "Italy"]\nlen(rests_on)'
    server.plays(answers(query(code, "You have {value} trips to Italy.")))
    page = ask(pages, traveller, "How many trips to Italy?")
    shown = html.unescape(page)
    assert '<span dir="auto">You have 2 trips to Italy.</span>' in page
    assert f'dir="ltr" aria-describedby="query-about">{code}\n</textarea>' in shown
    assert f'name="example" value="{code}\n" id="ask-code"' in shown
    assert "Rests on 2 records" in page
    assert 'tab=facts&amp;before=4">3</a>' in page
    assert ">How many trips to Italy?</textarea>" in page
    assert AuditEvent.objects.filter(object_kind="person_ask", person_id=traveller.pk).exists()


def test_groups_are_a_table_and_a_chart(
    pages: Client, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(query("count_by(trips, lambda t: t.country)", "By country: {value}.")))
    page = ask(pages, traveller, "How many trips by country?")
    assert "By country: Italy: 2, Norway: 1." in page
    assert '<figure class="chart bars"' in page
    assert "<title>Italy: 2</title>" in page
    assert '<th scope="col">Key</th>' in page
    assert "style=" not in page.partition('class="card pad result asked"')[2].partition("</sec")[0]


def test_quotes_of_facts_alone_are_for_who_may_not_read_messages(
    pages: Client, traveller: MemoryUser, server: Script
) -> None:
    server.plays(answers(text("Ann does.", quote(4, f"Ann says {HOSTILE}"))))
    page = ask(pages, traveller, "Who says what? Ann?")
    assert HOSTILE not in page
    assert html.escape(f"Ann says {HOSTILE}") in page
    assert "fact 4</a>" in page
    assert "secret" not in server.requests[0]["messages"][0]["content"]


def test_what_is_not_known_says_so(pages: Client, traveller: MemoryUser, server: Script) -> None:
    server.plays(answers(UNKNOWN))
    page = ask(pages, traveller, "Where is Bob?", headers={"X-Requested-With": "fetch"})
    assert page.lstrip().startswith('<section class="card pad result asked">')
    assert "Not known." in page
    assert "that were looked at tell it" in page


def test_what_never_passed_is_told(pages: Client, traveller: MemoryUser, server: Script) -> None:
    server.plays(answers(query("4", HOSTILE + "{value}")))
    page = ask(pages, traveller, "How many?")
    assert "No answer of the model passed the checks" in page
    assert "1 stands neither in the question nor in the quotes" in page
    assert HOSTILE not in page


def test_a_model_that_does_not_answer_leaves_the_console(
    pages: Client, traveller: MemoryUser, server: Script
) -> None:
    server.plays(status(500))
    page = ask(pages, traveller, "How many?")
    assert "The model did not answer" in page
    assert 'id="query-code"' in page
    assert page.count('class="notice warning"') == 1


@pytest.mark.parametrize(
    ("question", "told"),
    [(" \r\n", "Write a question first."), ("x" * 2_001, "at most 2,000 characters")],
)
def test_what_is_no_question_is_not_asked(
    pages: Client, person: MemoryUser, server: Script, question: str, told: str
) -> None:
    assert told in ask(pages, person, question)
    assert server.requests == []


def test_without_a_model_there_is_the_console_alone(pages: Client, person: MemoryUser) -> None:
    page = pages.get(f"/people/{person.pk}", {"tab": "query"}).content.decode()
    assert 'id="ask-question"' not in page
    assert "ask in Python" in page
    assert "No language model is configured" in ask(pages, person, "Where?")


def test_who_may_not_see_the_person_may_not_ask(
    pages: Client, outsider: Staff, person: MemoryUser, server: Script
) -> None:
    stranger = Client(SERVER_NAME=HOST)
    stranger.force_login(outsider)
    for client, user_id in ((pages, uuid.uuid4()), (stranger, person.pk)):
        assert client.post(f"/people/{user_id}/ask", {"question": "x"}).status_code == 404
    assert server.requests == []
    back = pages.get(f"/people/{person.pk}/ask")
    assert (back.status_code, back["Location"]) == (302, f"/people/{person.pk}?tab=query")
    strict = Client(SERVER_NAME=HOST, enforce_csrf_checks=True)
    strict.force_login(Staff.objects.get(username="caregiver"))
    assert strict.post(f"/people/{person.pk}/ask", {"question": "x"}).status_code == 403
