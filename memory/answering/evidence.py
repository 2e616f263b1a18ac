"""The records and facts that the value of a query rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from memory.models import MemoryUser, Record
from memory.querying.ask import Answer
from memory.sandbox import Instance

MOST_RECORDS, MOST_FACTS = 200, 200
NAME = "rests_on"
"""What a query may call the records that its value was reckoned from."""
DEEPEST = 6


@dataclass(frozen=True)
class RestsOn:
    """Records by kind and id with the seq of their facts, the first of `total`; and all facts."""

    records: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    total: int = 0
    facts: tuple[int, ...] = ()
    """At most 200 of them, in order."""


def rests_on(user: MemoryUser, answer: Answer, named: Any) -> RestsOn:
    """What an answer rests on.

    The records that the query named, else those in its value, else all of the collections it read.
    """
    kinds = {kind.collection: kind.full_name for kind in answer.kinds.values()}
    read = [kinds[name] for name in answer.collections]
    rows = Record.objects.filter(user=user, kind__in=read).order_by("kind", "record_id")
    found = list(rows.values_list("kind", "record_id", "facts"))
    meant = _keys(named, answer) or _keys(answer.value, answer)
    if meant:
        found = [row for row in found if (row[0], row[1]) in meant]
    records = tuple((kind, record_id, tuple(facts)) for kind, record_id, facts in found)
    facts = sorted({seq for _, _, some in records for seq in some})
    return RestsOn(records[:MOST_RECORDS], len(records), tuple(facts[:MOST_FACTS]))


def _keys(value: Any, answer: Answer) -> set[tuple[str, str]]:
    return {
        (kind.full_name, str(one.attributes.get("id")))
        for one in _instances(value, DEEPEST)
        if (kind := answer.kinds.get(one.name)) is not None
    }


def _instances(value: Any, depth: int) -> Iterator[Instance]:
    parts: Iterable[Any] = ()
    match value:
        case Instance():
            yield value
        case dict():
            parts = (*value.keys(), *value.values())
        case list() | tuple() | set() | frozenset():
            parts = value
    if depth:
        for part in parts:
            yield from _instances(part, depth - 1)
