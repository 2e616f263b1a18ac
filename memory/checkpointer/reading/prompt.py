"""Fit what a model is to read, and what it needs for that, into a prompt of bounded size. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.prices import BYTES_A_TOKEN
from memory.checkpointer.prompts import Filled, prompt
from memory.checkpointer.reading.answer import ReadAnswer
from memory.checkpointer.reading.item import Item, Material, Shown
from memory.checkpointer.reading.relevance import stems
from memory.checkpointer.reading.schemas import index, kind_texts, ranked

SHAPE = Shape(ReadAnswer, name="read")
MOST_ITEMS = 12
FENCES = 1_000
"""Bytes for the markers around each text, and for the words around the schema."""
FIRST, BATCH, KINDS, RECORDS, EARLIER = 0.7, 0.4, 0.25, 0.2, 0.08
"""Shares of the room beside the instructions: a first message alone, all messages, and so on."""
LONGEST_VALUE, LONGEST_RECORD, LONGEST_TURN = 160, 800, 300


class TooLong(ValueError):
    """A message that has no room in a prompt, even alone."""


@dataclass(frozen=True)
class Asked:
    """A prompt, and what it asks to read; number 1 is the first."""

    instructions: Filled
    items: tuple[Item, ...]


def ask_about(material: Material, *, most_tokens: int) -> Asked:
    """The prompt for as many of the items as fit. Raises TooLong for the first one."""
    template = prompt("read")
    fixed = _size(template.template) + _size(json.dumps(SHAPE.schema)) + FENCES
    person = f"{material.name[:100]}, {material.zone.key}"
    room = most_tokens * BYTES_A_TOKEN - fixed - _size(person)
    items = _taken(material, room)
    if not items:
        raise TooLong(f"it is too long for a prompt of {most_tokens:,} tokens")
    texts = {"person": person, "messages": _lines(items, material)}
    left = room - _size(texts["messages"])
    meant = [one.kind for one in material.records]
    names = ranked(material.project, stems(" ".join(one.text for one in items)), meant)
    for name, lines, share in (
        ("kinds", index(material.project, material.counts), KINDS),
        ("records", map(_record, material.records), RECORDS),
        ("earlier", [_turn(one, material) for one in material.earlier], EARLIER),
        ("schemas", [kind_texts(material.project)[one] for one in names], 1.0),
    ):
        texts[name] = _cut(lines, min(left, int(room * share)))
        left -= _size(texts[name])
    return Asked(template.fill(**texts), items)


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


def _cut(lines: Iterable[str], room: int) -> str:
    """The lines that fit, in order; one that does not is left out."""
    taken: list[str] = []
    for line in lines:
        if (size := _size(line) + 1) <= room:
            taken.append(line)
            room -= size
    return "\n".join(taken) or "(none)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
