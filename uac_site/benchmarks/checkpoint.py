"""A long conversation, and the same many times over: what reading a session takes at the end.

A scripted model on loopback answers: a note for each turn that tells something. The prompts are the
real ones; their tokens are counted where they arrive.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from memory.checkpointer.model.prices import estimated_tokens
from memory.models import Fact, ReadStatus, ToRead
from uac_site.benchmarks.client import Client
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result
from uac_site.benchmarks.resident import resident
from uac_site.benchmarks.server import web, worker
from uac_site.benchmarks.talk import Talker, introduced
from uac_site.benchmarks.turns import Sitting, read_conversation
from uac_site.cassettes.endpoint import Reply, endpoint
from uac_site.cassettes.player import environment
from uac_site.cassettes.request import fenced

NAME = "conv-43"
MOST_TOKENS, MOST_MEMORY = 1.2, 1.1
SHORT = 40  # characters; a shorter turn, or a question, has nothing to remember
APART = timedelta(days=7)
ONE_WORKER = {"WORKER_PROCESSES": "1"}  # so that its memory is that of one line of jobs


@dataclass
class NoteTaker:
    """The scripted model, and the tokens of what it was asked so far."""

    tokens: int = 0
    requests: int = 0

    def __call__(self, body: Mapping[str, Any]) -> Reply:
        """A note for each message, in the words of the message."""
        texts = [turn["content"] for turn in body["messages"]]
        schema = json.dumps(body.get("response_format", {}))
        self.tokens += sum(map(estimated_tokens, (*texts, schema)))
        self.requests += 1
        lines = (fenced(texts[0], "messages") or "").split("\n")
        return Reply(json.dumps({"messages": [read(json.loads(line)) for line in lines]}))


def read(message: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of one message."""
    number, text = message["number"], message["text"]
    if len(text) < SHORT or text.endswith("?"):
        return {"number": number, "nothing_to_remember": "short, or a question"}
    note = {"kind": "notes.Note", "op": "assert", "data": {"text": text}}
    fact = {
        "text": f"{message['from']} said: {text}",
        "quote": text,
        "speaker": message["from"],
        "readings": [note],
        "fit": "exact",
        "needs": "nothing",
    }
    return {"number": number, "facts": [fact]}


@dataclass(frozen=True)
class Pass:
    """One time through the conversation: tokens of each session, and the most memory it saw."""

    tokens: tuple[int, ...]
    requests: int
    facts: int
    megabytes: float

    @property
    def mean(self) -> float:
        """Prompt tokens a session."""
        return statistics.mean(self.tokens)


def run(inside: Inside) -> Result:
    """Post and read it all, and compare the last time through with the first."""
    conversation = read_conversation(inside.options.data, NAME)
    model = NoteTaker()
    with endpoint(model) as url:
        env = {**environment(url, stages=("read",)), **ONE_WORKER}
        with web(inside.folder, env) as served, worker(inside.folder, env) as process:
            client = Client(served.port, inside.secret)
            person = introduced(client, NAME, {"display_name": conversation.person})
            passes = [
                _pass(person, sittings, model, process.pid)
                for sittings in times_over(conversation.sittings, inside.options.times)
            ]
    return report(inside, person, passes)


def times_over(sittings: Sequence[Sitting], times: int) -> Iterator[list[Sitting]]:
    """The sessions so many times over, one time after the other, the last as they were."""
    lasts = sittings[-1].ends - sittings[0].turns[0].said_at + APART
    for number in range(times):
        back = lasts * (number + 1 - times)
        yield [one.shifted(back, f"{one.id} of {number + 1}") for one in sittings]


def _pass(person: Talker, sittings: Sequence[Sitting], model: NoteTaker, worker: int) -> Pass:
    tokens, requests, megabytes = [], model.requests, 0.0
    for sitting in sittings:
        before = model.tokens
        person.say(sitting.turns, sitting.id)
        tokens.append(model.tokens - before)
        megabytes = max(megabytes, resident(worker))
    facts = Fact.objects.filter(user=person.id).count()
    return Pass(tuple(tokens), model.requests - requests, facts, megabytes)


def report(inside: Inside, person: Talker, passes: Sequence[Pass]) -> Result:
    """A row for each time, and what the last is to the first."""
    head = ("time", "sessions", "prompts", "tokens/session", "most", "facts so far", "worker MB")
    inside.show("The conversation again and again", head, _rows(passes))
    rows = ToRead.objects.filter(user=person.id)
    done = rows.filter(status__in=(ReadStatus.READ, ReadStatus.NOTHING)).count()
    first, last = passes[0], passes[-1]
    return Result(
        [
            Bound("tokens a session, last/first", last.mean / first.mean, MOST_TOKENS),
            Bound("coverage", 100 * done / rows.count(), 100.0, " %", at_least=True),
            Bound("worker's memory, last/first", last.megabytes / first.megabytes, MOST_MEMORY),
        ],
        f"{sum(len(one.tokens) for one in passes)} sessions, {rows.count():,} turns, "
        f"{first.mean:,.0f} then {last.mean:,.0f} tokens a session",
    )


def _rows(passes: Sequence[Pass]) -> Iterator[tuple[object, ...]]:
    for number, one in enumerate(passes, start=1):
        yield (
            number,
            len(one.tokens),
            one.requests,
            f"{one.mean:,.0f}",
            f"{max(one.tokens):,}",
            f"{one.facts:,}",
            f"{one.megabytes:.0f}",
        )
