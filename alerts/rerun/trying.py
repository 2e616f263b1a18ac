"""Run the real rules over made-up records, and say what the tables took each name for.

Nothing is stored and no person's data is read. The workers are those of queries: whoever tries
something out never makes the evaluation of a person wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from alerts.evaluation.engine import Finding, OutOfTime, RunSetting, run_rules
from alerts.rerun import Busy
from alerts.rerun.asked import Asked
from memory.library.reference import load
from memory.looked_up import named_in_source, rows_about
from memory.project.bundle import Situation, StateSlice, query_feeds
from memory.project.payload import check_payload
from memory.project.render import render_record
from memory.project.shipped import library
from memory.project.tree import Project, Rule
from memory.querying.lanes import lane_of
from memory.sandbox import Feed, LimitExceeded, Limits, NoWorker, Program, run
from memory.views.reference_words import label_of, type_words
from memory.views.values import describe

LIMITS = Limits(total_seconds=4.0, feed_seconds=2.0)
LANE = UUID(int=0)
RANK = {"critical": 0, "warning": 1, "info": 2}
READ = "medications"  # rules that read this collection are tried
RESOLVE = (
    "[[[one.rows, one.ingredients, one.groups, one.missing]"
    " for one in [read_drug(name) for name in tried_drugs]],"
    " [[one.rows, one.ingredients, one.groups, one.missing]"
    " for one in [read_allergen(name) for name in tried_allergens]],"
    " [find_intake(name) for name in tried_intakes]]\n"
)


@dataclass(frozen=True)
class Row:
    """A row of the tables that a name led to."""

    row_id: str
    title: str
    kind: str
    classes: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Resolved:
    """What the tables took a name for; `missing` are the parts that they do not know."""

    name: str
    role: str
    ingredients: tuple[Row, ...] = ()
    groups: tuple[Row, ...] = ()
    others: tuple[Row, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the tables know all of the name."""
        return not self.missing and bool(self.ingredients or self.groups or self.others)


@dataclass(frozen=True)
class Told:
    """A finding, with the made-up records it rests on in words."""

    finding: Finding
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """What the rules said, the gravest first; which ran and found nothing, and which failed."""

    names: tuple[Resolved, ...]
    told: tuple[Told, ...]
    silent: tuple[str, ...]
    failed: Mapping[str, str]
    unread: tuple[str, ...]
    """Kinds of which the code in force knows nothing, so that nobody looked at them."""
    seconds: float

    @property
    def unchecked(self) -> list[Resolved]:
        """The names of which the tables do not know all."""
        return [one for one in self.names if not one.known]


def try_out(asked: Asked, project: Project, *, today: date) -> Tried:
    """Run each rule that reads medications. Raises Busy, and PayloadError where no kind fits."""
    rules = [rule for rule in project.rules.values() if rule.reads is None or READ in rule.reads]
    sources, words, unread = _records(asked, project)
    given = Situation(_state(project, rules, sources), today, {"drug_rows": _rows(asked, rules)})
    setting = RunSetting(project, library(), LIMITS, workers=lane_of(LANE))
    try:
        found = run_rules(setting, given, rules)
        names = _resolved(asked, project, given)
    except (OutOfTime, NoWorker, LimitExceeded) as error:
        raise Busy from error
    told = sorted(found.found, key=lambda one: (RANK[one.severity], one.rule))
    spoke = {one.rule for one in told} | found.failed.keys()
    return Tried(
        names=names,
        told=tuple(
            Told(one, tuple(words.get(ref.record_id, ref.record_id) for ref in one.evidence))
            for one in told
        ),
        silent=tuple(rule.name for rule in rules if rule.name not in spoke),
        failed=found.failed,
        unread=unread,
        seconds=found.seconds,
    )


def _records(
    asked: Asked, project: Project
) -> tuple[dict[str, list[str]], dict[str, str], tuple[str, ...]]:
    """The records as the sandbox gets them by collection, each in words, and kinds not known."""
    sources: dict[str, list[str]] = {}
    words: dict[str, str] = {}
    unread = []
    for name, record_id, said in asked.records():
        kind = project.kinds.get(name)
        if kind is None:
            unread.append(name)
            continue
        known = {one: value for one, value in said.items() if kind.field(one) is not None}
        unread += [f"{name}.{one}" for one in said if one not in known]
        data = check_payload(kind, "assert", record_id, known, fallback_id=record_id).data
        sources.setdefault(kind.collection, []).append(render_record(kind, record_id, data))
        words[record_id] = describe(kind, data)
    return sources, words, tuple(unread)


def _state(project: Project, rules: Iterable[Rule], sources: Mapping[str, list[str]]) -> StateSlice:
    """Every collection that the rules read: what was typed, and else nothing."""
    read: set[str] = set()
    for rule in rules:
        read |= project.collections.keys() if rule.reads is None else rule.reads
    return StateSlice({name: sources.get(name, []) for name in sorted(read)})


def _rows(asked: Asked, rules: Iterable[Rule]) -> Any:
    named = load().named_in(asked.texts)
    return rows_about(named.union(*(named_in_source(rule.source) for rule in rules)))


def _resolved(asked: Asked, project: Project, given: Situation) -> tuple[Resolved, ...]:
    """What the rules' own library makes of each name, asked in the sandbox. Raises SandboxError."""
    said = (("allergy", asked.allergy), ("tolerated", asked.tolerated))
    allergens = {name: role for role, name in said if name}
    intakes = [asked.intake] if asked.intake else []
    inputs = {
        "tried_drugs": list(asked.drugs),
        "tried_allergens": list(allergens),
        "tried_intakes": intakes,
    }
    feeds = query_feeds(project, library(), Situation(StateSlice({}), given.today, given.tables))
    program = Program((*feeds, Feed("resolve", RESOLVE, inputs)), now=given.clock)
    outcome = run(program, limits=LIMITS, workers=lane_of(LANE))
    drugs, substances, found = outcome.values[-1]
    return (
        *(_name(name, "drug", *one) for name, one in zip(asked.drugs, drugs, strict=True)),
        *(
            _name(name, allergens[name], *one)
            for name, one in zip(allergens, substances, strict=True)
        ),
        *(_intake(name, one) for name, one in zip(intakes, found, strict=True)),
    )


def _name(
    name: str,
    role: str,
    rows: list[str],
    ingredients: list[str],
    groups: list[str],
    missing: list[str],
) -> Resolved:
    others = [one for one in rows if one not in {*ingredients, *groups}]
    return Resolved(
        name,
        role,
        tuple(_row(one, classes=True) for one in ingredients),
        tuple(map(_row, groups)),
        tuple(map(_row, others)),
        tuple(missing),
    )


def _intake(name: str, row_id: str | None) -> Resolved:
    if row_id is None:
        return Resolved(name, "food or supplement", missing=(name,))
    return Resolved(name, "food or supplement", others=(_row(row_id),))


def _row(row_id: str, *, classes: bool = False) -> Row:
    row = load().rows.get(row_id) or {}
    above = tuple(map(_row, row.get("classes", ()))) if classes else ()
    return Row(row_id, label_of(row_id), type_words(row.get("type", "row")), above)
