"""A real conversation of two friends, session by session: what the memory of one of them becomes.

Its recorded answers are not part of the project: the conversation may be used for no commerce, and
answers quote it. Concerns are judged by reading; `friends.toml` keeps that by their digests.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from django.db.models import Count, Sum

from memory.code import baseline_of, project_of
from memory.models import Fact, HeldReading, MemoryUser, ModelCall
from uac_site.benchmarks.case import heard
from uac_site.benchmarks.clock import turn_to
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Result, none_of
from uac_site.benchmarks.recorded import Stage, staged
from uac_site.benchmarks.scenarios import Heard
from uac_site.benchmarks.talk import Talker, introduced
from uac_site.benchmarks.turns import Conversation, Sitting, read_conversation
from uac_site.env import BASE_DIR

NAME = "conv-30"
CASSETTES = BASE_DIR / "var" / "cassettes"
JUDGEMENTS = Path(__file__).resolve().parent / "friends.toml"
AFTERWARDS = timedelta(hours=1)
DIGEST_LENGTH = 12


@dataclass
class Grown:
    """What became of the conversation; `heard` is all that was ever open, by its id."""

    rows: list[tuple[object, ...]] = field(default_factory=list)
    heard: dict[int, Heard] = field(default_factory=dict)
    approved: int = 0


def run(inside: Inside) -> Result:
    """Post, read, approve, report."""
    conversation = read_conversation(inside.options.data, NAME)
    with staged(inside, NAME, CASSETTES) as stage:
        stage.record_as(NAME)
        names = {"display_name": conversation.person, "timezone": "UTC"}
        person = introduced(stage.client, NAME, names)
        grown = _grow(stage, person, conversation)
        told = stage.player.told
        _show(inside, person, grown)
        return report(person, grown, told)


def _grow(stage: Stage, person: Talker, conversation: Conversation) -> Grown:
    grown = Grown()
    for sitting in conversation.sittings:
        turn_to(sitting.ends + AFTERWARDS)
        person.look()
        person.say(sitting.turns, sitting.id)
        found = heard(person)
        grown.approved += person.approve(stage.port)
        found += heard(person)
        grown.heard |= {one.id: one for one in found}
        grown.rows.append(_row(person, sitting, grown))
    return grown


def _row(person: Talker, sitting: Sitting, grown: Grown) -> tuple[object, ...]:
    calls = ModelCall.objects.filter(user=person.id).aggregate(Sum("tokens_in"), Sum("tokens_out"))
    return (
        sitting.id,
        len(sitting.turns),
        Fact.objects.filter(user=person.id).count(),
        sum(person.kinds().values()),
        calls["tokens_in__sum"] or 0,
        calls["tokens_out__sum"] or 0,
        len(grown.heard),
        grown.approved,
    )


def _show(inside: Inside, person: Talker, grown: Grown) -> None:
    head = ("session", "turns", "facts", "records", "tokens in", "out", "raised", "approved")
    inside.show("Session by session; all but turns counted from the beginning", head, grown.rows)
    inside.show("Records by kind", ("kind", "records"), sorted(person.kinds().items()))
    calls = ModelCall.objects.filter(user=person.id).values_list("stage", "outcome")
    counted = calls.annotate(Count("id"), Sum("tokens_in"), Sum("tokens_out")).order_by()
    inside.show("Calls of the model", ("stage", "outcome", "calls", "tokens in", "out"), counted)
    user = MemoryUser.objects.get(pk=person.id)
    own, shared = project_of(user), baseline_of(user)
    for what, names in (
        ("kinds that grew", own.kinds.keys() - shared.kinds.keys()),
        ("rules that grew", own.rules.keys() - shared.rules.keys()),
    ):
        inside.say(f"{what}: {', '.join(sorted(names)) or 'none'}")
    for one in grown.heard.values():
        first, _, _ = one.sentence.partition("\n")
        inside.say(f"{one.origin}, {one.severity} ({digest(one)}): {first}")
    for reason in person.unread():
        inside.say(f"not read: {reason}")


def digest(heard: Heard) -> str:
    """What a judgement names it by."""
    said = f"{heard.origin}\n{heard.sentence}"
    return hashlib.sha256(said.encode()).hexdigest()[:DIGEST_LENGTH]


def read_judgements(path: Path = JUDGEMENTS) -> Mapping[str, bool]:
    """Whether what was raised is right, by its digest."""
    return {one["state"]: one["right"] for one in tomllib.loads(path.read_text())["judged"]}


def report(person: Talker, grown: Grown, told: str) -> Result:
    """The figures of it all; everything that was raised is judged."""
    judged = read_judgements()
    raised = list(grown.heard.values())
    sums = Counter(one.origin for one in raised)
    wrong = Counter(one.origin for one in raised if not judged.get(digest(one), True))
    said = ", ".join(
        f"{sums[origin]} {what} ({wrong[origin]} false)" for origin, what in _ORIGINS.items()
    )
    held = HeldReading.objects.filter(user=person.id).count()
    return Result(
        [
            none_of("turns not read", len(person.unread())),
            none_of("raised and not judged", sum(digest(one) not in judged for one in raised)),
        ],
        f"{sum(person.kinds().values())} records, {held} held, {grown.approved} proposals"
        f" approved, {said}; {told}",
    )


_ORIGINS = {"finding": "alerts", "provisional": "provisional", "concern": "concerns"}
