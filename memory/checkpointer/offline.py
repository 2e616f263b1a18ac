"""Structure what waits without a model: kinds are inferred from payloads, and widened by them.

Pure: the same project and the same readings give the same bytes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from memory.checkpointer.structured import Placed, Structured, Unplaced, Waiting
from memory.project.infer import InferenceError, infer_kinds
from memory.project.naming import fit
from memory.project.outliers import largest_good, odd_ones
from memory.project.payload import PayloadError, check_payload
from memory.project.tree import Project
from memory.project.widen import widen_kind

TRIALS = 100  # inferences spent on finding which payloads of one kind go together
LONGEST_REASON = 500

Readings = Sequence[Waiting]
Payloads = Sequence[dict[str, Any]]
Renames = Mapping[str, Mapping[str, str]]
# Makes place for these readings of one kind. Raises InferenceError.
Step = Callable[[Project, Readings], tuple[Project, Renames]]


def structure(
    project: Project, waiting: Readings, *, fixed: Collection[str], known: Mapping[str, Payloads]
) -> Structured:
    """The project with a place for what waits, as far as it can be placed.

    `fixed` names the kinds that are not the person's own and stay as they are; `known` holds, for
    each other kind, the data of the readings about its records so far. Only what a reading asserts
    can be placed, because an update or a retraction needs a record that is there.
    """
    work = _Work(project, fixed, known)
    by_kind: dict[str, list[Waiting]] = defaultdict(list)
    for reading in sorted(waiting, key=lambda one: one.seq):
        by_kind[reading.kind].append(reading)
    for name, readings in sorted(by_kind.items()):
        work.take(name, readings)
    return work.result()


class _Work:
    def __init__(
        self, project: Project, fixed: Collection[str], known: Mapping[str, Payloads]
    ) -> None:
        self.project, self.fixed, self.known = project, fixed, known
        self.new: list[str] = []
        self.widened: list[str] = []
        self.renames: dict[str, Mapping[str, str]] = {}
        self.candidates: list[Waiting] = []
        self.reasons: dict[int, str] = {}
        self.readings: list[Waiting] = []

    def take(self, name: str, readings: Readings) -> None:
        """Make place for the readings of one kind, or note why there is none."""
        self.readings += readings
        asserted = [one for one in readings if one.op == "assert"]
        for one in readings:
            if one.op != "assert":
                self.reasons[one.seq] = f"there is no {name} to {one.op}; assert it first"
        if name not in self.project.kinds:
            self.new += [name] * self.make_place(asserted, self.infer)
        elif name not in self.fixed:
            misfits: list[Waiting] = []
            for one in asserted:
                (misfits if self.problem(one) else self.candidates).append(one)
            self.widened += [name] * self.make_place(misfits, self.widen)
        else:
            self.candidates += asserted

    def make_place(self, readings: Readings, step: Step) -> bool:
        """Whether a step made place for any of the readings; for the others the reason is noted."""
        if not readings:
            return False
        try:
            self.apply(step, readings)
        except InferenceError as error:
            kept = self.apart(readings, step, error)
            if not kept:
                return False
            self.apply(step, kept)
            chosen = {one.seq for one in kept}
            self.second_look([one for one in readings if one.seq not in chosen])
        return True

    def second_look(self, readings: Readings) -> None:
        """What went with no others may still fit what was made of them: a price of 0 and "2.50"."""
        fitting = [one for one in readings if not self.problem(one) and self.keeps(one)]
        self.candidates += fitting
        for one in fitting:
            del self.reasons[one.seq]

    def apply(self, step: Step, readings: Readings) -> None:
        self.project, renames = step(self.project, readings)
        self.renames |= renames
        self.candidates += readings

    def keeps(self, reading: Waiting) -> bool:
        """Whether no value changes but from a number to the same number as text."""
        said = fit(self.project.kinds[reading.kind], reading.data)
        said.pop("id", None)
        return _same(said, place(self.project, reading).data)

    def apart(self, readings: Readings, step: Step, error: InferenceError) -> Readings:
        """The readings that go together; what is odd about the others is noted."""
        if not isinstance(error.__cause__, ValueError):  # the name is at fault, not the payloads
            self.reasons |= {one.seq: str(error) for one in readings}
            return []
        name = readings[0].kind
        kind = self.project.kinds.get(name)
        said = [fit(kind, one.data) if kind else one.data for one in readings]
        odd = odd_ones(said, beside=self.known.get(name, ()))
        self.reasons |= {readings[index].seq: reason for index, reason in odd.items()}
        rest = [index for index in range(len(readings)) if index not in odd]

        def good(some: Sequence[int]) -> bool:
            return not self.problem_with(step, [readings[index] for index in some])

        kept = largest_good(rest, good, trials=TRIALS)
        chosen = set(kept)
        for index in rest:
            if index not in chosen:
                alone = self.problem_with(step, [readings[index]])
                reason = alone or f"does not go with what others say: {error}"
                self.reasons[readings[index].seq] = reason
        return [readings[index] for index in kept]

    def problem_with(self, step: Step, readings: Readings) -> str:
        try:
            step(self.project, readings)
        except InferenceError as error:
            return str(error)
        return ""

    def infer(self, project: Project, readings: Readings) -> tuple[Project, Renames]:
        samples = {readings[0].kind: [one.data for one in readings]}
        inference = infer_kinds(samples, project)
        return inference.applied_to(project), inference.renames

    def widen(self, project: Project, readings: Readings) -> tuple[Project, Renames]:
        name = readings[0].kind
        payloads = [one.data for one in readings]
        return widen_kind(project, name, old=self.known.get(name, ()), new=payloads)

    def problem(self, reading: Waiting) -> str:
        """Why a reading does not fit its kind; empty where it does."""
        try:
            place(self.project, reading)
        except PayloadError as error:
            return str(error)
        return ""

    def result(self) -> Structured:
        placed = []
        for reading in sorted(self.candidates, key=lambda one: one.seq):
            try:
                placed.append(place(self.project, reading))
            except PayloadError as error:
                self.reasons[reading.seq] = str(error)
        unplaced = [
            Unplaced(one.seq, one.fact_seq, one.kind, self.reasons[one.seq][:LONGEST_REASON])
            for one in self.readings
            if one.seq in self.reasons
        ]
        return Structured(
            project=self.project,
            new=tuple(self.new),
            widened=tuple(self.widened),
            placed=tuple(placed),
            unplaced=tuple(sorted(unplaced, key=lambda one: one.seq)),
            renames=self.renames,
        )


def place(project: Project, reading: Waiting) -> Placed:
    """The record that a reading speaks of, and its data as its kind has it. Raises PayloadError."""
    kind = project.kinds[reading.kind]
    payload = check_payload(
        kind,
        reading.op,
        None,
        fit(kind, reading.data),
        fallback_id=reading.fallback_id,
    )
    return Placed(reading.seq, reading.fact_seq, reading.kind, payload.record_id, payload.data)


def _same(said: Any, kept: Any) -> bool:
    match said, kept:
        case dict(), dict():
            return said.keys() == kept.keys() and all(
                _same(said[name], kept[name]) for name in said
            )
        case list(), list():
            return len(said) == len(kept) and all(map(_same, said, kept))
        case _:
            return bool(said == kept) or str(said) == kept
