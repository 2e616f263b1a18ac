"""Fit what asks for code, and what is needed to write it, into a prompt of bounded size. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.checkpointer.model.answers import Shape
from memory.checkpointer.model.prices import BYTES_A_TOKEN
from memory.checkpointer.prompts import Filled, prompt
from memory.checkpointer.reading.relevance import score, stems
from memory.checkpointer.reading.schemas import kind_texts
from memory.checkpointer.structuring.answer import StructureAnswer
from memory.checkpointer.structuring.lines import as_json, cut, record_line, size
from memory.checkpointer.structuring.material import Material, Review, facts_of
from memory.checkpointer.trials import rules_of
from memory.log import FactEntry
from memory.models import Need, NeedCause
from memory.project.tree import Project, Rule

SHAPE = Shape(StructureAnswer, name="structure")
FENCES = 2_000
"""Bytes for the markers around each text, and for the words around the schema."""
NEEDS, REVIEW, SCHEMAS, OWN_RULES, KINDS, RULES, RECORDS = 0.35, 0.35, 0.4, 0.3, 0.15, 0.2, 0.2
"""Shares of the room beside the instructions; what is left shows the fields of other kinds."""
LONGEST_FACT, LONGEST_WORDS, LONGEST_DOC, LONGEST_LINE = 2_000, 1_000, 800, 200


class NoRoom(ValueError):
    """A need that has no room in a prompt, even alone."""


@dataclass(frozen=True)
class Asked:
    """A prompt, and what an answer to it may speak of.

    `needs` by their numbers, the facts by seq, and the paths of files that it may change.
    """

    instructions: Filled
    needs: Mapping[int, Need]
    facts: Mapping[int, FactEntry]
    changeable: frozenset[str]


def ask_for_code(material: Material, *, most_tokens: int) -> Asked:
    """The prompt for as many of the needs as fit. Raises NoRoom for the first one."""
    template = prompt("structure")
    fixed = size(template.template) + size(json.dumps(SHAPE.schema)) + FENCES
    room = most_tokens * BYTES_A_TOKEN - fixed
    texts = {"person": _person(material)}
    needs, facts = _needs_that_fit(material, int(room * NEEDS))
    texts["needs"] = "\n".join(
        _need_line(number, one, [seq for seq in _facts_of(one, material) if seq in facts])
        for number, one in needs.items()
    )
    texts["facts"] = "\n".join(_fact_line(one, material) for one in facts.values())
    left = room - sum(map(size, texts.values()))
    changeable: list[str] = []
    for name, blocks, share in _blocks(material):
        taken = _taken(blocks, min(left, int(room * share)))
        changeable += [path for block in taken for path in block.paths if name != "review"]
        texts[name] = "\n".join(block.text for block in taken) or "(none)"
        left -= size(texts[name])
    for name, lines, share in _lists(material, changeable):
        texts[name] = cut(lines, min(left, int(room * share)))
        left -= size(texts[name])
    return Asked(template.fill(**texts), needs, facts, frozenset(changeable))


def _person(material: Material) -> str:
    zone = material.user.timezone
    return f"{str(material.user)[:100]}, {material.today:%A} {material.today.isoformat()}, {zone}"


def _needs_that_fit(material: Material, room: int) -> tuple[dict[int, Need], dict[int, FactEntry]]:
    """The first needs with their facts; of the first one all that there is room for."""
    needs: dict[int, Need] = {}
    facts: dict[int, FactEntry] = {}
    for need in material.needs:
        about = _facts_of(need, material)
        more = [seq for seq in about if seq not in facts]
        lines = [_fact_line(material.facts[seq], material) for seq in more]
        taken = size(_need_line(len(needs) + 1, need, about)) + 1
        taken += sum(size(line) + 1 for line in lines)
        if taken > room and needs:
            break
        while taken > room and lines:
            taken -= size(lines.pop()) + 1
            more.pop()
        if taken > room:
            raise NoRoom("what asks for code is too long for a prompt")
        room -= taken
        needs[len(needs) + 1] = need
        facts |= {seq: material.facts[seq] for seq in more}
    return needs, dict(sorted(facts.items()))


def _facts_of(need: Need, material: Material) -> list[int]:
    """The need's own fact first; a comment is about all the facts of what it comments on."""
    seqs = facts_of(need, material.resting)
    if need.cause == NeedCause.COMMENT and material.review is not None:
        seqs += material.review.facts
    return [seq for seq in dict.fromkeys(seqs) if seq in material.facts]


def _need_line(number: int, need: Need, facts: Sequence[int]) -> str:
    line: dict[str, Any] = {
        "need": number,
        "asks_for": f"a {need.needs}",
        "because": NeedCause(need.cause).label,
        "facts": facts,
    }
    for name in ("summary", "topic", "fields", "records"):
        if value := need.about.get(name):
            line[name] = value[:LONGEST_WORDS] if isinstance(value, str) else value[:20]
    return as_json(line)


