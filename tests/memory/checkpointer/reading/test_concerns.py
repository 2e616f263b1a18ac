"""What a model notices is shown with its words and records; a bad concern never costs a fact."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from alerts.models import Alert
from memory.evaluator import Concern, Evaluator, evaluator, register
from memory.models import Fact, MemoryUser, ToRead
from tests.api_client import Api
from tests.facts import Json, allergy, fact, reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Script, answers, status, truncated
from tests.queue import deliver_all

SAID = "My doctor put me on amoxicillin"
TAKES = entry(1, found(SAID, reading("health.Medication", name="amoxicillin")))
PENICILLIN = {"kind": "health.Allergy", "id": "penicillin"}


def concern(**more: Any) -> Json:
    """A concern that is right for `SAID` where a penicillin allergy is known."""
    return {
        "number": 1,
        "quote": "amoxicillin",
        "summary": "Amoxicillin is a penicillin, to which there is an allergy",
        "why": "The allergy is recorded.",
        "severity": "warning",
        "records": [PENICILLIN],
        **more,
    }


GOOD = {**answer(TAKES), "concerns": [concern()]}


@dataclass
class Ear:
    """The evaluator, and what it was asked to show."""

    whole: Evaluator
    heard: list[Concern] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.whole, name)

    def notice(self, *, concerns: Any, **more: Any) -> None:
        """Listen, and show them."""
        self.heard += concerns
        self.whole.notice(concerns=concerns, **more)


@pytest.fixture
def ear(api: Api, person: MemoryUser) -> Iterator[Ear]:
    """Who listens; the person is allergic to penicillin."""
    whole = evaluator()
    listening: Any = Ear(whole)
    register(listening)
    api.append(person, allergy("penicillin"))
    yield listening
    register(whole)


def repair(server: Script) -> str:
    text: str = server.requests[-1]["messages"][-1]["content"]
    return text


def test_a_concern_is_shown_with_its_words_records_and_facts(
    ear: Ear, person: MemoryUser, server: Script, says: Post
) -> None:
    server.plays(answers(GOOD))
    says(SAID)
    deliver_all()
    assert ear.heard == [
        Concern(
            severity="warning",
            summary="Amoxicillin is a penicillin, to which there is an allergy",
            detail="The allergy is recorded.",
            quote="amoxicillin",
            message_seq=1,
            facts=(2,),
            records=(("health.Allergy", "penicillin"),),
        )
    ]
    alert = Alert.every.get(origin="concern")
    assert (alert.severity, alert.quote, alert.facts) == ("warning", "amoxicillin", [2])
    assert [(one["kind"], one["id"]) for one in alert.evidence] == [
        ("health.Allergy", "penicillin")
    ]


def test_an_untyped_fact_can_be_what_conflicts(
    ear: Ear, api: Api, person: MemoryUser, server: Script
) -> None:
    server.plays(answers(GOOD))
    api.append(person, fact(SAID))
    deliver_all()
    assert [(one.message_seq, one.facts) for one in ear.heard] == [(None, (2,))]


WRONG = [
    (concern(quote="cefalexin"), "concerns[0].quote: these words are not in the message"),
    (concern(number=7), "concerns[0].number: there is no number 7"),
    (concern(severity="critical"), "concerns[0].severity: Input should be 'warning' or 'info'"),
    (concern(records=[]), "concerns[0].records: List should have at least 1 item"),
    (concern(records=[PENICILLIN] * 6), "concerns[0].records: List should have at most 5"),
    (
        concern(records=[PENICILLIN, {"kind": "health.Allergy", "id": "latex"}]),
        "concerns[0].records[1]: health.Allergy 'latex' is none of the records",
    ),
    (concern(summary="x" * 141), "concerns[0].summary: String should have at most 140"),
    (concern(summary=" "), "concerns[0].summary: write something"),
    (concern(why="a\x00b"), "concerns[0].why: Value error, text may not hold NUL"),
    (concern(action="stop it"), "concerns[0].action: Extra inputs"),
    ("amoxicillin!", "concerns[0]: Input should be"),
]


@pytest.mark.parametrize(("wrong", "told"), WRONG)
def test_what_is_wrong_with_a_concern_is_told_and_in_the_end_only_it_is_dropped(
    ear: Ear, person: MemoryUser, server: Script, says: Post, wrong: Any, told: str
) -> None:
    server.plays(answers({**answer(TAKES), "concerns": [wrong, concern(why="It is so.")]}))
    says(SAID)
    deliver_all()
    assert len(server.requests) == 3
    assert told in repair(server)
    assert [one.detail for one in ear.heard] == ["It is so."]
    assert (ToRead.objects.get().status, Fact.objects.count()) == ("read", 2)


@pytest.mark.parametrize("odd", [7, "none", {"number": 1}, [concern()] * 4])
def test_concerns_of_no_shape_are_told_and_dropped(
    ear: Ear, person: MemoryUser, server: Script, says: Post, odd: Any
) -> None:
    server.plays(answers({**answer(TAKES), "concerns": odd}))
    says(SAID)
    deliver_all()
    assert "concerns: " in repair(server)
    assert len(ear.heard) == (3 if isinstance(odd, list) else 0)
    assert ToRead.objects.get().status == "read"


def test_a_concern_is_mended(ear: Ear, person: MemoryUser, server: Script, says: Post) -> None:
    server.plays(answers({**GOOD, "concerns": [concern(number=2)]}), answers(GOOD))
    says(SAID)
    deliver_all()
    assert (len(server.requests), len(ear.heard)) == (2, 1)


BROKEN = answer(entry(1, found("never said", reading("health.Medication", name="x"))))


@pytest.mark.parametrize("after", [status(500), truncated(GOOD), answers("no"), answers(BROKEN)])
def test_no_fact_waits_for_a_concern(
    ear: Ear, person: MemoryUser, server: Script, says: Post, after: Any
) -> None:
    """Facts were right once: what comes of asking again about a concern takes none away."""
    server.plays(answers({**GOOD, "concerns": [concern(number=2)]}), after)
    says(SAID)
    deliver_all()
    assert (ToRead.objects.get().status, Fact.objects.count(), ear.heard) == ("read", 2, [])


def test_no_concern_is_shown_about_a_message_that_could_not_be_read(
    ear: Ear, person: MemoryUser, server: Script, says: Post
) -> None:
    wrong = entry(2, found("never said", reading("people.Person", name="Bo")))
    both = [concern(), concern(number=2, quote="penicillin")]
    server.plays(answers({**answer(TAKES, wrong), "concerns": both}))
    says(SAID, "Is that a penicillin?")
    deliver_all()
    assert [one.status for one in ToRead.objects.order_by("seq")] == ["read", "stuck"]
    assert [one.message_seq for one in ear.heard] == [1]


def test_a_record_that_the_message_ends_is_named_no_more(
    ear: Ear, api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    kept = reading("notes.Note", "assert", "tea", text="Drinks green tea")
    api.append(person, fact("x", kept, occurred_at="2026-03-01T09:00:00Z"))
    tea = {"kind": "notes.Note", "id": "tea"}
    ended = found("no more green tea", reading("notes.Note", "retract", "tea"))
    both = [
        concern(quote="green tea", records=[tea]),
        concern(quote="no more", records=[tea, PENICILLIN]),
    ]
    server.plays(answers({**answer(entry(1, ended)), "concerns": both}))
    says("There is no more green tea")
    deliver_all()
    assert [one.records for one in ear.heard] == [(("health.Allergy", "penicillin"),)]
    assert len(server.requests) == 1
