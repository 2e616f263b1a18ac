"""Whatever comes back when code is asked for, none of it is in force, and little of it runs."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from pytest_django import Settings

from memory.checkpointer.reading.job import MARGIN_SECONDS
from memory.checkpointer.structuring.job import CHECK_SECONDS
from memory.models import CallOutcome, MemoryUser, ModelCall, Need, NeedStatus, Proposal
from tests.facts import Json
from tests.memory.checkpointer.structuring.conftest import told
from tests.memory.checkpointer.structuring.written import (
    PATHS,
    PLACED,
    RULE,
    SCHEMA,
    TEST,
    shipped,
    written,
)
from tests.model_server import Act, Script, answers, silence, status, trickles
from tests.proposals import current

Asked = Callable[..., Need]
PETS, ALONE, TESTS = PATHS
NOTHING: dict[str, Any] = dict.fromkeys(PATHS)
DRUGS, DRUGS_TESTS = "rules/drug_allergy.py", "tests/test_drug_allergy.py"
HEALTH = "domains/health/schema.py"
JSON = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n"
BOMB = gzip.compress(b" " * 20_000_000)
LAST = answers("no JSON")
"""A last answer that takes no time."""


@pytest.fixture(autouse=True)
def _two_attempts(settings: Settings) -> None:
    settings.STRUCTURE_ATTEMPTS = 2


@pytest.mark.parametrize(
    ("act", "outcome"),
    [
        (trickles(b" " * 1_000, every=0.02, after=JSON), CallOutcome.TIMED_OUT),
        (silence, CallOutcome.TIMED_OUT),
        (lambda to, _: to.whole(200, BOMB, Content_Encoding="gzip"), CallOutcome.GARBLED),
        (status(302, Location="http://127.0.0.1:9/v1"), CallOutcome.REFUSED),
    ],
    ids=["a byte at a time", "silence", "packed", "redirect"],
)
def test_an_endpoint_that_means_harm_leaves_the_need_open(
    person: MemoryUser, settings: Settings, asked: Asked, act: Act, outcome: CallOutcome
) -> None:
    settings.MODEL = {**settings.MODEL, "seconds": 0.5, "silence_seconds": 0.3}
    settings.STRUCTURE_ATTEMPTS = 10  # so that a call's share of the time is 0.6 s
    settings.JOB_SECONDS = {"structure": MARGIN_SECONDS + CHECK_SECONDS + 6}
    need = asked(act)
    assert (need.status, bool(need.reason)) == (NeedStatus.OPEN, True)
    assert ModelCall.objects.get().outcome == outcome
    assert not Proposal.objects.exists()


@pytest.mark.parametrize(
    "answer",
    [
        [],
        None,
        7,
        '{"files": [], "files": []}',
        '{"files": NaN}',
        '{"summary": "\\ud800"}',
        '{"summary": "a\\u0000b"}',
        "[" * 50_000,
        {"files": "all of them"},
        {"files": [{"path": 1, "source": []}]},
        {"files": [{"path": ALONE, "source": "x" * 60_001}]},
        {"files": [{"path": f"rules/r{n}.py", "source": ""} for n in range(25)]},
        {"removed": {"rules": 1}},
        {"readings": [PLACED | {"op": "withdraw"}]},
        {"readings": [PLACED | {"data": []}]},
        {"readings": [PLACED] * 61},
        {"approved": True, "status": "approved"},
        {"digest": "0" * 64, "approved_by": "caregiver"},
    ],
    ids=lambda answer: str(answer)[:40],
)
def test_what_has_another_shape_is_refused_before_it_is_looked_at(
    person: MemoryUser, server: Script, asked: Asked, answer: Any
) -> None:
    if isinstance(answer, dict):
        answer = written() | answer
    need = asked(answers(answer), LAST)
    assert need.status == NeedStatus.FAILED
    assert "could not be used" in told(server)
    (check,) = Proposal.objects.get().checks
    assert (check["name"], check["ok"]) == ("answer", False)


MANY = (
    ("from datetime", "import socket\nfrom datetime"),
    ("found = []", "found = open('/etc/passwd')"),
    ("start = one.starts_at.hour", "start = ().__class__.__base__.__subclasses__()"),
    ("if one.starts_at is None", "if getattr(today, '__class__') and '{0.x}'.format(one)"),
    ("return 0.0", "pets.clear()"),
    ('"""How long', '"""\u202eHow long'),
    ("def words(", "def w\u043erds("),
)
TOLD_OF_MANY = (
    "module socket is not available",
    "open is not available",
    "attribute __class__ is closed",
    "getattr takes the name of a field",
    "format takes plain text",
    "the state is not changed",
    "U+202E cannot be seen",
    "letters that look like others",
)


NOT_RUN = "not run: policy must pass first"


def with_all(text: str, changes: Iterable[tuple[str, str]]) -> str:
    """A text with something else in several places."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("files", "said_of"),
    [
        ({ALONE: with_all(RULE, MANY)}, TOLD_OF_MANY),
        ({ALONE: RULE.replace("hours_out", "hours\u200b_out")}, ("U+200B cannot be seen",)),
        ({PETS: SCHEMA.replace("name: str", "n\u0430me: str")}, ("letters that look like others",)),
        ({PETS: SCHEMA.replace("pets", "allergies", 1)}, ("collection used twice: allergies",)),
        ({TESTS: f"import os\n\n{TEST}"}, ("module os is not available",)),
    ],
    ids=["a rule", "what cannot be seen", "look-alikes", "a name that is taken", "a test"],
)
def test_forbidden_code_is_told_by_reading_and_never_run(
    person: MemoryUser, server: Script, asked: Asked, files: Json, said_of: Iterable[str]
) -> None:
    need = asked(answers(written(files=files, readings=[])), LAST)
    text = told(server)
    assert [words for words in said_of if words not in text] == []
    assert need.status == NeedStatus.FAILED
    checks = {check["name"]: check["detail"] for check in Proposal.objects.get().checks}
    assert {checks.get(name, NOT_RUN) for name in ("types", "tests", "records")} == {NOT_RUN}
    assert not checks.keys() & {"proof", "rules tried", "replay"}