def _fact_line(fact: FactEntry, material: Material) -> str:
    local = fact.occurred_at.astimezone(material.user.zone)
    line: dict[str, Any] = {
        "fact": fact.seq,
        "at": f"{local:%A} {local:%Y-%m-%d %H:%M}",
        **({"from": fact.source} if fact.source not in ("", "model") else {}),
        "text": fact.text[:LONGEST_FACT],
    }
    for found in material.found.get(fact.seq, ()):
        for name in ("quote", "speaker", "status", "fit", "doubts"):
            value = found.get(name)
            if value and value != fact.text:
                line[name] = value[:LONGEST_WORDS] if isinstance(value, str) else value
    line["read_as"] = [
        {"kind": one.kind, "id": one.record_id, "op": one.op, "data": one.data}
        for one in fact.readings
        if size(as_json(one.data)) <= LONGEST_FACT
    ]
    return as_json(line)


@dataclass(frozen=True)
class _Block:
    """Files that are shown together or not at all."""

    paths: tuple[str, ...]
    text: str


def _blocks(material: Material) -> Iterable[tuple[str, list[_Block], float]]:
    base = material.base
    review = material.review
    comment = [_Block((), text) for text in _comments(review)] if review else []
    files = [_block({path: text}) for path, text in sorted(review.files.items())] if review else []
    yield "review", [*comment, *files], REVIEW
    paths = [base.domains[name].path for name in material.domains]
    yield "schemas", [_block({path: base.files[path]}) for path in paths], SCHEMAS
    yield "own_rules", [_block(files) for files in _own_rules(material)], OWN_RULES


def _comments(review: Review) -> Iterable[str]:
    """What the reviewer said of the whole, then of single lines with the line itself."""
    if review.comment:
        yield review.comment[:LONGEST_FACT]
    for one in review.lines:
        place = f"{one['path']}:{one['line']}" + (" before" if one["side"] == "old" else "")
        yield f"{place}: `{one['quote'][:LONGEST_LINE]}`: {one['text'][:LONGEST_WORDS]}"


def _own_rules(material: Material) -> Iterable[dict[str, str]]:
    """Each rule of the person's own with its tests, those that read the likeliest domains first."""
    base, shipped = material.base, material.code.baseline
    own = [rule for name, rule in base.rules.items() if f"rules/{name}.py" not in shipped.files]
    collections = _collections(base, material.domains)
    for rule in sorted(own, key=lambda one: (not one.touched_by(collections), one.name)):
        files = {f"rules/{rule.name}.py": rule.source}
        yield files | {
            path: text
            for path, text in sorted(base.files.items())
            if path.startswith("tests/")
            and path not in shipped.files
            and rule.name in rules_of(text)
        }


def _block(files: Mapping[str, str]) -> _Block:
    parts = [f"==== {path}\n{text.rstrip()}\n" for path, text in files.items()]
    return _Block(tuple(files), "\n".join(parts))


def _taken(blocks: Iterable[_Block], room: int) -> list[_Block]:
    """The blocks that fit, in order; one that does not is left out."""
    taken = []
    for block in blocks:
        if (needed := size(block.text) + 1) <= room:
            taken.append(block)
            room -= needed
    return taken


def _lists(
    material: Material, changeable: Sequence[str]
) -> Iterable[tuple[str, Iterable[str], float]]:
    base = material.base
    yield "kinds", [_kind_line(base, name, material.counts) for name in base.kinds], KINDS
    yield "rules", _rule_lines(material, changeable), RULES
    yield "records", [record_line(one) for one in material.records], RECORDS
    shown = {name for name in base.domains if base.domains[name].path in changeable}
    yield "fields", _other_kinds(material, shown), 1.0


def _other_kinds(material: Material, shown: Collection[str]) -> list[str]:
    """The fields of kinds whose schema is not shown, the likeliest first."""
    sought = stems(" ".join(one.text for one in material.facts.values()))
    meant = {one.kind for one in material.records}
    texts = kind_texts(material.base)
    names = [name for name in texts if name.partition(".")[0] not in shown]
    names.sort(key=lambda name: (name not in meant, -score(sought, texts[name]), name))
    return [texts[name] for name in names]


def _kind_line(base: Project, name: str, counts: Mapping[str, int]) -> str:
    kind = base.kinds[name]
    about = kind.doc.strip().split("\n")[0]
    return f"{name} in {kind.collection} ({counts.get(name, 0)}): {about}"


def _rule_lines(material: Material, changeable: Sequence[str]) -> list[str]:
    """Rules that may not be changed: at some length those that read the likeliest domains."""
    base = material.base
    near = _collections(base, material.domains)
    rules = [one for name, one in base.rules.items() if f"rules/{name}.py" not in changeable]
    rules.sort(key=lambda one: (not one.touched_by(near), one.name))
    return [_rule_line(one, full=one.touched_by(near)) for one in rules]


def _rule_line(rule: Rule, *, full: bool) -> str:
    doc = " ".join(rule.doc.split()) if full else rule.doc.strip().split("\n")[0]
    reads = "all" if rule.reads is None else ", ".join(sorted(rule.reads))
    return f"{rule.name} (reads {reads}): {doc[:LONGEST_DOC]}"


def _collections(base: Project, domains: Iterable[str]) -> frozenset[str]:
    return frozenset(kind.collection for name in domains for kind in base.domains[name].kinds)
