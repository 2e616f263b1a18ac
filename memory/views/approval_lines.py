"""Who has approved a proposal so far, how many it takes, and whether its reader may."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User as Staff

from memory.actions.approvals import Needed, approvals_needed
from memory.code import project_of
from memory.models import Approval, Proposal, ProposalStatus


@dataclass(frozen=True)
class Ticked:
    """What one reviewer ticked in one file."""

    path: str
    doubts: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class GivenApproval:
    """One approval, and what was ticked for it, file by file."""

    approval: Approval
    ticked: tuple[Ticked, ...]
    count: int


@dataclass(frozen=True)
class Approvals:
    """The approvals of a proposal; `own`: its reader wrote of it, `mine`: has approved it."""

    needed: Needed
    given: tuple[GivenApproval, ...]
    own: bool
    mine: bool
    moved: bool

    @property
    def takes_two(self) -> bool:
        """Whether one reviewer is not enough."""
        return self.needed.count > 1

    @property
    def possible(self) -> bool:
        """Whether the reader's approval would count."""
        return not (self.own or self.mine or self.moved)


def approvals_of(proposal: Proposal, reader: Staff) -> Approvals:
    """Read the approvals of a proposal."""
    rows = list(proposal.approvals.select_related("by").order_by("at", "pk"))
    is_open = proposal.status == ProposalStatus.OPEN
    return Approvals(
        needed=approvals_needed(proposal) if is_open else Needed(max(len(rows), 1)),
        given=tuple(map(_given, rows)),
        own=reader.pk in proposal.hands,
        mine=any(one.by_id == reader.pk for one in rows),
        moved=is_open and project_of(proposal.user).digest != proposal.parent,
    )


def _given(approval: Approval) -> GivenApproval:
    by_path: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in approval.ticked:
        by_path[one["path"]].append(one)
    ticked = tuple(Ticked(path, tuple(found)) for path, found in by_path.items())
    return GivenApproval(approval, ticked, len(approval.ticked))
