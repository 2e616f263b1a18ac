"""The console on a person's page, as it works without JavaScript."""

from __future__ import annotations

import html
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import MemoryUser
from tests.api_client import HOST, Api
from tests.facts import allergy, note, trip

HOSTILE = "<script>alert(1)</script>\u202e'\"&{{ 7|add:7 }}"


def logged_in(staff: Staff) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(staff)
    return client


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def traveller(api: Api, person: MemoryUser) -> MemoryUser:
    """Somebody with two trips."""
    api.append(
        person,
        trip("Rome", "2026-03-01", country="Italy", returns_on="2026-03-09"),
        trip("Oslo", "2026-05-01", country="Norway"),
    )
    return person


def run(client: Client, person: MemoryUser, code: str, **more: Any) -> str:
    answer = client.post(f"/people/{person.pk}/query?tab=query", {"code": code}, **more)
    assert answer.status_code == 200
    return answer.content.decode()


def cells(text: str) -> list[list[str]]:
    """The rows of the answer's table."""
    body = re.search(r"<tbody>(.*?)</tbody>", text, re.DOTALL)
    assert body
    rows = re.findall(r"<tr>(.*?)</tr>", body[1])
    return [re.findall(r'<span dir="auto">(.*?)</span>', row) for row in rows]


def heads(text: str) -> list[str]:
    """The names above the answer's columns."""
    return re.findall(r'<th scope="col".*?>(.*?)</th>', text)


def test_the_tab_shows_what_there_is_to_ask_about(pages: Client, traveller: MemoryUser) -> None:
    text = pages.get(f"/people/{traveller.pk}", {"tab": "query"}).content.decode()
    assert re.search(r'id="collection-trips" open><summary><code>trips</code>', text)
    assert "<dt><code>departs_on</code></dt><dd><code>date | None</code></dd>" in text
    assert "holds for fact" not in text


def test_every_example_on_the_page_gives_an_answer(pages: Client, traveller: MemoryUser) -> None:
    text = pages.get(f"/people/{traveller.pk}", {"tab": "query"}).content.decode()
    examples = [html.unescape(one) for one in re.findall(r'name="example" value="(.*?)"', text)]
    assert "len(trips)" in examples
    assert len(examples) >= 3
    for example in examples:
        answer = pages.post(
            f"/people/{traveller.pk}/query?tab=query", {"code": "x", "example": example}
        )
        assert 'class="card pad result"' in answer.content.decode(), example
        assert html.escape(example) in answer.content.decode().replace("&#x27;", "&#39;")


def test_one_value_stands_large(pages: Client, traveller: MemoryUser) -> None:
    text = run(pages, traveller, "len(trips)")
    assert '<p class="value large number"><bdi>2</bdi></p>' in text
    assert re.search(r"holds for fact 2,.*read <code>trips</code>", text)
    assert ">len(trips)</textarea>" in text
    assert 'aria-current="page">Query' in text


def test_records_are_a_table_of_their_fields(pages: Client, traveller: MemoryUser) -> None:
    text = run(pages, traveller, "sorted(trips, key=lambda t: t.id)")
    assert heads(text)[:4] == ["id", "destination", "country", "departs_on"]
    first, second = cells(text)
    assert first[:5] == ["oslo-2026-05-01", "Oslo", "Norway", "2026-05-01", "None"]
    assert second[4] == "2026-03-09"
    assert '<td class="time"><span dir="auto">2026-05-01</span>' in text
    assert '<td class="nothing"><span dir="auto">None</span>' in text
    assert "2 records" in text


@pytest.mark.parametrize(
    ("code", "head", "rows"),
    [
        ("{t.country: 1 for t in trips}", ["Key", "Value"], [["Norway", "1"], ["Italy", "1"]]),
        ("[(t.id[:4], 1) for t in trips]", ["0", "1"], [["oslo", "1"], ["rome", "1"]]),
        ("[{'a': 1}, {'b': True}]", ["a", "b"], [["1", ""], ["", "True"]]),
        ("['x', '']", ["#", "Value"], [["0", "x"], ["1", "empty text"]]),
        ("{'x': {'n': 1}, 'y': {'n': 2}}", ["Key", "n"], [["x", "1"], ["y", "2"]]),
        ("{2, 1}", ["#", "Value"], [["0", "1"], ["1", "2"]]),
        ("{'x': [], 'y': [1, 2]}", ["Key", "Value"], [["x", "empty"], ["y", "1, 2"]]),
    ],
)  # fmt: skip
def test_many_values_are_a_table(
    pages: Client, traveller: MemoryUser, code: str, head: list[str], rows: list[list[str]]
) -> None:
    text = run(pages, traveller, code)
    assert heads(text) == head
    assert cells(text) == rows


