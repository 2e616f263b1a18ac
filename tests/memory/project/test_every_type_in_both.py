"""Whatever an app may state, of any type: rendered, it is the same value in both interpreters."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.project.payload import check_payload
from memory.project.render import render_assignment, render_record
from memory.project.schema import Kind
from tests.memory.project import differential as both
from tests.memory.project.json_values import payloads
from tests.memory.project.things import HOSTILE

KINDS = both.project().kinds
SHOPPING = [KINDS[f"shopping.{name}"] for name in ("Purchase", "Chore", "Profile")]
SLOW = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def rendered(kind: Kind, data: dict[str, Any], record_id: str = "x") -> str:
    """A payload as source, as an append makes it."""
    given_id = kind.collection if kind.singleton else record_id
    payload = check_payload(kind, "assert", given_id, data, fallback_id="f1-1")
    return render_record(kind, payload.record_id, payload.data)


def in_both(sources: list[str]) -> tuple[Any, Any]:
    """The values of rendered records in CPython and in the sandbox."""
    script = f"_outcomes = [\n{''.join(f'    {source},{chr(10)}' for source in sources)}]\n"
    return both.normal(both.in_cpython(script)), both.normal(both.in_sandbox(script))


@pytest.mark.parametrize("kind", SHOPPING, ids=lambda kind: kind.name)
@SLOW
@given(data=st.data())
def test_the_value_is_the_same(kind: Kind, data: st.DataObject) -> None:
    stated = data.draw(st.lists(payloads(kind), min_size=1, max_size=12))
    sources = [rendered(kind, one) for one in stated]
    assert all(source.isprintable() for source in sources)
    in_cpython, in_sandbox = in_both(sources)
    assert in_cpython == in_sandbox
    assert len(in_cpython) == len(stated) + 1


@pytest.mark.parametrize("kind", SHOPPING, ids=lambda kind: kind.name)
@SLOW
@given(data=st.data())
def test_what_was_checked_passes_again_and_renders_the_same(
    kind: Kind, data: st.DataObject
) -> None:
    stated = data.draw(payloads(kind))
    given_id = kind.collection if kind.singleton else "x"
    once = check_payload(kind, "assert", given_id, stated, fallback_id="f1-1")
    again = check_payload(kind, "assert", given_id, once.data, fallback_id="f1-1")
    assert again == once
    assert rendered(kind, once.data) == rendered(kind, stated)


def test_hostile_text_stands_in_every_place() -> None:
    stated = [
        {"item": text, "amount": "1", "on": "2026-01-01", "shop": text, "tags": [text, text],
         "split": {text: "1.10"}, "seller": {"name": text}, "trip": text}
        for text in HOSTILE
    ]  # fmt: skip
    kind = KINDS["shopping.Purchase"]
    sources = [rendered(kind, one, f"x{one['item']}") for one in stated]
    in_cpython, in_sandbox = in_both(sources)
    assert in_cpython == in_sandbox
    back = both.in_cpython(f"_outcomes = [{','.join(sources)}]\n")
    for purchase, text in zip(back, HOSTILE, strict=True):
        assert (purchase.item, purchase.shop, purchase.trip) == (text, text, text)
        assert (purchase.tags, list(purchase.split)) == ([text, text], [text])
        assert (purchase.seller.name, purchase.id) == (text, f"x{text}")


@pytest.mark.parametrize(
    "piece", ["a", "'\"\\\n{}", "é\u202e😀", "'''\"\"\"", "１٣\u2028"], ids=ascii
)
def test_a_text_of_a_megabyte_arrives_whole(piece: str) -> None:
    text = (piece * 1_000_000)[:1_000_000]
    source = rendered(KINDS["notes.Note"], {"text": text})
    assert both.in_cpython(f"_outcomes = {source}\n").text == text
    assert both.in_sandbox(f"_outcomes = {source}\n").attributes["text"] == text


def test_numbers_at_their_limits_arrive_whole() -> None:
    kind = KINDS["shopping.Chore"]
    stated = [
        {"name": "a", "minutes": 10**1000 - 1, "weight": 5e-324},
        {"name": "b", "minutes": -(10**1000) + 1, "weight": -1.7976931348623157e308},
    ]
    in_cpython, in_sandbox = in_both([rendered(kind, one) for one in stated])
    assert in_cpython == in_sandbox


def test_a_whole_state_is_the_same_in_both() -> None:
    names = sorted(both.project().collections)
    script = f"_outcomes = [{', '.join(names)}]\n"
    assert both.normal(both.in_cpython(script)) == both.normal(both.in_sandbox(script))


def test_one_profile_or_none() -> None:
    kind = KINDS["shopping.Profile"]
    source = rendered(kind, {"name": "Ada", "born": "1990-07"})
    assert render_assignment(kind, [source]) == (
        "profile = Profile(id='profile', name='Ada', born=PartialDate(1990, 7))\n"
    )
    assert render_assignment(kind, []) == "profile = None\n"
