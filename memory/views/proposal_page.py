"""What a proposal's page shows: the diff, the checks, what waits and what would become of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.actions.ticks import doubts_of
from memory.checkpointer import refold, trials
from memory.code import load_project
from memory.models import CodeVersion, MemoryUser, Proposal, ProposalStatus, Waiting
from memory.project.review.beside import with_facts
from memory.project.review.doubt import Doubt
from memory.project.review.render import ShownFile, View, show_diff
from memory.project.review.touched import TouchedTest, touched_tests
from memory.project.review.tree import changed_files
from memory.project.tree import Project
from memory.proposal_facts import facts_behind
from memory.sandbox.program import MiB
from memory.views.banner import Banner, banner_of
from memory.views.evidence import Evidence, evidence_of, standing
from memory.views.line_facts import line_facts
from memory.views.placed import PlacedTable, placed_tables
from memory.views.waiting import WaitingLine, waiting_lines

SHOWN_WAITING = 20
STATUS_WORDS = {
    "open": ("waits for a decision", "unchecked", "◇"),
    "approved": ("approved", "good", "✓"),
    "rejected": ("rejected", "warning", "×"),
    "superseded": ("superseded", "plain", "↷"),
    "failed": ("failed its checks", "critical", "▲"),
    "changes": ("changes asked for", "warning", "↺"),
}


@dataclass(frozen=True)
class StatusTag:
    """A status as a tag: the words, the colour's class, the sign."""

    words: str
    level: str
    sign: str


@dataclass(frozen=True)
class CheckLine:
    """A check's result; `lines` are shown beneath it where there are several."""

    name: str
    ok: bool
    skipped: bool
    detail: str
    milliseconds: int


@dataclass(frozen=True)
class BoundLine:
    """What some code may take at the most: seconds of execution, and memory in MiB."""

    what: str
    seconds: float
    mebibytes: int


@dataclass(frozen=True)
class DoubtLine:
    """A doubt and the place on the page of the line that it is about."""

    doubt: Doubt
    anchor: str


@dataclass(frozen=True)
class TestLine:
    """A test that differs and the place on the page of its source."""

    __test__ = False  # the name is no invitation to pytest

    test: TouchedTest
    anchor: str


