"""Give waiting readings their records, once the kinds for them are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.actions.append_readings import NewStatement, append_readings
from memory.actions.check_facts import targets
from memory.actions.fit_reading import LONGEST_REASON
from memory.actions.project_state import Key, project_readings, statements_about
from memory.actions.wait import forget_waiting, set_reasons
from memory.code import code_of
from memory.models import MemoryUser
from memory.project.fold import Statement, fold
from memory.project.naming import fit
from memory.project.payload import Payload, PayloadError, check_payload
from memory.project.tree import Project
from memory.round_trip import one_round_trip
from memory.waiting import WaitingReading, waiting_readings


@dataclass(frozen=True)
class Candidate:
    """A waiting reading and what it says once it has its kind."""

    reading: WaitingReading
    payload: Payload

    @property
    def key(self) -> Key:
        """The record that it speaks of."""
        return self.reading.kind, self.payload.record_id


def place_waiting(*, user: MemoryUser, now: datetime) -> int:
    """Append a reading for each that waits and fits the person's project; how many there were.

    The new ones belong to the facts of the old and are true when those were; the log alone tells
    where they belong. The person is locked, and the caller saves the row. What does not fit goes on
    waiting with its reason.
    """
    project = code_of(user).project
    waiting = [one for one in waiting_readings(user) if one.kind in project.kinds]
    candidates, reasons = _candidates(waiting, project)
    wanted = {one.key for one in candidates}
    wanted |= {key for one in candidates for key in targets(one.payload.refs, project)}
    before = statements_about(user, wanted)
    fitting = _with_targets(candidates, project, before, reasons)
    with one_round_trip():
        pairs = append_readings(user, [_placement(one) for one in fitting], now)
        new: dict[Key, list[Statement]] = {}
        for key, said in pairs:
            new.setdefault(key, []).append(said)
        project_readings(user=user, kinds=project.kinds, before=before, new=new)
    forget_waiting(user=user, seqs=[one.reading.seq for one in fitting])
    set_reasons(user=user, reasons=reasons)
    return len(fitting)


def _candidates(
    waiting: Sequence[WaitingReading], project: Project
) -> tuple[list[Candidate], dict[int, str]]:
    """The readings that fit their kinds, and why the others do not."""
    candidates = []
    reasons = {}
    for one in waiting:
        kind = project.kinds[one.kind]
        data = fit(kind, one.data)
        try:
            payload = check_payload(kind, one.op, None, data, fallback_id=one.fallback_id)
        except PayloadError as error:
            reasons[one.seq] = str(error)[:LONGEST_REASON]
        else:
            candidates.append(Candidate(one, payload))
    return candidates, reasons


def _with_targets(
    candidates: list[Candidate],
    project: Project,
    before: Mapping[Key, Sequence[Statement]],
    reasons: dict[int, str],
) -> list[Candidate]:
    """Those whose references all lead to a record, once they have been placed together."""
    there = {key for key, said in before.items() if fold(said) is not None}
    kept = candidates
    while True:
        known = there | {one.key for one in kept}
        lost = {
            one.reading.seq: key
            for one in kept
            for key in targets(one.payload.refs, project)
            if key not in known
        }
        if not lost:
            return kept
        reasons |= {
            seq: f"there is no {key[0]} {key[1]!r} to refer to"[:LONGEST_REASON]
            for seq, key in lost.items()
        }
        kept = [one for one in kept if one.reading.seq not in lost]


def _placement(one: Candidate) -> NewStatement:
    return NewStatement(
        key=one.key,
        fact_seq=one.reading.fact_seq,
        effective_at=one.reading.effective_at,
        op=one.reading.op,
        data=one.payload.data,
        origin="placed",
        places=one.reading.seq,
    )
