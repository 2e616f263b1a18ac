"""Whether proposed readings of facts fit a project and a person's records: first when they are
proposed, and again, under the person's lock, when they are to be appended."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.actions.check_facts import (
    CheckedReading,
    FactsRefused,
    check_references,
    check_targets,
    targets,
)
from memory.actions.project_state import Key, statements_about
from memory.checkpointer.offline import structure
from memory.checkpointer.reading.protected import is_held, protected_in
from memory.checkpointer.structured import Structured
from memory.code import Code, code_of
from memory.log import FactEntry
from memory.models import MemoryUser
from memory.project.fold import Folded, Op, Statement, fold
from memory.project.payload import PayloadError, check_payload
from memory.project.tree import Project
from memory.waiting import waiting_readings

PROTECTED = (
    "this would change or end what protects the person; leave it out (of such a record only fields"
    " that you add to its kind may be filled)"
)


@dataclass(frozen=True)
class FactReading:
    """What a fact is to be read as; without `record_id` the key or a number of its own names it.

    `path` says in messages which reading it is.
    """

    path: str
    fact: int
    kind: str
    op: Op
    record_id: str | None
    data: dict[str, Any]

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> FactReading:
        """The reading that a proposal stores as one of its placements."""
        path = f"the reading of fact {entry['fact']} as {entry['kind']} {entry['id']}"
        return cls(path, entry["fact"], entry["kind"], entry["op"], entry["id"], entry["data"])

    def is_meant(self, problem: str) -> bool:
        """Whether a line of `Fitted.problems` is about this reading."""
        return problem.startswith((f"{self.path}.", f"{self.path}: "))


@dataclass
class Fitted:
    """What the readings would say of records, in order, and why some of them do not fit.

    `placements` are `{"fact", "kind", "id", "op", "data"}`, as a proposal stores them.
    """

    after: dict[Key, Folded | None] = field(default_factory=dict)
    """Each record that they or what is placed speaks of, as it will be."""
    placements: list[dict[str, Any]] = field(default_factory=list)
    statements: list[tuple[Key, Statement]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def fit_readings(
    *,
    user: MemoryUser,
    code: Code,
    facts: Mapping[int, FactEntry],
    readings: Sequence[FactReading],
    placed: Sequence[tuple[Key, Statement]] = (),
) -> Fitted:
    """The readings by the kinds of `code` and the person's records, after what is `placed` too.

    What is protected is told by the code in force: what `code` proposes protects nothing yet, and
    what it takes away still does.
    """
    done = Fitted()
    checked = _checked(code, facts, readings, done)
    referred = {key for one in checked for key in targets(one.refs, code.project)}
    spoken = {one.key for one in checked} | {key for key, _ in placed}
    before = statements_about(user, spoken | referred)
    for key, said in placed:
        before[key].append(said)
    for seq, one in enumerate(checked, start=user.reading_seq + len(placed) + 1):
        _place(seq, one, readings[one.index].fact, facts, done)
    own: dict[Key, list[Statement]] = defaultdict(list)
    for key, said in done.statements:
        own[key].append(said)
    done.after = {key: fold([*before[key], *own[key]]) for key in spoken}
    paths = [one.path for one in readings]
    done.problems += _refusals(checked, code, before, own, paths)
    done.problems += _protected(checked, before, done.statements, paths, code_of(user))
    return done


def _place(
    seq: int, one: CheckedReading, fact: int, facts: Mapping[int, FactEntry], done: Fitted
) -> None:
    """Note a reading as the statement that it will be, true when the fact was."""
    said = Statement(seq, fact, facts[fact].occurred_at, one.op, one.data)
    done.statements.append((one.key, said))
    kind, record_id = one.key
    done.placements.append(
        {"fact": fact, "kind": kind, "id": record_id, "op": one.op, "data": one.data}
    )


def would_place(
    user: MemoryUser, project: Project
) -> tuple[Structured, list[tuple[Key, Statement]]]:
    """What a project's kinds make of the readings that wait, and the statements that gives."""
    waiting = waiting_readings(user)
    done = structure(project, waiting, fixed=project.kinds.keys(), known={})
    moments = {one.seq: one.effective_at for one in waiting}
    said = [
        (
            (one.kind, one.record_id),
            Statement(seq, one.fact_seq, moments[one.seq], "assert", one.data),
        )
        for seq, one in enumerate(done.placed, start=user.reading_seq + 1)
    ]
    return done, said


def _checked(
    code: Code, facts: Mapping[int, FactEntry], readings: Sequence[FactReading], done: Fitted
) -> list[CheckedReading]:
    checked = []
    count = Counter({seq: len(fact.readings) for seq, fact in facts.items()})
    for index, one in enumerate(readings):
        path, kind = one.path, code.project.kinds.get(one.kind)
        if one.fact not in facts:
            done.problems.append(f"{path}.fact: {one.fact} is none of the facts that were given")
            continue
        if kind is None:
            done.problems.append(f"{path}.kind: there is no kind {one.kind}")
            continue
        count[one.fact] += 1
        fallback = f"f{one.fact}-{count[one.fact]}"
        try:
            payload = check_payload(kind, one.op, one.record_id, one.data, fallback_id=fallback)
        except PayloadError as error:
            done.problems += [f"{path}.{_dotted(p.path)}: {p.detail}" for p in error.problems]
            continue
        key = (one.kind, payload.record_id)
        checked.append(CheckedReading(index, 0, key, one.op, payload.data, payload.refs))
    return checked


def _refusals(
    checked: Sequence[CheckedReading],
    code: Code,
    before: Mapping[Key, Sequence[Statement]],
    after: Mapping[Key, Sequence[Statement]],
    paths: Sequence[str],
) -> list[str]:
    """What speaks of records that are not there."""
    problems = []
    checks: tuple[Callable[[], None], ...] = (
        lambda: check_targets(checked, before),
        lambda: check_references(checked, code, before, lambda key: after.get(key, [])),
    )
    for check in checks:
        try:
            check()
        except FactsRefused as error:
            problems += [
                f"{paths[one.index]}.{_dotted(one.path[2:])}: {one.detail}"
                for one in error.problems
            ]
    return problems


def _protected(
    checked: Sequence[CheckedReading],
    before: Mapping[Key, Sequence[Statement]],
    statements: Sequence[tuple[Key, Statement]],
    paths: Sequence[str],
    active: Code,
) -> list[str]:
    """What would overwrite or remove a protected record as it stands when it is its turn.

    A field that the kind has already may end what it protects (`stopped_on`, `tolerated_since`),
    also where nothing is recorded of it; one that the proposal adds is read by no rule in force.
    """
    problems = []
    applied: dict[Key, list[Statement]] = defaultdict(list)
    protected = protected_in(active.project, kinds=active.own, rules=active.alone)
    for one, (key, said) in zip(checked, statements, strict=True):
        standing = fold([*before.get(key, ()), *applied[key]])
        data = None if standing is None else standing.data
        if is_held(key[0], one.op, one.data, data, protected) and not _fills_new(one, active):
            problems.append(f"{paths[one.index]}: {PROTECTED}")
        applied[key].append(said)
    return problems


def _fills_new(one: CheckedReading, active: Code) -> bool:
    """Whether a reading names only fields that the kind in force does not have."""
    kind = active.project.kinds.get(one.key[0])
    known = {field.name for field in kind.fields} if kind else set()
    return one.op == "update" and not known & one.data.keys()


def _dotted(path: Sequence[str | int]) -> str:
    """Such as `data.dose` or `data.parts[2]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")
