"""Whatever a model answers, each message is read, nothing, stuck or waiting, and none is lost."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from memory.models import Fact, MemoryUser, ToRead
from memory.reading_counts import reading_of
from tests.facts import reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Act, Connection, Request, Script, answers, status
from tests.queue import deliver_all


def chance(dice: random.Random) -> Act:
    """A model that does something else each time, seldom what it should."""

    def act(to: Connection, request: Request) -> None:
        count = request["messages"][0]["content"].count('\n{"number": ')
        said = dice.choice([_any_entries, _any_entries, _any_entries, _garbage, _failure])
        said(dice, count)(to, request)

    return act


def _any_entries(dice: random.Random, count: int) -> Act:
    kinds = (
        lambda number: entry(number, nothing="small talk"),
        lambda number: entry(number, found("Turn", reading("notes.Note", text="x"))),
        lambda number: entry(number, found("Turn", reading("people.Person", name="Bo"))),
        lambda number: entry(number, found("invented", reading("notes.Note", text="x"))),
        lambda number: entry(number + 1, nothing="another's"),
        lambda number: entry(number),
    )
    entries = [dice.choice(kinds)(number) for number in range(1, count + 1)]
    odd: list[Any] = [[], [{"number": 1}], "none"]
    concerns = dice.choice(odd)
    return answers({**answer(*dice.sample(entries, dice.randint(0, count))), "concerns": concerns})


def _garbage(dice: random.Random, _: int) -> Act:
    return answers(dice.choice(["", "{", '{"messages": 1}', "[]"]))


def _failure(dice: random.Random, _: int) -> Act:
    return status(dice.choice([400, 429, 500]))


@pytest.mark.parametrize("seed", range(8))
def test_every_message_is_accounted_for(
    person: MemoryUser, server: Script, says: Post, seed: int
) -> None:
    dice = random.Random(seed)
    server.plays(chance(dice))
    count = dice.randint(1, 14)
    says(*[f"Turn {number}" for number in range(count)])
    deliver_all()
    rows = list(ToRead.objects.filter(user=person).order_by("seq"))
    counts = reading_of(person)
    assert [row.seq for row in rows] == list(range(1, count + 1))
    by_status = Counter(row.status for row in rows)
    assert counts.all == count
    for name in ("read", "nothing", "stuck", "waiting"):
        assert getattr(counts, name) == by_status[name]
    assert all(row.reason for row in rows if row.status in ("stuck", "nothing"))
    assert all(row.tried_at for row in rows if row.status != "waiting")
    named = {one["fact"] for row in rows for one in row.found or []}
    assert named == set(Fact.objects.values_list("seq", flat=True))
    assert all(row.found for row in rows if row.status == "read")
