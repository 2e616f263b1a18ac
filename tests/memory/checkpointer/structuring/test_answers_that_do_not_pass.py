"""What does not pass goes back to the model, and after the last answer it is kept, visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from alerts.models import Alert
from memory.actions.rebuild_state import rebuild_state
from memory.code import load_project
from memory.models import (
    Job,
    JobStatus,
    MemoryUser,
    Need,
    NeedCause,
    NeedStatus,
    Proposal,
    ProposalOrigin,
    ProposalStatus,
    Reading,
)
from tests.api_client import Api
from tests.facts import Json, allergy, fact
from tests.memory.checkpointer.structuring.conftest import only, told
from tests.memory.checkpointer.structuring.written import (
    PATHS,
    PLACED,
    RULE,
    SCHEMA,
    TEST,
    written,
)
from tests.model_server import Script, answers, huge, status, truncated
from tests.queue import deliver_all

Asked = Callable[..., Need]
PETS, ALONE, TESTS = PATHS
LAST = answers("no JSON")
"""A last answer that takes no time."""


def failed_with(person: MemoryUser, need: Need) -> Proposal:
    """The attempt that was kept, once the need stands as failed for it."""
    found = only(person)
    assert (found.status, found.origin) == (ProposalStatus.FAILED, ProposalOrigin.MODEL)
    assert (need.status, need.proposal) == (NeedStatus.FAILED, found)
    assert not Alert.every.provisional().exists()
    return found


@pytest.fixture(autouse=True)
def _two_attempts(settings: Settings) -> None:
    settings.STRUCTURE_ATTEMPTS = 2


@pytest.mark.parametrize(
    ("answer", "said_of"),
    [
        ("no JSON at all", "the answer is no JSON"),
        ('{"files": [', "the answer is no JSON"),
        ({"files": [{"path": "rules/x.py"}]}, "files[0].source: Field required"),
        (written(extra=1), "extra: Extra inputs are not permitted"),
        (written(files={"manifest.py": "x = 1"}), "manifest.py: a project holds"),
        (
            written(files={"domains/health/schema.py": "x"}),
            "domains/health/schema.py: you may change",
        ),
        (
            written(files={ALONE: RULE.replace("Facts: 1.", "Facts: 2.")}),
            f"answer: {ALONE}:1: fact 2 is none of the facts that were given",
        ),
        (written(readings=[PLACED | {"fact": 2}]), "readings: readings[0].fact: 2 is none of"),
        (written(readings=[PLACED | {"kind": "pets.Cat"}]), "there is no kind pets.Cat"),
        (
            written(readings=[PLACED | {"data": {"name": "Rex", "alone_hours": "4"}}]),
            "readings[0].data.alone_hours: ",
        ),
        (
            written(readings=[PLACED | {"op": "update", "id": "tom"}]),
            "readings[0].id: there is no pets.Pet 'tom' to update",
        ),
        (
            written(
                readings=[
                    PLACED,
                    {
                        "fact": 1,
                        "kind": "health.Allergy",
                        "op": "retract",
                        "id": "penicillin",
                        "data": {},
                    },
                ]
            ),
            "readings[1]: this would change or end what protects the person",
        ),
    ],
)
def test_what_can_be_told_by_reading_goes_back(
    api: Api,
    person: MemoryUser,
    server: Script,
    said: Json,
    asked: Asked,
    answer: Any,
    said_of: str,
) -> None:
    api.append(person, allergy("penicillin"))
    before = Reading.objects.count()
    need = asked(answers(answer), LAST)
    assert said_of in told(server)
    found = failed_with(person, need)
    assert said_of in found.attempts[0]["problem"]
    assert not any(check["name"] == "types" for check in found.checks)
    assert Reading.objects.count() == before


def raising(body: str) -> str:
    """The rule with something else at the beginning of what it does."""
    head = "    found = []\n    for pet in"
    return RULE.replace(head, f"    {body}\n{head}", 1)


BODY = """    for pet in pets:
        if pet.name == "Rex":
            {body}
    return pets_alone"""


def on_rex(body: str) -> str:
    """The rule, which does something odd with this person's dog alone, as no test of it shows."""
    return RULE.replace("    return pets_alone", BODY.format(body=body), 1)


@pytest.mark.parametrize(
    ("files", "said_of"),
    [
        (
            {ALONE: RULE.replace("from datetime", "import os\nfrom datetime", 1)},
            f"policy: {ALONE}:8:",
        ),
        ({ALONE: raising("eval('1')")}, "eval"),
        ({ALONE: RULE.replace("pet.alone_hours is None or ", "")}, f"types: {ALONE}:"),
        ({TESTS: TEST.replace("time(11)", "time(12)")}, "tests: "),
        ({TESTS: TEST.replace("== []", "is not None")}, f"proof: {TESTS}: no test fails when"),
        ({ALONE: raising("while True:\n        pass")}, "tests: "),
        (
            {ALONE: on_rex("text = [pet.name * 10_000_000 for _ in range(100)]")},
            "rules tried: rules/pet_alone.py: the rule went past its limit of memory",
        ),
        (
            {ALONE: on_rex("print_ = [0 for a in range(100_000) for b in range(100_000)]")},
            "rules tried: rules/pet_alone.py: the rule ",
        ),
        (
            {ALONE: on_rex("first = [one for one in pets if one.name == 'x'][0]")},
            "rules tried: rules/pet_alone.py: the rule raised IndexError",
        ),
    ],
)
def test_what_the_sandbox_finds_goes_back(
    person: MemoryUser, server: Script, asked: Asked, files: Any, said_of: str
) -> None:
    need = asked(answers(written(files=files)), LAST)
    assert said_of in told(server)
    found = failed_with(person, need)
    assert [check["ok"] for check in found.checks][-1] is False
    if not said_of.startswith("policy"):
        assert load_project(found.attempts[0]["tree"]).files[PETS] == SCHEMA


