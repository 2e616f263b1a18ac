"""Check that a person's records re-read under a proposed schema: none lost, none changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from memory.project.bundle import Situation, StateSlice, rule_program
from memory.project.library import Library
from memory.project.payload import PayloadError, check_payload
from memory.project.render import render_record
from memory.project.tree import Project
from memory.sandbox import Limits, run

MiB = 1024 * 1024
LIMITS = Limits(total_seconds=60.0, feed_seconds=10.0, memory_bytes=512 * MiB)
COUNTING = "uac_counting"
MOST_SHOWN = 10


@dataclass(frozen=True)
class StoredRecord:
    """A record as it stands, or as it would stand: kind, id, and the JSON form of its fields."""

    kind: str
    record_id: str
    data: dict[str, Any]


class RecordsChanged(ValueError):
    """Records that would be lost or read otherwise, a line each."""

    def __init__(self, lines: Sequence[str]) -> None:
        more = len(lines) - MOST_SHOWN
        shown = [*lines[:MOST_SHOWN], *([f"and {more:,} more"] if more > 0 else [])]
        super().__init__("\n".join(shown))


def check_refold(
    project: Project, library: Library, records: Iterable[StoredRecord], today: date
) -> str:
    """Re-read every record, render it, and load all of them in the sandbox; how many there were.

    Raises RecordsChanged, and SandboxError where the state does not load.
    """
    rendered: dict[str, dict[str, str]] = defaultdict(dict)
    wrong: list[str] = []
    for record in records:
        problem = _problem(project, record)
        if problem:
            wrong.append(f"{record.kind} {record.record_id}: {problem}")
        else:
            kind = project.kinds[record.kind]
            source = render_record(kind, record.record_id, record.data)
            rendered[kind.collection][record.record_id] = source
    if wrong:
        raise RecordsChanged(wrong)
    count = sum(map(len, rendered.values()))
    _load(project, library, rendered, today)
    return "no record yet" if not count else "1 record" if count == 1 else f"{count:,} records"


def _problem(project: Project, record: StoredRecord) -> str:
    kind = project.kinds.get(record.kind)
    if kind is None:
        return "its kind is gone"
    try:
        again = check_payload(
            kind, "assert", record.record_id, record.data, fallback_id=record.record_id
        )
    except PayloadError as error:
        return str(error)
    return "" if again.data == record.data else "its fields are read otherwise"


def _load(
    project: Project, library: Library, rendered: dict[str, dict[str, str]], today: date
) -> None:
    names = sorted(rendered)
    if not names:
        return
    collections = {name: project.collections[name] for name in names}
    imports = "".join(
        f"from domains.{kind.domain}.state import {name}\n" for name, kind in collections.items()
    )
    lengths = ", ".join(
        f"1 if {name} else 0" if kind.singleton else f"len({name})"
        for name, kind in collections.items()
    )
    source = f"{imports}\ndef check(today):\n    return [{lengths}]\n"
    counting = Project({**project.files, f"rules/{COUNTING}.py": source})
    state = StateSlice(
        {name: [text for _, text in sorted(rendered[name].items())] for name in names}
    )
    given = Situation(state, today=today, tables={})
    program = rule_program(counting, library, counting.rules[COUNTING], given)
    loaded = run(program, limits=LIMITS).values[-1]
    if loaded != [len(rendered[name]) for name in names]:
        raise RecordsChanged(["the state did not load whole"])
