"""The OpenAPI description is valid, and what the API answers is what it describes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import jsonschema
import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import call_command
from django.test import Client

from memory.api.fields import Strict
from memory.models import MemoryUser
from tests.api_client import HOST, Api
from tests.facts import allergy, fact, medication, reading, trip
from uac_site.urls import api as resources

TURN = {"role": "user", "content": "x"}


@pytest.fixture(scope="module")
def description() -> dict[str, Any]:
    """The description, validated and without a warning."""
    out = StringIO()
    call_command(
        "spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", stdout=out
    )
    described: dict[str, Any] = json.loads(out.getvalue())
    return described


def _validate(description: dict[str, Any], schema: dict[str, Any], value: Any) -> None:
    whole = {**schema, "components": description["components"]}
    jsonschema.Draft202012Validator(whole).validate(value)


def _check(description: dict[str, Any], path: str, method: str, answer: Any) -> None:
    """The answer is one that the description names for this operation."""
    operation = description["paths"][f"/api/v1/{path}"][method]
    described = operation["responses"][str(answer.status_code)]["content"]
    kind = answer["Content-Type"].split(";")[0]
    assert kind in described
    _validate(description, described[kind]["schema"], answer.json())


def test_every_answer_is_as_described(
    api: Api, person: MemoryUser, description: dict[str, Any]
) -> None:
    own = f"users/{person.pk}"
    posted = [
        ("users", "users", {"external_id": "ada"}),
        ("users", "users", {"external_id": "ada"}),
        ("users", "users", {}),
        ("users/{user_id}/messages", f"{own}/messages", {"messages": [TURN]}),
        ("users/{user_id}/messages", f"{own}/messages", {"messages": []}),
        ("users/{user_id}/facts", f"{own}/facts", allergy("penicillin", noted_on="2020-01-01")),
        ("users/{user_id}/facts", f"{own}/facts", medication("Amoxicillin")),
        ("users/{user_id}/facts", f"{own}/facts", medication("Amoxicillin", "retract")),
        ("users/{user_id}/facts", f"{own}/facts", {"facts": [fact("x", metadata={"a": [1.5]})]}),
        ("users/{user_id}/facts", f"{own}/facts", fact("x", reading("no.Kind"))),
        ("users/{user_id}/facts", f"{own}/facts", {"facts": [trip("Rome", "soon")]}),
        ("users/{user_id}/query", f"{own}/query", {"code": "allergies, {1.5: today}"}),
        ("users/{user_id}/query", f"{own}/query", {"code": "allergies[0].reaction.lower()"}),
        ("users/{user_id}/query", f"{own}/query", {"code": "allergiez"}),
        ("users/{user_id}/query", f"{own}/query", {"code": 1}),
        ("users/{user_id}/ask", f"{own}/ask", {"question": "Where?"}),
        ("users/{user_id}/ask", f"{own}/ask", {"question": ""}),
    ]  # fmt: skip
    for path, address, body in posted:
        _check(description, path, "post", api.post(address, body))
    for path, address in (
        ("users/{user_id}", own),
        ("users/{user_id}/facts", f"{own}/facts"),
        ("users/{user_id}/messages", f"{own}/messages"),
        ("users/{user_id}/state", f"{own}/state"),
        ("users/{user_id}/state/{kind}", f"{own}/state/health.Allergy"),
        ("users/{user_id}/alerts", f"{own}/alerts"),
        ("users/{user_id}/code", f"{own}/code"),
        ("users/{user_id}/code/file", f"{own}/code/file?path=manifest.py"),
        ("users/{user_id}/code/file", f"{own}/code/file?path=none.py"),
        ("users/{user_id}/code/versions", f"{own}/code/versions"),
        ("users/{user_id}/code/compare", f"{own}/code/compare"),
        ("users/{user_id}/code/compare", f"{own}/code/compare?to=x"),
        ("users/{user_id}/facts", f"{own}/facts?limit=no"),
        ("users/{user_id}/state/{kind}", f"{own}/state/no.Kind"),
    ):
        _check(description, path, "get", api.get(address))
        _check(description, path, "get", Api(None).get(address))
    _check(description, "users", "get", api.get("users", external_id="ada"))


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        (allergy("latex"), True),
        ({"facts": [fact("a"), fact("b", occurred_at="2025-01-01T00:00:00Z")]}, True),
        ({"facts": []}, False),
        ({"text": ""}, False),
        ({"text": "x", "occured_at": "2025-01-01T00:00:00Z"}, False),
    ],
)
def test_the_description_of_a_post_agrees_with_what_is_taken(
    api: Api, person: MemoryUser, description: dict[str, Any], body: Any, fits: bool
) -> None:
    path = description["paths"]["/api/v1/users/{user_id}/facts"]["post"]
    schema = path["requestBody"]["content"]["application/json"]["schema"]
    try:
        _validate(description, schema, body)
        described = True
    except jsonschema.ValidationError:
        described = False
    taken = api.post(f"users/{person.pk}/facts", body).status_code == 201
    assert (described, taken) == (fits, fits)


def test_every_operation_names_the_key_it_needs(description: dict[str, Any]) -> None:
    assert description["components"]["securitySchemes"]["appKey"]["scheme"] == "bearer"
    for path, operations in description["paths"].items():
        if path not in ("/api/v1/schema", "/api/v1/docs"):
            for operation in operations.values():
                assert operation["security"] == [{"appKey": []}]
                assert operation["description"]


def test_posts_describe_the_idempotency_key(description: dict[str, Any]) -> None:
    for what in ("facts", "messages"):
        parameters = description["paths"][f"/api/v1/users/{{user_id}}/{what}"]["post"]["parameters"]
        assert "Idempotency-Key" in [parameter["name"] for parameter in parameters]


@pytest.mark.parametrize("path", ["/api/v1/schema", "/api/v1/docs"])
def test_the_description_and_its_page_are_for_who_is_logged_in(caregiver: Staff, path: str) -> None:
    client = Client(SERVER_NAME=HOST)
    assert client.get(path).status_code in (401, 403)
    client.force_login(caregiver)
    assert client.get(path).status_code == 200


def _shapes(of: type[Strict]) -> Iterator[type[Strict]]:
    for shape in of.__subclasses__():
        yield shape
        yield from _shapes(shape)


def test_no_two_shapes_share_a_name() -> None:
    """One would describe the other's answers: a component of the schema is known by its name."""
    assert resources  # every one of them has been imported
    places: dict[str, set[str]] = {}
    for shape in _shapes(Strict):
        places.setdefault(shape.__name__, set()).add(shape.__module__)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