def test_an_answer_that_was_mended_is_proposed_with_what_was_sent_back(
    person: MemoryUser, server: Script, asked: Asked
) -> None:
    bad = written(files={TESTS: TEST.replace("== []", "is not None")})
    need = asked(answers(bad), answers(written()))
    found = only(person)
    assert (found.status, need.status) == (ProposalStatus.OPEN, NeedStatus.PROPOSED)
    assert [one["problem"].partition(":")[0] for one in found.attempts] == ["proof"]


def concern(api: Api, person: MemoryUser, **more: Any) -> Json:
    """What a concern about the long day asks for."""
    (key,) = api.records(person, "schedule.Engagement")
    records = [{"kind": "schedule.Engagement", "id": key}]
    return {"cause": NeedCause.CONCERN, "seq": 2, "records": records, "summary": "alone", **more}


def test_a_concern_has_to_be_reproduced(
    api: Api, person: MemoryUser, server: Script, said: Json, asked: Asked
) -> None:
    facts = written(files={ALONE: RULE.replace("Facts: 1.", "Facts: 2.")}, readings=[])
    need = asked(answers(facts), LAST, **concern(api, person))
    assert "rules tried: need 1: no rule of the answer raises an alert" in told(server)
    assert "schedule.Engagement" in told(server)
    failed_with(person, need)


def test_what_needs_no_code_is_said_so(person: MemoryUser, server: Script, asked: Asked) -> None:
    why = [{"need": 1, "why": "away_that_day watches it"}]
    need = asked(answers({"files": [], "cannot": why}))
    assert (need.status, need.proposal) == (NeedStatus.FAILED, None)
    assert need.reason == "the model wrote no code for it: away_that_day watches it"
    assert not Proposal.objects.exists()


def test_readings_that_need_no_code_are_placed_at_once(
    api: Api, person: MemoryUser, server: Script, asked: Asked
) -> None:
    why = [{"need": 1, "why": "there is a kind for it"}]
    rex = {"fact": 1, "kind": "possessions.Thing", "op": "assert", "id": None}
    odd = rex | {"data": {"nickname": "Rex"}}
    right = rex | {"data": {"name": "Rex"}}
    asked(*(answers({"files": [], "readings": [one], "cannot": why}) for one in (odd, right)))
    assert "readings[0]" in told(server)
    assert api.records(person, "possessions.Thing") == {"rex": {"name": "Rex"}}
    assert not Proposal.objects.exists()
    assert rebuild_state(user_id=person.pk, check_only=True) == []


def test_readings_of_a_fact_that_was_corrected_are_left_out_for_good(
    api: Api, person: MemoryUser, server: Script, asked: Asked
) -> None:
    api.append(person, {**fact("Rex may be alone all day"), "corrects": 1})
    rex = {"fact": 1, "kind": "possessions.Thing", "op": "assert", "id": None}
    why = [{"need": 1, "why": "there is a kind for it"}]
    answer = {"files": [], "readings": [rex | {"data": {"name": "Rex"}}], "cannot": why}
    need = asked(answers(answer))
    assert need.status == NeedStatus.FAILED
    assert "fact 1 was corrected meanwhile" in need.reason
    assert api.records(person, "possessions.Thing") == {}
    structure = [one for one in server.requests if "What asks for code" in str(one)]
    assert len(structure) == 1


@pytest.mark.parametrize("act", [status(500), truncated(written()), status(401)])
def test_a_model_that_cannot_be_asked_leaves_the_need_open(
    person: MemoryUser, server: Script, asked: Asked, act: Any
) -> None:
    need = asked(act)
    assert need.status == NeedStatus.OPEN
    assert need.reason
    assert not Proposal.objects.exists()
    assert Job.objects.get(name="structure").status == JobStatus.DONE


def test_an_answer_that_is_too_large_is_a_failed_attempt(
    person: MemoryUser, server: Script, asked: Asked
) -> None:
    need = asked(huge())
    found = failed_with(person, need)
    assert "larger than" in found.checks[0]["detail"]
    assert len(server.requests) == 1


def test_needs_that_fail_together_are_asked_about_one_by_one(
    person: MemoryUser, server: Script, asked: Asked, asks: Callable[..., Need]
) -> None:
    server.plays(LAST)
    asks(NeedCause.CONSTRAINT, fields=["notes.Note.text"])
    asked(LAST)
    assert {need.status for need in Need.objects.all()} == {NeedStatus.FAILED}
    assert len(server.requests) == 3 * 2
    assert Proposal.objects.filter(status=ProposalStatus.FAILED).count() == 3


def test_without_a_model_the_need_waits(
    said: Json, person: MemoryUser, asks: Callable[..., Need]
) -> None:
    need = asks()
    deliver_all()
    need.refresh_from_db()
    assert need.status == NeedStatus.OPEN
