"""Fit a question, and what it may be answered from, into a prompt of bounded size. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.answering.excerpts import Excerpt
from memory.answering.material import Material
from memory.answering.shape import SHAPE
from memory.checkpointer.model.prices import BYTES_A_TOKEN
from memory.checkpointer.prompts import Filled, prompt
from memory.checkpointer.reading.ranking import ranked
from memory.checkpointer.reading.schemas import in_full
from memory.checkpointer.structuring.lines import as_json, cut, record_line, size

FENCES = 1_500
"""Bytes for the markers around each text, and for the words around the schema."""
EXCERPTS, COLLECTIONS, RECORDS = 0.45, 0.75, 0.4
"""Shares: excerpts of the room beside instructions and question, then of what is left in turn."""
MOST_RECORDS, LONGEST_EXCERPT = 12, 1_000
NOTED = "(a fact)"


@dataclass(frozen=True)
class Asked:
    """A prompt, and the excerpts that it shows by their numbers."""

    instructions: Filled
    excerpts: dict[int, Excerpt]


def ask_with(material: Material, *, most_tokens: int) -> Asked:
    """The prompt for a question, with what there is room for."""
    template = prompt("ask")
    person = f"{material.person}, {material.today:%A} {material.today.isoformat()}, {material.zone}"
    fixed = size(template.template) + size(json.dumps(SHAPE.schema)) + FENCES
    room = most_tokens * BYTES_A_TOKEN - fixed - size(person) - size(material.question)
    excerpts = _excerpts(material.excerpts, int(room * EXCERPTS))
    shown = "\n".join(_line(number, one) for number, one in excerpts.items()) or "(none)"
    room -= size(shown)
    full, others = _kinds(material, int(room * COLLECTIONS))
    collections = "\n".join(_collection(material, name) for name in full) or "(none)"
    room -= size(collections)
    records = cut(_records(material, full), int(room * RECORDS))
    room -= size(records)
    return Asked(
        template.fill(
            person=person,
            question=material.question,
            collections=collections,
            others=cut([_outline(material, name) for name in others], room),
            records=records,
            excerpts=shown,
        ),
        excerpts,
    )


def _excerpts(likeliest: Sequence[Excerpt], room: int) -> dict[int, Excerpt]:
    """The likeliest that fit, numbered in order of time."""
    taken: list[Excerpt] = []
    for one in likeliest:
        if (needed := size(_line(len(likeliest), one)) + 1) <= room:
            taken.append(one)
            room -= needed
    ordered = sorted(taken, key=lambda one: (one.at, one.stream, one.seq))
    return dict(enumerate(ordered, start=1))


def _line(number: int, excerpt: Excerpt) -> str:
    return as_json(
        {
            "number": number,
            "from": excerpt.speaker or NOTED,
            "at": excerpt.when,
            "text": excerpt.text[:LONGEST_EXCERPT],
        }
    )


def _kinds(material: Material, room: int) -> tuple[list[str], list[str]]:
    """The kinds with records whose fields there is room for, the likeliest first; and all others.

    Of a kind without records there is nothing to ask.
    """
    names = ranked(material.project, [material.question], {one.kind for one in material.records})
    full: list[str] = []
    for name in names:
        if material.counts.get(name) and (needed := size(_collection(material, name)) + 1) <= room:
            full.append(name)
            room -= needed
    others = [name for name in names if name not in full]
    return full, sorted(others, key=lambda name: not material.counts.get(name))


def _collection(material: Material, name: str) -> str:
    return f"{material.project.kinds[name].collection}: {_text(material, name)}"


def _text(material: Material, name: str) -> str:
    return in_full(material.project, material.counts, name)


def _outline(material: Material, name: str) -> str:
    kind = material.project.kinds[name]
    doc = kind.doc.strip().split("\n")[0]
    return f"{kind.collection}: {material.counts.get(name, 0)} of {name}: {doc}"


def _records(material: Material, full: Sequence[str]) -> Iterable[str]:
    """Records of the kinds that are shown, those of the likeliest kinds first."""
    place = {name: number for number, name in enumerate(full)}
    found = [one for one in material.records if one.kind in place]
    found.sort(key=lambda one: place[one.kind])
    return [record_line(one) for one in found[:MOST_RECORDS]]
