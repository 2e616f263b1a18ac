"""Facts as a page lists them: the sentence, what was read from it, and what that did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from memory.actions.project_state import Key, effect_of, statements_about, waits
from memory.code import project_of
from memory.log import FactEntry, FactFilter, ReadingEntry, page_of_facts
from memory.models import MemoryUser, Waiting
from memory.project.fold import Statement, fold
from memory.project.schema import Kind
from memory.views.values import cut, describe, label, words_for

PAGE = 50
LONGEST = 4_000
VERBS = {
    "assert": "says",
    "update": "changes",
    "retract": "takes back",
    "withdraw": "says was wrong",
}
EFFECTS = {
    "created": "new record",
    "changed": "record changed",
    "unchanged": "nothing new",
    "removed": "record removed",
    "absent": "no such record, nothing done",
    "waiting": "waits until its kind is approved",
    "placed": "placed since",
    "taken back": "taken back",
}


@dataclass(frozen=True)
class ReadingLine:
    """A reading in words, and its effect on the record when it was read."""

    verb: str
    kind: str
    words: str
    effect: str
    effect_words: str


@dataclass(frozen=True)
class FactLine:
    """A fact with its readings."""

    entry: FactEntry
    text: str
    readings: tuple[ReadingLine, ...]


@dataclass(frozen=True)
class FactsPage:
    """Facts newest first, and the cursors of the pages around them."""

    lines: tuple[FactLine, ...]
    older: int | None
    newer: int | None


def page_before(person: MemoryUser, before: int | None) -> FactsPage:
    """The facts with a seq below `before`, newest first; the newest where it is None."""
    entries = page_of_facts(person, FactFilter(), after=before, limit=PAGE, newest_first=True)
    first, last = (entries[0].seq, entries[-1].seq) if entries else (0, 0)
    return FactsPage(
        lines=tuple(lines_of(person, entries)),
        older=last if last > 1 else None,
        newer=min(first + PAGE, person.fact_seq) + 1 if 0 < first < person.fact_seq else None,
    )


def lines_of(person: MemoryUser, entries: Iterable[FactEntry]) -> list[FactLine]:
    """The facts with what their readings did, worked out from the log in one more query."""
    facts = list(entries)
    keys = {(said.kind, said.record_id) for fact in facts for said in fact.readings}
    about = statements_about(person, {key for key in keys if not waits(key)})
    kinds = project_of(person).kinds
    unplaced = [said.seq for fact in facts for said in fact.readings if not said.record_id]
    waiting = Waiting.objects.filter(user=person, reading_seq__in=unplaced)
    still = set(waiting.values_list("reading_seq", flat=True)) if unplaced else set()
    return [
        FactLine(
            fact,
            cut(fact.text, LONGEST),
            tuple(_line(said, fact, about, kinds, still) for said in fact.readings),
        )
        for fact in facts
    ]


def _line(
    said: ReadingEntry,
    fact: FactEntry,
    about: Mapping[Key, Sequence[Statement]],
    kinds: Mapping[str, Kind],
    still: Set[int],
) -> ReadingLine:
    key = (said.kind, said.record_id)
    effect = _effect_unplaced(said, fact, still) if waits(key) else _effect(said, about[key])
    words = _words(said, kinds.get(said.kind))
    return ReadingLine(VERBS[said.op], said.kind, words, effect, EFFECTS[effect])


def _effect(said: ReadingEntry, statements: Sequence[Statement]) -> str:
    return effect_of(
        fold(one for one in statements if one.seq < said.seq),
        fold(one for one in statements if one.seq <= said.seq),
    )


def _effect_unplaced(said: ReadingEntry, fact: FactEntry, still: Set[int]) -> str:
    if said.seq in still:
        return "waiting"
    return "placed" if said.seq in {one.places for one in fact.readings} else "taken back"


def _words(said: ReadingEntry, kind: Kind | None) -> str:
    if waits((said.kind, said.record_id)):
        return cut(", ".join(f"{name} {value}" for name, value in said.data.items()))
    if kind is None:
        return said.record_id
    if said.op == "withdraw":
        return f"{said.record_id}, reading {said.data['reading']}"
    if said.op == "assert":
        return describe(kind, said.data).partition(": ")[2]
    parts = [
        f"{label(field)} {words_for(field.type, said.data[field.name]) or 'unknown'}"
        for field in kind.fields[1:]
        if field.name in said.data
    ]
    return f"{said.record_id}: {', '.join(parts)}" if parts else said.record_id
