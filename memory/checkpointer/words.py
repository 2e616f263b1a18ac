"""A structured project in plain English, for the person who decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from memory.checkpointer.structured import Structured
from memory.project.inferred import annotation
from memory.project.kinds import Kind
from memory.project.tree import Project

MOST_NAMES = 12


def summary_of(before: Project, done: Structured) -> str:
    """What changes, a line for each kind that is new or wider."""
    counts = Counter(one.kind for one in done.placed)
    lines = [_new_kind(done.project.kinds[name], counts[name]) for name in done.new]
    lines += [
        _wider_kind(before.kinds[name], done.project.kinds[name], counts[name])
        for name in done.widened
    ]
    return "\n".join(lines)


def reason_of(done: Structured) -> str:
    """What asked for the change: how much waits, and for what."""
    fresh = sum(one.kind in done.new for one in done.placed)
    outgrown = sum(one.kind in done.widened for one in done.placed)
    parts = []
    if fresh:
        parts.append(f"{_facts(fresh)} of {_kinds(len(done.new))} that nobody has approved yet")
    if outgrown:
        parts.append(f"{_facts(outgrown)} that {_kinds(len(done.widened))} cannot hold as they are")
    return f"Waiting: {' and '.join(parts)}."


def _new_kind(kind: Kind, count: int) -> str:
    known = f"told apart by {_names(kind.key)}" if kind.key else "each a record of its own"
    fields = _names([field.name for field in kind.fields[1:]])
    return f"New kind {kind.full_name} from {_facts(count)}, {known}. Fields: {fields}."


def _wider_kind(before: Kind, after: Kind, count: int) -> str:
    old = {field.name: field for field in before.fields}
    new = [field.name for field in after.fields if field.name not in old]
    changed = [
        f"{field.name} from {annotation(old[field.name].type)} to {annotation(field.type)}"
        for field in after.fields
        if field.name in old and annotation(field.type) != annotation(old[field.name].type)
    ]
    parts = [f"new {_names(new)}"] if new else []
    parts += [_list(changed)] if changed else []
    what = "; ".join(parts) or "a part of it holds more"
    return f"Wider kind {after.full_name}, for {_facts(count)}: {what}."


def _names(names: Iterable[str]) -> str:
    found = list(names)
    return _list(found) if found else "none but its id"


def _list(words: Sequence[str]) -> str:
    more = len(words) - MOST_NAMES
    return ", ".join([*words[:MOST_NAMES], *([f"and {more} more"] if more > 0 else [])])


def _facts(count: int) -> str:
    return "1 fact" if count == 1 else f"{count:,} facts"


def _kinds(count: int) -> str:
    return "1 kind" if count == 1 else f"{count:,} kinds"
