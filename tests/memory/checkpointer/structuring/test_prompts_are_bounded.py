"""A prompt for code has its bound, however much there is, and shows what the needs are about."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory.checkpointer.structuring.material import MOST_NEEDS, next_material
from memory.checkpointer.structuring.prompt import Asked, ask_for_code
from memory.models import MemoryUser, Need, NeedCause
from tests.api_client import Api
from tests.facts import fact, reading

TOKENS = 16_000


def noted(person: MemoryUser, seq: int, now: datetime, **about: Any) -> Need:
    """An open need that no job knows of."""
    return Need.objects.create(
        user=person,
        fact_seq=seq,
        cause=about.pop("cause", NeedCause.READING),
        needs="rule",
        about=about,
        noted_at=now,
        changed_at=now,
    )


def asked(person: MemoryUser, now: datetime, tokens: int = TOKENS) -> Asked:
    """What would be asked."""
    material = next_material(person.pk, now=now)
    assert material is not None
    return ask_for_code(material, most_tokens=tokens)


def tokens(of: Asked) -> float:
    """The estimate of a prompt's tokens, without the schema of the answer."""
    return len(of.instructions.text.encode()) / 3


@pytest.mark.parametrize("words", [3, 3_000])
def test_however_much_was_said_the_prompt_has_its_bound(
    api: Api, person: MemoryUser, now: datetime, words: int
) -> None:
    text = "the greenhouse is too hot " * words
    facts = [fact(text, reading("notes.Note", text=text, topic="heat")) for _ in range(40)]
    api.append(person, *facts)
    for seq in range(1, 21):
        noted(person, seq, now, facts=list(range(1, 41)), cause=NeedCause.NOTES, topic="heat")
    found = asked(person, now)
    assert 1 <= len(found.needs) <= MOST_NEEDS
    assert found.facts
    assert tokens(found) < TOKENS


def test_a_long_history_does_not_lengthen_it(api: Api, person: MemoryUser, now: datetime) -> None:
    api.append(person, fact("No calls after nine", reading("notes.Note", text="No calls")))
    noted(person, 1, now)
    before = tokens(asked(person, now))
    for start in range(0, 300, 100):
        calls = (
            reading("schedule.Engagement", title=f"Call {start + n}", on="2026-05-01")
            for n in range(100)
        )
        api.append(person, *[fact("A call", one) for one in calls])
    after = tokens(asked(person, now))
    assert after < TOKENS
    assert after < before * 2


def test_what_a_concern_names_is_shown_with_the_facts_it_rests_on(
    api: Api, person: MemoryUser, now: datetime
) -> None:
    call = reading("schedule.Engagement", title="Call", on="2026-05-01", starts_at="21:30")
    api.append(person, fact("A call on the first of May", call))
    (key,) = api.records(person, "schedule.Engagement")
    records = [{"kind": "schedule.Engagement", "id": key}]
    noted(person, 0, now, cause=NeedCause.CONCERN, summary="Late call", records=records)
    found = asked(person, now)
    assert list(found.facts) == [1]
    assert "Late call" in found.instructions.text
    assert "domains/schedule/schema.py" in found.changeable
    assert "domains/notes/schema.py" not in found.changeable
