"""Every method of the client is an operation of the API, as the OpenAPI schema describes it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from inspect import Parameter, signature
from typing import Any, get_args

import pytest
from drf_spectacular.generators import SchemaGenerator
from pydantic import BaseModel

from uac_site.client import AsyncUacClient, UacClient, calls
from uac_site.client.calls import Call, plain
from uac_site.client.inputs import NewFact, NewMessage, NewReading

MAKERS = {
    name: make
    for name, make in vars(calls).items()
    if callable(make) and getattr(make, "__module__", "") == calls.__name__
    and not name.startswith("_") and name not in ("Call", "plain")
}  # fmt: skip
SAMPLES: Mapping[str, Any] = {
    "user_id": "USER",
    "facts": [{"text": "x"}],
    "messages": [{"role": "user", "content": "x"}],
    "kind": "KIND",
    "as_of": 1,
}
Schema = Mapping[str, Any]


@pytest.fixture(scope="module")
def schema() -> Schema:
    """The description of the API."""
    found: Schema = SchemaGenerator().get_schema(request=None, public=True)
    return found


def _call(name: str) -> Call[Any]:
    """A call with every argument given."""
    arguments = signature(MAKERS[name]).parameters.values()
    positional = [_sample(one) for one in arguments if one.kind != Parameter.KEYWORD_ONLY]
    named = {one.name: _sample(one) for one in arguments if one.kind == Parameter.KEYWORD_ONLY}
    call: Call[Any] = MAKERS[name](*positional, **named)
    return call


def _sample(parameter: Parameter) -> Any:
    return SAMPLES.get(parameter.name, f"a {parameter.name}")


def _operation(schema: Schema, call: Call[Any]) -> Schema:
    """The operation at the call's address."""
    address = f"/api/v1/{call.path}"
    for path, operations in schema["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", r"(USER|KIND)", path), address):
            found: Schema = operations[call.method.lower()]
            return found
    raise AssertionError(f"no operation at {address}")


@pytest.mark.parametrize("name", MAKERS)
def test_a_method_asks_what_the_api_answers(schema: Schema, name: str) -> None:
    call = _call(name)
    operation = _operation(schema, call)
    declared = {one["name"]: one["in"] for one in operation.get("parameters", ())}
    for parameter in call.query:
        assert declared.get(parameter) == "query"
    if call.idempotency_key is not None:
        assert declared.get("Idempotency-Key") == "header"
    required = {name for name, where in declared.items() if where == "query"} & {
        one["name"] for one in operation.get("parameters", ()) if one.get("required")
    }
    assert required <= call.query.keys()


@pytest.mark.parametrize("name", MAKERS)
def test_a_method_sends_what_the_api_takes(schema: Schema, name: str) -> None:
    call = _call(name)
    operation = _operation(schema, call)
    assert (call.body is None) == ("requestBody" not in operation)
    if call.body is None:
        return
    described = operation["requestBody"]["content"]["application/json"]["schema"]
    properties = _properties(schema, described)
    assert plain(call.body).keys() <= properties.keys()
    for field, typed in (("facts", NewFact), ("messages", NewMessage)):
        if field in call.body:
            item = _properties(schema, properties[field][0]["items"])
            assert typed.__annotations__.keys() <= item.keys()
            if field == "facts":
                reading = _properties(schema, item["readings"][0]["items"])
                assert NewReading.__annotations__.keys() == reading.keys()


@pytest.mark.parametrize("name", MAKERS)
def test_an_answer_has_the_fields_that_the_client_reads(schema: Schema, name: str) -> None:
    call = _call(name)
    answers = _operation(schema, call)["responses"]
    described = next(one for status, one in answers.items() if status.startswith("2"))
    found = described["content"]["application/json"]["schema"]
    missing = list(_missing(schema, call.answer, [found], call.answer.__name__))
    assert missing == []


def _missing(
    schema: Schema, model: type[BaseModel], described: list[Schema], where: str
) -> Iterator[str]:
    """The fields of a model, and of those within, that no part of the description has."""
    properties = _properties(schema, *described)
    for field, info in model.model_fields.items():
        if field not in properties:
            yield f"{where}.{field}"
            continue
        for inner in _models_in(info.annotation):
            yield from _missing(schema, inner, properties[field], f"{where}.{field}")


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _properties(schema: Schema, *described: Schema) -> dict[str, list[Any]]:
    """The properties of all objects that a description may stand for, by name."""
    found: dict[str, list[Any]] = {}
    for one in _resolved(schema, described):
        for name, value in one.get("properties", {}).items():
            found.setdefault(name, []).append(value)
    return _Lists(found)


class _Lists(dict[str, list[Any]]):
    """Properties by name, each with its descriptions."""


def _resolved(schema: Schema, described: Any) -> Iterator[Schema]:
    """A description with what it refers to, what it is one of, and what it lists."""
    for one in described:
        if "$ref" in one:
            yield from _resolved(
                schema, [schema["components"]["schemas"][one["$ref"].split("/")[-1]]]
            )
        yield one
        for key in ("anyOf", "oneOf", "allOf"):
            yield from _resolved(schema, one.get(key, ()))
        if isinstance(one.get("items"), dict):
            yield from _resolved(schema, [one["items"]])


def test_both_clients_have_every_method() -> None:
    for name in MAKERS:
        for client in (UacClient, AsyncUacClient):
            method = getattr(client, name)
            assert method.__doc__ == MAKERS[name].__doc__
            assert method.__name__ == name
