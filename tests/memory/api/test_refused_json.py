"""What cannot be stored and read back as it came is refused at the door, on both engines alike."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pytest_django import Settings

from memory.models import Fact, MemoryUser
from tests.api_client import Api, facts_path, pointers


def _body(inner: str) -> bytes:
    return b'{"text": "x", "metadata": {"value": ' + inner.encode() + b"}}"


NOT_JSON: dict[str, bytes] = {
    "no JSON": b"text=hello",
    "half an object": b'{"text": "x"',
    "two values": b'{"text": "x"} {"text": "y"}',
    "NaN": _body("NaN"),
    "Infinity": _body("Infinity"),
    "-Infinity": _body("-Infinity"),
    "a float too large": _body("1e400"),
    "a float too small": _body("-1e999"),
    "an integer of five thousand digits": _body("1" * 5_000),
    "a name twice": b'{"text": "x", "text": "y"}',
    "a name twice deep inside": _body('[{"a": 1, "a": 1}]'),
    "invalid UTF-8": b'{"text": "\xff\xfe"}',
    "half a surrogate pair in bytes": b'{"text": "\xed\xa0\x80"}',
    "UTF-16": '{"text": "x"}'.encode("utf-16"),
    "a raw NUL": b'{"text": "a\x00b"}',
    "nesting without end": b"[" * 200_000,
    "nested a thousand deep": _body("[" * 1_000 + "]" * 1_000),
    "nested three hundred deep": _body('{"a":' * 300 + "1" + "}" * 300),
}
NOT_STORABLE: dict[str, tuple[bytes, str]] = {
    "NUL in the text": (b'{"text": "a\\u0000b"}', "/text"),
    "NUL in metadata": (_body('["a", "\\u0000"]'), "/metadata/value/1"),
    "NUL in a name": (b'{"text": "x", "metadata": {"a\\u0000": 1}}', "/metadata/"),
    "half a surrogate pair": (b'{"text": "\\ud83d"}', "/text"),
    "the other half": (_body('"\\udc00 x"'), "/metadata/value"),
    "a reading's data": (
        b'{"text": "x", "readings": [{"kind": "notes.Note", "data": {"text": "\\u0000"}}]}',
        "/readings/0/data/text",
    ),
}


@pytest.mark.parametrize("case", NOT_JSON)
def test_is_not_json(api: Api, person: MemoryUser, case: str) -> None:
    answer = api.post(facts_path(person.pk), NOT_JSON[case], raw=True)
    assert answer.status_code == 400
    assert answer.json()["title"] == "Not JSON"
    pointers(answer)
    assert not Fact.objects.filter(user=person).exists()


def test_no_body_lacks_a_text(api: Api, person: MemoryUser) -> None:
    answer = api.post(facts_path(person.pk), b"", raw=True)
    assert answer.status_code == 422
    assert pointers(answer) == {"/text": "text is missing"}


@pytest.mark.parametrize("case", NOT_STORABLE)
def test_cannot_be_stored(api: Api, person: MemoryUser, case: str) -> None:
    body, pointer = NOT_STORABLE[case]
    answer = api.post(facts_path(person.pk), body, raw=True)
    assert answer.status_code == 400
    assert list(pointers(answer)) == [pointer]
    assert not Fact.objects.filter(user=person).exists()


@pytest.mark.parametrize(("depth", "status"), [(98, 201), (99, 400), (200, 400), (900, 400)])
def test_a_hundred_levels_are_the_most(
    api: Api, person: MemoryUser, depth: int, status: int
) -> None:
    inner = "[" * depth + '"\\u00e9"' + "]" * depth  # metadata and the body are two levels more
    assert api.post(facts_path(person.pk), _body(inner), raw=True).status_code == status
    assert len(api.all(facts_path(person.pk))) == (status == 201)


def test_deep_data_is_refused_by_its_kind(api: Api, person: MemoryUser) -> None:
    value: Any = "deep"
    for _ in range(90):
        value = [value]
    wrong = {"kind": "notes.Note", "data": {"text": value}}
    answer = api.post(facts_path(person.pk), {"text": "x", "readings": [wrong]})
    assert list(pointers(answer)) == ["/readings/0/data/text"]


@pytest.mark.parametrize("body", ["[]", '"text"', "5", "null", "true", "[[{}]]"])
def test_json_that_is_no_object_does_not_fit(api: Api, person: MemoryUser, body: str) -> None:
    answer = api.post(facts_path(person.pk), body.encode(), raw=True)
    assert answer.status_code == 422
    pointers(answer)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json"]
)
def test_another_content_type_is_not_read(api: Api, person: MemoryUser, kind: str) -> None:
    address = f"/api/v1/{facts_path(person.pk)}"
    answer = api.client.generic("POST", address, b'{"text": "x"}', content_type=kind)
    assert answer.status_code == 415
    pointers(answer)


def test_a_charset_beside_the_content_type_does_no_harm(api: Api, person: MemoryUser) -> None:
    answer = api.client.generic(
        "POST",
        f"/api/v1/{facts_path(person.pk)}",
        '{"text": "é"}'.encode(),
        content_type="application/json; charset=utf-8",
    )
    assert answer.status_code == 201


def test_a_body_past_the_limit_is_refused_as_too_large(
    api: Api, person: MemoryUser, settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    fits = json.dumps({"text": "x" * 900}).encode()
    assert api.post(facts_path(person.pk), fits, raw=True).status_code == 201
    answer = api.post(facts_path(person.pk), {"text": "x" * 1_000})
    assert answer.status_code == 413
    assert "1000 bytes" in answer.json()["detail"]


def test_a_text_of_a_million_characters_is_the_most(api: Api, person: MemoryUser) -> None:
    assert api.post_facts(person, {"text": "é" * 1_000_000}).status_code == 201
    answer = api.post_facts(person, {"text": "x" * 1_000_001})
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/text"]


@pytest.mark.parametrize(
    "query",
    [
        "facts?source=%00",
        "facts?session=a%00",
        "facts?kind=%00",
        "messages?session=%00",
        "state/health.Allergy?cursor=%00",
        "state/%00",
        "facts?occurred_from=%00",
        "facts?source=%ED%A0%80",
    ],
)
def test_a_query_with_nul_or_broken_text_does_not_break_the_server(
    api: Api, person: MemoryUser, query: str
) -> None:
    answer = api.client.get(f"/api/v1/users/{person.pk}/{query}")
    assert answer.status_code in (200, 400, 404)


def test_nobody_is_called_nul(api: Api) -> None:
    answer = api.client.get("/api/v1/users?external_id=%00")
    assert answer.status_code in (400, 404)
    assert api.post("users", {"external_id": "a\x00"}).status_code == 400


def test_every_refusal_is_a_problem_document(api: Api, person: MemoryUser) -> None:
    address = f"/api/v1/{facts_path(person.pk)}"
    answers = [
        api.client.delete(address),
        api.client.put(address, "{}", content_type="application/json"),
        api.get(facts_path(person.pk), limit="many"),
        api.get("users"),
        api.get(f"users/{person.pk}/state/no.Kind"),
    ]
    assert [answer.status_code for answer in answers] == [405, 405, 400, 400, 404]
    for answer in answers:
        pointers(answer)