@pytest.mark.parametrize(
    ("files", "removed", "said_of"),
    [
        ({TESTS: TEST.replace("    assert alone(None) == []\n", "")}, [], "it had 5 asserts"),
        ({}, [TESTS], f"{TESTS}: it tests {ALONE}, which stays; keep it"),
        ({DRUGS: RULE}, [], f"{DRUGS}: this rule ships and stays as it is"),
        ({DRUGS_TESTS: TEST}, [], f"{DRUGS_TESTS}: this test ships and stays as it is"),
        ({}, [DRUGS], f"{DRUGS}: this rule ships and stays as it is"),
        (
            shipped("domains/schedule/schema.py", "class Engagement:", "class Meeting:"),
            [],
            "the kind Engagement is gone",
        ),
        (shipped(HEALTH, "class Allergy:", "class Sneeze:"), [], f"{HEALTH}: you may change"),
    ],
)
def test_what_was_approved_or_ships_is_not_weakened(
    person: MemoryUser,
    server: Script,
    own: None,
    asked: Asked,
    files: Json,
    removed: Any,
    said_of: str,
) -> None:
    before = current(person).tree
    need = asked(answers(written(files=NOTHING | files, removed=removed, readings=[])), LAST)
    assert said_of in told(server)
    assert (need.status, current(person).tree) == (NeedStatus.FAILED, before)


BLIND = (
    TEST.partition("def test_")[0]
    + """def test_it():
    assert alone(time(12)) == []
    assert alone(time(11)) == []
    assert alone(None) == []
    assert alone(time(12), 1) == []
    assert PET_TODAY.year == 2026
"""
)


def test_a_rule_that_falls_silent_together_with_its_tests_is_found(
    person: MemoryUser, server: Script, own: None, asked: Asked
) -> None:
    """As many asserts as before, and all of them hold of a rule that says nothing."""
    silent = RULE.replace("    return found\n", "    return []\n", 1)
    files = NOTHING | {ALONE: silent, TESTS: BLIND}
    need = asked(answers(written(files=files, readings=[])), LAST)
    assert f"proof: {TESTS}: no test fails when the rule says nothing" in told(server)
    assert need.status == NeedStatus.FAILED
