"""What rules look at: the code that runs, and the records that it reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from alerts.evaluation.engine import EvidenceRef, Findings, RunSetting, run_rules
from alerts.evaluation.looked_up import table_rows
from alerts.evaluation.queries import RecordRow
from memory.code import Code
from memory.project.bundle import Situation, StateSlice
from memory.project.shipped import library
from memory.project.tree import Project, Rule
from memory.sandbox import Limits, Pool


@dataclass(frozen=True)
class Scene:
    """Rules of a project, and the records they read."""

    code: Code
    rules: tuple[Rule, ...]
    records: Mapping[tuple[str, str], RecordRow]
    """By kind and id, as read, the JSON still text: only evidence is ever decoded."""
    state: StateSlice

    def evidence(self, refs: Iterable[EvidenceRef]) -> list[dict[str, Any]]:
        """The evidence as an alert stores it. Raises ValueError for a record that is not there."""
        return [self._evidence(ref) for ref in refs]

    def _evidence(self, ref: EvidenceRef) -> dict[str, Any]:
        record = self.records.get(ref)
        if record is None:
            raise ValueError("named a record as evidence that is not in the state")
        kind, record_id, _, data, facts = record
        return {
            "kind": kind,
            "id": record_id,
            "data": json.loads(data),
            "facts": json.loads(facts),
        }


def scene_of(code: Code, rules: Sequence[Rule], records: Iterable[RecordRow]) -> Scene:
    """Rules of a project with records of the kinds that they read."""
    rows = sorted(records)
    state = state_of(code.project, kinds_read(code.project, rules), rows)
    return Scene(code, tuple(rules), {row[:2]: row for row in rows}, state)


def kinds_read(project: Project, rules: Iterable[Rule]) -> frozenset[str]:
    """The full names of the kinds that rules read."""
    kinds: set[str] = set()
    for rule in rules:
        reads = project.collections if rule.reads is None else rule.reads
        kinds |= {project.collections[name].full_name for name in reads}
    return frozenset(kinds)


def state_of(project: Project, kinds: Iterable[str], rows: Iterable[RecordRow]) -> StateSlice:
    """The records of these kinds, sorted by kind and id, as a program gets them."""
    sources: dict[str, list[str]] = {kind: [] for kind in sorted(kinds)}
    for kind, _, source, _, _ in rows:
        sources[kind].append(source)
    return StateSlice({project.kinds[kind].collection: said for kind, said in sources.items()})


def findings_in(
    seen: Scene, *, today: date, limits: Limits, workers: Pool | None = None
) -> Findings:
    """What the rules find in the records; nothing is stored. Raises OutOfTime."""
    if not seen.rules:
        return Findings((), {}, 0.0)
    code = seen.code
    rows = table_rows(code.project, seen.rules, seen.records.values(), library())
    setting = RunSetting(code.project, library(), limits, alone=code.alone, workers=workers)
    return run_rules(setting, Situation(seen.state, today, {"drug_rows": rows}), seen.rules)
