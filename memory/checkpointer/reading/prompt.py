"""Fit what a model is to read, and what it needs for that, into a prompt of bounded size. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.prices import BYTES_A_TOKEN
from memory.checkpointer.prompts import Filled, prompt
from memory.checkpointer.reading.answer import ReadAnswer
from memory.checkpointer.reading.item import Item, Material, Shown
from memory.checkpointer.reading.ranking import ranked
from memory.checkpointer.reading.relevance import stems
from memory.checkpointer.reading.schemas import in_full, outline, watching

T = TypeVar("T")
SHAPE = Shape(ReadAnswer, name="read")
MOST_ITEMS = 12
FENCES = 700
"""Bytes for the markers around each text, and for the words around the schema."""
FIRST, BATCH, RECORDS, EARLIER = 0.7, 0.35, 0.18, 0.07
"""Shares of the room beside the instructions: a first message alone, all messages, and so on.

Kinds have what is left."""
RULES, RULES_BESIDE_MANY, MANY = 0.16, 0.08, 4
"""What is kept for rules; many messages speak of more kinds, which matter more."""
LONGEST_VALUE, LONGEST_RECORD, LONGEST_TURN = 160, 800, 300


class TooLong(ValueError):
    """A message that has no room in a prompt, even alone."""


@dataclass(frozen=True)
class Asked:
    """A prompt, what it asks to read, and the records it shows; number 1 is the first item."""

    instructions: Filled
    items: tuple[Item, ...]
    shown: frozenset[tuple[str, str]] = frozenset()


def ask_about(material: Material, *, most_tokens: int) -> Asked:
    """The prompt for as many of the items as fit. Raises TooLong for the first one."""
    template = prompt("read")
    fixed = _size(template.template) + _size(json.dumps(SHAPE.schema)) + FENCES
    person = f"{material.name[:100]}, {material.zone.key}"
    room = most_tokens * BYTES_A_TOKEN - fixed - _size(person)
    items = _taken(material, room)
    if not items:
        raise TooLong(f"it is too long for a prompt of {most_tokens:,} tokens")
    left = room - _size(lines := _lines(items, material))
    records = _fitting(material.records, _record, min(left, int(room * RECORDS)))
    left -= _size(shown := _block(map(_record, records)))
    turns = [_turn(one, material) for one in reversed(material.earlier)]
    turns = _fitting(turns, str, min(left, int(room * EARLIER)))
    left -= _size(earlier := _block(reversed(turns)))
    said = [one.text for one in items]
    names = ranked(material.project, said, {one.kind for one in material.records})
    kept = RULES if len(items) <= MANY else RULES_BESIDE_MANY
    full, others = _kinds(names, material, left - int(room * kept))
    left -= _size(schemas := _block(in_full(material.project, material.counts, x) for x in full))
    left -= _size(kinds := _block(outline(material.project, material.counts, x) for x in others))
    rules = _block(_fitting(watching(material.project, full, stems(" ".join(said))), str, left))
    filled = template.fill(
        person=person,
        schemas=schemas,
        kinds=kinds,
        rules=rules,
        records=shown,
        earlier=earlier,
        messages=lines,
    )
    return Asked(filled, items, frozenset((one.kind, one.record_id) for one in records))


def _kinds(names: Sequence[str], material: Material, room: int) -> tuple[list[str], list[str]]:
    """The kinds that are shown in full, and those that are only named; the first matter most."""
    named = _fitting(names, partial(outline, material.project, material.counts), room)
    sizes = {name: _size(outline(material.project, material.counts, name)) + 1 for name in named}
    room -= sum(sizes.values())
    full: list[str] = []
    for name in names:
        more = _size(in_full(material.project, material.counts, name)) + 1 - sizes.get(name, 0)
        if more <= room:
            full.append(name)
            room -= more
    return full, [name for name in named if name not in full]


def _taken(material: Material, room: int) -> tuple[Item, ...]:
    """The first items: one alone may take more room than several together."""
    taken: list[Item] = []
    size = 0
    for number, item in enumerate(material.items[:MOST_ITEMS], start=1):
        size += _size(_line(number, item, material)) + 1
        if size > room * (BATCH if taken else FIRST) or (taken and item.tries):
            break
        taken.append(item)
        if item.tries:
            break
    return tuple(taken)


def _lines(items: Iterable[Item], material: Material) -> str:
    return "\n".join(_line(number, item, material) for number, item in enumerate(items, start=1))


def _line(number: int, item: Item, material: Material) -> str:
    return _json({"number": number, **_said(item, material), "text": item.text})


def _turn(item: Item, material: Material) -> str:
    return _json({**_said(item, material), "text": item.text[:LONGEST_TURN]})


def _said(item: Item, material: Material) -> dict[str, Any]:
    local = item.said_at.astimezone(material.zone)
    return {"from": item.speaker, "at": f"{local:%A} {local:%Y-%m-%d %H:%M}"}


def _record(shown: Shown) -> str:
    """A record as a line of JSON, its texts cut."""
    line = {"kind": shown.kind, "id": shown.record_id}
    for name, value in shown.data.items():
        if value not in (None, [], {}):
            more = {**line, name: value[:LONGEST_VALUE] if isinstance(value, str) else value}
            if _size(_json(more)) <= LONGEST_RECORD:
                line = more
    return _json(line)


def _fitting(values: Iterable[T], line: Callable[[T], str], room: int) -> list[T]:
    """The values whose lines fit, in order; one that does not is left out."""
    taken: list[T] = []
    for value in values:
        if (size := _size(line(value)) + 1) <= room:
            taken.append(value)
            room -= size
    return taken


def _block(lines: Iterable[str]) -> str:
    return "\n".join(lines) or "(none)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
