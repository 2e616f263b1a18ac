"""What facts that were just read ask of the code, told by trusted code from what was found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q

from memory.code import code_of
from memory.evaluator import Concern
from memory.found import found_in
from memory.log import FactEntry, facts_by_seq
from memory.models import MemoryUser, Need, NeedCause, Record
from memory.project.shipped import library
from memory.project.tree import Project
from memory.project.unread import constraints_in

NOTE = "notes.Note"
NOTES_THAT_ASK = 3
MOST_NOTES = 20


@dataclass(frozen=True)
class Asked:
    """A need to be noted, as `Need` has it."""

    fact_seq: int
    cause: NeedCause
    needs: str
    about: Mapping[str, Any] = field(default_factory=dict)


def asked_by(user: MemoryUser, seqs: Sequence[int], noticed: Sequence[Concern] = ()) -> list[Asked]:
    """What these facts ask for, without what they have asked for before.

    `noticed` is what the model was concerned about as it read them.
    """
    facts = facts_by_seq(user, seqs)
    found = found_in(user, facts.values())
    project = code_of(user).project
    asked = [
        one
        for fact in facts.values()
        for one in _by(fact, found.get(fact.seq, ()), project, _conflicts_of(fact.seq, noticed))
    ]
    asked += _by_notes(user, facts.values())
    rows = Need.objects.filter(user=user, fact_seq__in=[one.fact_seq for one in asked])
    before = set(rows.values_list("fact_seq", "cause"))
    return [one for one in asked if (one.fact_seq, one.cause) not in before]


def _conflicts_of(seq: int, noticed: Iterable[Concern]) -> Mapping[str, Any]:
    """What the model saw a fact's message conflict with: in words, and the records; or nothing."""
    seen = [one for one in noticed if seq in one.facts]
    if not seen:
        return {}
    named = dict.fromkeys(key for one in seen for key in one.records)
    return {
        "summary": "\n".join(one.summary for one in seen),
        "records": [{"kind": kind, "id": record_id} for kind, record_id in named],
    }


def _by(
    fact: FactEntry,
    found: Sequence[Mapping[str, Any]],
    project: Project,
    conflicts: Mapping[str, Any],
) -> Iterator[Asked]:
    """What one fact asks for: at once, or where nothing of it is urgent, in a while.

    A conflict that the model saw and for which it found no rule is urgent; a rule is asked for it.
    """
    wanting = [one for one in found if one["needs"] != "nothing"]
    lacking = [one for one in wanting if one["fit"] != "exact"]
    ruleless = any(one["needs"] == "rule" for one in wanting)
    fields = _constraints(fact, project, asked=ruleless)
    if ruleless and conflicts:
        yield Asked(fact.seq, NeedCause.READING, "rule", conflicts)
    elif lacking:
        yield Asked(fact.seq, NeedCause.READING, lacking[0]["needs"])
    if fields:
        yield Asked(fact.seq, NeedCause.CONSTRAINT, "rule", {"fields": fields})
    if wanting and not lacking and not fields and not (ruleless and conflicts):
        yield Asked(fact.seq, NeedCause.AGE, wanting[0]["needs"])


def _constraints(fact: FactEntry, project: Project, *, asked: bool) -> list[str]:
    return sorted(
        {
            name
            for reading in fact.readings
            if reading.op in ("assert", "update")
            for name in constraints_in(project, library(), reading.kind, reading.data, asked=asked)
        }
    )


def _by_notes(user: MemoryUser, facts: Iterable[FactEntry]) -> Iterator[Asked]:
    """Topics of these facts' notes of which enough notes have gathered that asked for nothing."""
    topics = {
        _topic(reading.data): reading.data["topic"]
        for fact in facts
        for reading in fact.readings
        if reading.kind == NOTE and _topic(reading.data)
    }
    if not topics:
        return
    told = _facts_by_topic(user, topics.values())
    answered = _answered(user)
    for topic, words in topics.items():
        left = sorted(told[topic] - answered)
        if len(left) >= NOTES_THAT_ASK:
            about = {"topic": words, "facts": left[-MOST_NOTES:]}
            yield Asked(left[-1], NeedCause.NOTES, "kind", about)


def _facts_by_topic(user: MemoryUser, topics: Iterable[str]) -> Mapping[str, set[int]]:
    """The facts that the notes of some topics rest on."""
    alike = reduce(or_, (Q(data__topic__icontains=words.strip()) for words in topics))
    found: dict[str, set[int]] = defaultdict(set)
    rows = Record.objects.filter(alike, user=user, kind=NOTE)
    for data, seqs in rows.values_list("data", "facts"):
        found[_topic(data)].update(seqs[:1])
    return found


def _answered(user: MemoryUser) -> set[int]:
    """The facts that have asked for something before."""
    answered: set[int] = set()
    for seq, about in Need.objects.filter(user=user).values_list("fact_seq", "about"):
        answered |= {seq, *about.get("facts", ())}
    return answered


def _topic(data: Mapping[str, Any]) -> str:
    return str(data.get("topic") or "").strip().casefold()
