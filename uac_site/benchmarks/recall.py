"""Questions about long conversations: how much of the evidence a search finds, and how fast.

Turns are posted as messages and searched over HTTP; the facts that were extracted from them as
facts of somebody else, which are right where they are of the evidence's sessions. The parameters
of the ranking were chosen on three of the conversations; the others are shown apart. Vectors are
looked at where a model that makes them is configured (`UAC_EMBED_FOLDER`).
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone

from memory.actions.embed_entries import (
    AT_ONCE,
    Unembedded,
    enqueue_embedding,
    store_vectors,
)
from memory.actions.index_words import enqueue_index
from memory.api.fields import MAX_BATCH
from memory.models import BLOCK, MemoryUser, Stream
from memory.retrieval.vectors.embedder import embedder
from uac_site.benchmarks.client import Client
from uac_site.benchmarks.evidence import (
    CATEGORIES,
    Conversation,
    Question,
    Tally,
    Told,
    long_history,
    read_conversations,
    recall,
)
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Bound, Result, in_order, ms, p50, p95, ratio
from uac_site.benchmarks.server import web, worker
from uac_site.benchmarks.talk import Talker, introduced

DEPTHS = (5, 10, 20)
TEXT_BOUND = 0.73
TIMES_BOUND = 5.0
SHORT, LONG = 700, 20_000
WARM = 5
"""Questions that nobody times."""
TUNED_ON = ("conv-30", "conv-42", "conv-47")
FUSED_BOUND = 0.79
MODES = {"text": "text", "vector": "vectors", "hybrid": "fused"}
OF_FACTS = "facts"
DIMENSION = 384
Timings = dict[tuple[str, int], list[float]]


@dataclass(frozen=True)
class Site:
    """A server to ask, and the questions' conversations."""

    client: Client
    conversations: Sequence[Conversation]
    modes: Sequence[str]

    def search(self, person: Talker, text: str, **query: str) -> tuple[list[dict[str, Any]], float]:
        """The first hits for a question, and the seconds they took."""
        asked = urlencode({"q": text, "limit": DEPTHS[-1], **query})
        raw, seconds = self.client.fetched(f"{person.path}/search?{asked}")
        items: list[dict[str, Any]] = json.loads(raw)["items"]
        return items, seconds


def run(inside: Inside) -> Result:
    """Post, index, ask; then the same words over a short and a long history."""
    conversations = read_conversations(inside.options.data)
    tally, aside = Tally(), Tally()
    modes = [*MODES] if embedder() else ["text"]
    with web(inside.folder) as served, worker(inside.folder):
        site = Site(Client(served.port, inside.secret), conversations, modes)
        for conversation in conversations:
            tallies = [tally] if conversation.id in TUNED_ON else [tally, aside]
            ask_about(site, conversation, tallies)
            ask_facts(site, conversation, tallies, vectors=bool(inside.options.vectors_of_facts))
            inside.say(f"{conversation.id}: {len(conversation.questions)} questions asked")
        timings = time_all(site, inside.options.rounds)
    show(inside, tally, aside, timings)
    return Result(bounds(tally, timings, modes))


def bounds(tally: Tally, timings: Timings, modes: Sequence[str]) -> list[Bound]:
    """What must hold; without a model that makes vectors, of words alone."""
    recalls = [Bound("text recall@20", tally.mean("text @20"), TEXT_BOUND, at_least=True)]
    if "hybrid" in modes:
        fused = tally.mean("fused @20")
        recalls.append(Bound("fused recall@20", fused, FUSED_BOUND, at_least=True))
    short, long = timings["text", SHORT], timings["text", LONG]
    return [
        *recalls,
        *(
            Bound(f"text {name} at {LONG:,} to {SHORT}", times, TIMES_BOUND, " times")
            for name, times in (
                ("p50", ratio(p50(long), p50(short))),
                ("p95", ratio(p95(long), p95(short))),
            )
        ),
    ]


def ask_about(site: Site, conversation: Conversation, tallies: Sequence[Tally]) -> None:
    """Post a conversation as messages and ask its questions."""
    talker = introduced(site.client, conversation.id, {"display_name": conversation.id})
    say(site, talker, conversation.turns)
    prepared(site, talker, vectors=True)
    for question in conversation.questions:
        for mode in site.modes:
            found, _ = site.search(talker, question.text, mode=mode)
            seqs = [hit["seq"] for hit in found]
            count(tallies, MODES[mode], question, question.evidence, seqs)


def ask_facts(
    site: Site, conversation: Conversation, tallies: Sequence[Tally], *, vectors: bool
) -> None:
    """Post what was extracted from it as facts and ask the same; what counts is the session."""
    talker = introduced(site.client, f"{conversation.id} facts", {})
    state(site, talker, conversation)
    prepared(site, talker, vectors=vectors)
    for question in conversation.questions:
        wanted = conversation.sessions_of(question.evidence)
        for mode in site.modes if vectors else ["text"]:
            found, _ = site.search(talker, question.text, mode=mode)
            sessions = [hit["session"] for hit in found]
            count(tallies, f"{MODES[mode]}, {OF_FACTS}", question, wanted, sessions)