@dataclass(frozen=True)
class ProposalPage:
    """A proposal with all that its page shows."""

    proposal: Proposal
    banner: Banner
    tag: StatusTag
    files: tuple[ShownFile, ...]
    evidence: Evidence
    doubts: tuple[DoubtLine, ...]
    tests: tuple[TestLine, ...]
    checks: tuple[CheckLine, ...]
    tables: tuple[PlacedTable, ...]
    left: tuple[WaitingLine, ...]
    left_count: int
    on_version: int
    newer: Proposal | None
    earlier: Proposal | None

    @property
    def person(self) -> MemoryUser:
        """Whose code it is."""
        return self.proposal.user

    @property
    def is_open(self) -> bool:
        """Whether it can be decided."""
        return self.proposal.status == ProposalStatus.OPEN

    @property
    def goes_on_waiting(self) -> bool:
        """Whether something waits that this proposal could have placed, and does not."""
        undecided = (ProposalStatus.OPEN, ProposalStatus.FAILED)
        return self.left_count > 0 and self.proposal.status in undecided

    @property
    def bounds(self) -> tuple[BoundLine, ...]:
        """What the sandbox gave the checks; going past any of it would have failed them."""
        given = (("rules and tests, each", trials.LIMITS), ("all records", refold.LIMITS))
        return tuple(
            BoundLine(what, limits.feed_seconds, limits.memory_bytes // MiB)
            for what, limits in given
        )

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(one.ok for one in self.checks)

    @property
    def added(self) -> int:
        """How many lines are new."""
        return sum(one.added for one in self.files)

    @property
    def removed(self) -> int:
        """How many lines are gone."""
        return sum(one.removed for one in self.files)


def page_of(proposal: Proposal, view: View) -> ProposalPage:
    """Read what belongs to a proposal."""
    before, after = load_project(proposal.parent), load_project(proposal.tree_id)
    behind = facts_behind([proposal])[proposal.pk]
    lines = line_facts(proposal, behind, before, after)
    evidence = evidence_of(proposal, behind, lines)
    shown = standing(lines, evidence)
    files = tuple(
        with_facts(file, shown.get(file.path, {}))
        for file in show_diff(before.files, after.files, view, commented=True)
    )
    tables = placed_tables(proposal, after)
    left, left_count = _left(proposal)
    others = Proposal.objects.brief().filter(user=proposal.user_id).exclude(pk=proposal.pk)
    return ProposalPage(
        proposal=proposal,
        banner=banner_of(proposal.user),
        tag=StatusTag(*STATUS_WORDS[proposal.status]),
        files=files,
        evidence=evidence,
        doubts=_doubts(proposal, files),
        tests=_tests(before, after, files),
        checks=tuple(_check(one) for one in proposal.checks),
        tables=tables,
        left=left,
        left_count=left_count,
        on_version=_version_number(proposal),
        newer=_newer(others, proposal),
        earlier=_earlier(others, proposal.created_at),
    )


def _doubts(proposal: Proposal, files: Sequence[ShownFile]) -> tuple[DoubtLine, ...]:
    return tuple(
        DoubtLine(one, _line_anchor(one.path, one.line, one.gone, files))
        for one in doubts_of(proposal)
    )


def _tests(before: Project, after: Project, files: Sequence[ShownFile]) -> tuple[TestLine, ...]:
    """The tests that differ, those that are changed or removed first."""
    found = [
        TestLine(one, _line_anchor(one.path, one.line, one.status == "removed", files))
        for change in changed_files(before.files, after.files)
        if change.path.startswith("tests/")
        for one in touched_tests(change)
    ]
    return tuple(sorted(found, key=lambda line: line.test.status == "added"))


def _line_anchor(path: str, line: int, gone: bool, files: Sequence[ShownFile]) -> str:
    """The line's own place, or its file's where the diff folds or does not have the line."""
    side = "old" if gone else "new"
    file = next(one for one in files if one.path == path)
    rows = (row for chunk in file.chunks if not chunk.folded for row in chunk.rows)
    shown = any(getattr(row, side) == line for row in rows)
    return f"{file.anchor}-{side[0]}{line}" if shown else file.anchor


def _version_number(proposal: Proposal) -> int:
    """The person's version that the proposal was built on; 0 is the baseline."""
    built_on = CodeVersion.objects.filter(user=proposal.user_id, tree=proposal.parent)
    number = built_on.order_by("-number").values_list("number", flat=True).first()
    return number or 0


def _newer(others: Any, proposal: Proposal) -> Proposal | None:
    found = others.filter(created_at__gte=proposal.created_at).order_by("-created_at").first()
    return found if isinstance(found, Proposal) else None


def _earlier(others: Any, created_at: datetime) -> Proposal | None:
    """The last one that was rejected before: its reason may still hold."""
    rejected = others.filter(status=ProposalStatus.REJECTED, created_at__lt=created_at)
    found = rejected.select_related("decided_by").order_by("-created_at").first()
    return found if isinstance(found, Proposal) else None


def _check(stored: Mapping[str, Any]) -> CheckLine:
    detail = str(stored["detail"])
    return CheckLine(
        name=str(stored["name"]),
        ok=bool(stored["ok"]),
        skipped=not stored["ok"] and detail.startswith("not run: "),
        detail=detail,
        milliseconds=round(1_000 * float(stored["seconds"])),
    )


def _left(proposal: Proposal) -> tuple[tuple[WaitingLine, ...], int]:
    """What waits and has no place in the proposal, the newest first."""
    placed = {one.get("reading") for one in proposal.placements}
    waiting = Waiting.objects.filter(user=proposal.user_id).order_by("-reading_seq")
    seqs = [seq for seq in waiting.values_list("reading_seq", flat=True) if seq not in placed]
    shown = waiting.filter(reading_seq__in=seqs[:SHOWN_WAITING])
    return waiting_lines(proposal.user, shown), len(seqs)
