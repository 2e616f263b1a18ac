"""The benchmark of questions: which are asked, and what counts as right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from memory.checkpointer.prompts import prompt
from memory.models import App
from tests.uac_site.cassettes.requests import sent_back
from uac_site.benchmarks.ask_conversations import (
    ANSWERABLE,
    UNANSWERABLE,
    UNKNOWABLE,
    Asked,
    questions_of,
    report,
)
from uac_site.benchmarks.ask_records import right
from uac_site.benchmarks.asking import spread
from uac_site.benchmarks.conversation import DATA, NoData
from uac_site.benchmarks.evidence import Conversation, Question, read_conversations
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.judge import NO_VERDICT, Judged, _template
from uac_site.benchmarks.measure import Bound
from uac_site.cassettes.request import asked_of


@pytest.mark.parametrize(
    ("kind", "gold", "value", "is_right"),
    [
        ("int", 5, 5, True),
        ("float", 48.2, "48.20", True),
        ("float", 48.2, "no", False),
        ("string", "Amazon", ["Amazon", "Ikea"], True),
        ("string", "Amazon", "Ikea", False),
        ("set", ["a"], ["A"], True),
        ("int", 5, None, False),
    ],
)
def test_a_value_is_compared_as_the_data_say(
    kind: str, gold: Any, value: Any, is_right: bool
) -> None:
    case = {"answer_kind": kind, "gold": gold}
    assert right(case, {"how": "query", "value": value}) is is_right
    assert not right(case, {"how": "text", "value": value})


def test_the_questions_are_spread_evenly() -> None:
    assert spread([*range(10)], 4) == [0, 2, 5, 7]
    assert spread([1, 2], 4) == [1, 2]


def conversations() -> list[Conversation]:
    try:
        return read_conversations(DATA)
    except NoData:
        return []


@pytest.mark.skipif(not conversations(), reason="the evaluation data is not there")
def test_a_hundred_with_an_answer_and_some_without_are_asked() -> None:
    found = questions_of(conversations())
    without = [question for _, question in found if question.category == 5]
    assert (len(found) - len(without), len(without)) == (ANSWERABLE, UNANSWERABLE)
    assert all(question.answer for _, question in found if question.category != 5)
    assert len({one.id for one, _ in found}) == len(conversations())


def reported(*found: Asked, judged: dict[int, Judged] | None = None) -> dict[str, Bound]:
    """The bounds of what was found, by name."""
    inside = Inside(Path(), None, cast(App, None), "")
    return {bound.what: bound for bound in report(inside, found, judged or {}, "").bounds}


@pytest.mark.parametrize(("how", "counted"), [("unknown", 1), ("refused", 0), ("text", 0)])
def test_a_question_that_could_not_be_asked_is_not_one_that_nobody_can_answer(
    how: str, counted: int
) -> None:
    body = {"how": how, "known": how == "text"}
    found = reported(Asked("c", Question("Who?", UNKNOWABLE, frozenset({1})), body))
    assert found["not known, as it is"].figure == counted


def test_an_answer_without_a_verdict_is_missed() -> None:
    asked = [Asked("c", Question("Who?", 4, frozenset({1})), {"how": "text"}) for _ in range(2)]
    verdicts = [Judged(False, "another date"), NO_VERDICT]
    judged = dict(zip(map(id, asked), verdicts, strict=True))
    assert not reported(*asked, judged=judged)["judged"].holds
    assert reported(asked[0], judged={id(asked[0]): verdicts[0]})["judged"].holds


def ask_request(question: str, excerpt: str) -> dict[str, Any]:
    template = prompt("ask")
    others = dict.fromkeys(template.places - {"question", "excerpts"}, "(none)")
    filled = template.fill(question=question, excerpts=excerpt, **others)
    return {"messages": [{"role": "user", "content": filled.text}]}


def test_a_recorded_answer_is_for_the_question_whatever_else_is_shown() -> None:
    first, other = ask_request("Where is Ann?", "a"), ask_request("Where is Ann?", "b")
    assert asked_of(first).stage == "ask"
    assert (
        asked_of(first).about == asked_of(other).about != asked_of(ask_request("Who?", "a")).about
    )
    again = sent_back(first, "{}", "quotes: none")
    assert asked_of(again).about != asked_of(first).about


def test_a_verdict_is_for_the_very_answer() -> None:
    def request(said: str) -> dict[str, Any]:
        line = json.dumps({"number": 1, "question": "Where?", "right": "Oslo", "said": said})
        return {"messages": [{"role": "user", "content": _template().fill(answers=line).text}]}

    assert asked_of(request("Oslo")).stage == "judge"
    assert asked_of(request("Oslo")).about != asked_of(request("Rome")).about