def count(
    tallies: Iterable[Tally],
    name: str,
    question: Question,
    wanted: Iterable[Any],
    found: Sequence[Any],
) -> None:
    """Note the recall of one question at every depth."""
    for tally in tallies:
        for depth in DEPTHS:
            tally.add(f"{name} @{depth}", question.category, recall({*wanted}, found[:depth]))


def say(site: Site, talker: Talker, turns: Sequence[Told]) -> None:
    """Post turns session by session."""
    site.client.close()
    for session, some in groupby(turns, key=lambda turn: turn.session):
        messages = [turn.body for turn in some]
        for start in range(0, len(messages), MAX_BATCH):
            body = {"messages": messages[start : start + MAX_BATCH], "session": session}
            site.client.created(f"{talker.path}/messages", body)


def state(site: Site, talker: Talker, conversation: Conversation) -> None:
    """Post the extracted facts."""
    bodies = [sentence.body() for sentence in conversation.facts]
    for start in range(0, len(bodies), MAX_BATCH):
        body = {"facts": bodies[start : start + MAX_BATCH]}
        site.client.created(f"{talker.path}/facts", body)


def prepared(site: Site, talker: Talker, *, vectors: bool) -> None:
    """Queue what the sweep queues for whoever has just been posted of, and wait for it."""
    person = MemoryUser.objects.get(pk=talker.id)
    enqueue_index(user=person, now=timezone.now())
    if vectors:
        enqueue_embedding(user=person, now=timezone.now())
    talker.settle()
    site.client.close()  # the server ends a connection that is idle for long


def time_all(site: Site, rounds: int) -> Timings:
    """Questions in turn over a short and a long history of the same turns.

    Vectors are made up there: what they say does not change how long it takes to compare them.
    """
    people = {}
    for length in (SHORT, LONG):
        people[length] = introduced(site.client, f"{length} messages", {})
        say(site, people[length], long_history(site.conversations, length))
        prepared(site, people[length], vectors=False)
        if "hybrid" in site.modes:
            make_up_vectors(people[length], length)
    settle()
    questions = [one.text for each in site.conversations for one in each.questions]
    chosen = questions[:: max(1, len(questions) // rounds)][:rounds]
    timings: Timings = defaultdict(list)
    cases = {f"{mode} {length}": (mode, length) for mode in site.modes for length in people}
    for number, text in enumerate([*chosen[:WARM], *chosen]):
        for name in in_order([*cases], number):
            mode, length = cases[name]
            _, seconds = site.search(people[length], text, mode=mode)
            if number >= WARM:
                timings[cases[name]].append(seconds)
    return timings


def make_up_vectors(talker: Talker, count: int) -> None:
    """As many vectors of the model in force as there are messages, drawn by chance."""
    draw, maker = random.Random(1), embedder()  # noqa: S311  (the same every time)
    assert maker is not None
    few = [[draw.gauss() for _ in range(DIMENSION)] for _ in range(AT_ONCE)]
    for first in range(0, count, AT_ONCE):
        block, after = divmod(first, BLOCK)
        rows = min(AT_ONCE, count - first)
        of = Unembedded(talker.id, Stream.MESSAGE, block, after, [""] * rows)
        store_vectors(of=of, model=maker.name, vectors=few[:rows])


def show(inside: Inside, tally: Tally, aside: Tally, timings: Timings) -> None:
    """Every figure."""
    for of in ("", f", {OF_FACTS}"):
        found = [name for name in MODES.values() if tally.count(f"{name}{of} @{DEPTHS[0]}")]
        names = [f"{name}{of} @{depth}" for name in found for depth in DEPTHS]
        rows = [
            *(
                (title, tally.count(names[0], category), *_means(tally, names, category))
                for category, title in CATEGORIES.items()
            ),
            ("all", tally.count(names[0]), *_means(tally, names, None)),
            ("not tuned on", aside.count(names[0]), *_means(aside, names, None)),
        ]
        title = "Part of the evidence that is found" + (" by session" if of else "")
        inside.show(f"{title}{of}", ("questions", "count", *names), rows)
    inside.show(
        "Milliseconds of a search over HTTP",
        ("by", "messages", "p50", "p95", "p50 to text at 700"),
        [
            (
                MODES[mode],
                f"{length:,}",
                ms(p50(some)),
                ms(p95(some)),
                f"{ratio(p50(some), p50(timings['text', SHORT])):.2f}",
            )
            for (mode, length), some in sorted(timings.items())
        ],
    )


def _means(tally: Tally, names: Sequence[str], category: int | None) -> list[str]:
    return [f"{tally.mean(name, category):.3f}" for name in names]
