"""What an app sends as free JSON comes back as it was sent, from either database."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.models import MemoryUser
from tests.api_client import Api, facts_path
from tests.facts import fact

KEPT: dict[str, Any] = {
    "floats": [0.1, 1e22, 1.7976931348623157e308, 5e-324, -0.0, 1e-7, 100.0],
    "big integers": [2**53 + 1, 2**64, -(10**300), 0, -1],
    "text": ["", " ", "\u2028\u202e", "\U0001f600", "e\u0301", "\ufeff", "\x01\x7f", "\\u0041"],
    "shapes": [None, True, False, [], {}, [[[]]], {"": {"": 1}}],
    "names": {"a.b": 1, "a/b": 2, "A": 3, "a": 4, "\U0001f600": 5, "__proto__": 6, "one": 7},
}


def _exact(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("what", KEPT)
def test_of_facts(api: Api, person: MemoryUser, what: str) -> None:
    api.append(person, fact("x", metadata={"value": KEPT[what]}))
    (stored,) = api.all(facts_path(person.pk))
    assert _exact(stored["metadata"]) == _exact({"value": KEPT[what]})


@pytest.mark.parametrize("what", KEPT)
def test_of_messages(api: Api, person: MemoryUser, what: str) -> None:
    path = f"users/{person.pk}/messages"
    said = {"role": "user", "content": "x", "metadata": {"value": KEPT[what]}}
    assert api.post(path, {"messages": [said]}).status_code == 201
    (stored,) = api.all(path)
    assert _exact(stored["metadata"]) == _exact({"value": KEPT[what]})


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
FREE = st.recursive(
    SCALARS.filter(lambda value: value not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(value=FREE)
def test_of_any_kind(api: Api, person: MemoryUser, value: Any) -> None:
    api.append(person, fact("x", metadata={"value": value}))
    newest = api.get(facts_path(person.pk), limit=1).json()["items"][0]
    assert _exact(newest["metadata"]) == _exact({"value": value})