def test_a_long_table_shows_its_beginning_and_says_so(pages: Client, person: MemoryUser) -> None:
    text = run(pages, person, "[{'n': n} for n in range(1_234)]")
    assert len(cells(text)) == 200
    assert "The first 200 of 1,234 items." in text


def test_what_was_printed_stands_beside(pages: Client, person: MemoryUser) -> None:
    text = run(pages, person, "print('a\\nb')\nNone")
    assert '<pre class="printed" dir="auto">a\nb\n</pre>' in text


def test_an_error_points_at_its_place(pages: Client, traveller: MemoryUser) -> None:
    text = run(pages, traveller, "x = 1\r\ntrips[0].contry")
    assert "Line 2, column 10" in text
    assert "Trip has no field contry; did you mean country?" in text
    assert '<span class="source">trips[0].contry</span>\n' in text
    assert '<span class="caret" aria-hidden="true">         ^^^^^^</span>' in text
    assert ">x = 1\ntrips[0].contry</textarea>" in text


def test_a_doubt_stands_below_the_answer(pages: Client, traveller: MemoryUser) -> None:
    text = run(pages, traveller, 'len([t for t in trips if t.status == "bokked"])')
    assert '<p class="value large number"><bdi>0</bdi></p>' in text
    assert "did you mean booked?" in text


def test_without_code_it_says_what_to_do(pages: Client, person: MemoryUser) -> None:
    assert "Write a query first" in run(pages, person, " \r\n ")


def test_a_script_gets_the_answer_alone(pages: Client, traveller: MemoryUser) -> None:
    text = run(pages, traveller, "len(trips)", headers={"X-Requested-With": "fetch"})
    assert text.lstrip().startswith('<section class="card pad result">')
    assert "<html" not in text


@pytest.mark.parametrize(
    "code", ["notes[0].text", "notes", "print(notes[0].text)", "{}[notes[0].text]"]
)
def test_hostile_facts_stay_text(api: Api, pages: Client, person: MemoryUser, code: str) -> None:
    api.append(person, note(HOSTILE))
    text = run(pages, person, code)
    assert "<script>alert" not in text
    assert "{{ 7|add:7 }}" in text.replace("&#x27;", "'")
    assert run(pages, person, HOSTILE).count("<script>alert") == 0


def test_who_may_not_see_the_person_may_not_ask(
    pages: Client, outsider: Staff, person: MemoryUser
) -> None:
    address = f"/people/{person.pk}/query"
    absent = pages.post(f"/people/{uuid.uuid4()}/query", {"code": "1"})
    assert absent.status_code == 404
    assert logged_in(outsider).post(address, {"code": "1"}).status_code == 404
    assert Client(SERVER_NAME=HOST).post(address, {"code": "1"}).status_code == 302


def test_who_comes_back_to_the_address_finds_the_console(pages: Client, person: MemoryUser) -> None:
    answer = pages.get(f"/people/{person.pk}/query")
    assert (answer.status_code, answer["Location"]) == (302, f"/people/{person.pk}?tab=query")


def test_a_form_from_elsewhere_is_refused(caregiver: Staff, person: MemoryUser) -> None:
    client = Client(SERVER_NAME=HOST, enforce_csrf_checks=True)
    client.force_login(caregiver)
    assert client.post(f"/people/{person.pk}/query", {"code": "1"}).status_code == 403


def test_nobody_with_nothing_has_a_console_too(api: Api, pages: Client, person: MemoryUser) -> None:
    text = pages.get(f"/people/{person.pk}", {"tab": "query"}).content.decode()
    assert "examples-title" not in text
    api.append(person, allergy("nuts"))
    text = pages.get(f"/people/{person.pk}", {"tab": "query"}).content.decode()
    assert 'value="len(allergies)"' in text
