"""The versions of a person's code as their history tells them: who, when, why, and what came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.code_history import changed_paths
from memory.models import Approval, CodeVersion, MemoryUser, Proposal, ProposalStatus
from memory.project.review.tree import Status, key_of
from memory.proposal_facts import facts_behind
from memory.views.axis import Axis, Label, spread
from memory.views.need_lines import FactLine, fact_lines

SHOWN_FACTS = 3
SHOWN_FILES = 8
SHOWN_FINDINGS = 3
LEFT, RIGHT, GAP = 20.0, 740.0, 28.0


@dataclass(frozen=True)
class ChangedFile:
    """A file that a version changed; `key` names it in addresses."""

    path: str
    key: str
    status: Status


@dataclass(frozen=True)
class Approver:
    """Somebody who approved a version, and when."""

    name: str
    at: datetime


@dataclass(frozen=True)
class VersionLine:
    """A version with what is known of it.

    `gained` and `lost` are the alerts that its rules would have opened when it was proposed, and
    those that were said no more; None where nothing was foreseen.
    """

    version: CodeVersion
    active: bool
    approvers: tuple[Approver, ...]
    proposal: Proposal | None
    facts: tuple[FactLine, ...]
    more_facts: int
    files: tuple[ChangedFile, ...]
    more_files: int
    gained: tuple[Mapping[str, Any], ...] | None
    lost: tuple[Mapping[str, Any], ...]

    @property
    def more_gained(self) -> int:
        """How many more it would have opened than are listed."""
        return max(len(self.gained or ()) - SHOWN_FINDINGS, 0)

    @property
    def more_lost(self) -> int:
        """How many more are said no longer than are listed."""
        return max(len(self.lost) - SHOWN_FINDINGS, 0)


@dataclass(frozen=True)
class Dot:
    """A version on the line: where it is drawn, and the day it stands for below."""

    x: float
    day_x: float
    line: VersionLine


@dataclass(frozen=True)
class VersionPicture:
    """The versions as dots on a line of time, the oldest on the left."""

    dots: tuple[Dot, ...]
    labels: tuple[Label, ...]


def version_lines(
    person: MemoryUser, versions: Sequence[CodeVersion], active: str
) -> list[VersionLine]:
    """These versions, the newest first, each with the proposal it came of."""
    proposals = _proposals(person, versions)
    behind = facts_behind(proposals.values())
    approvers = _approvers(proposals)
    asked = {number: behind[one.pk] for number, one in proposals.items()}
    shown = {seq for seqs in asked.values() for seq in seqs[:SHOWN_FACTS]}
    told = {line.fact.seq: line for line in fact_lines(person, sorted(shown))}
    changed = changed_paths(versions)
    newest = max((one.number for one in versions if one.tree_id == active), default=None)
    return [
        _line(
            one,
            active=one.number == newest,
            approvers=approvers.get(one.number, ()),
            proposal=proposals.get(one.number),
            facts=[told[seq] for seq in asked.get(one.number, ())[:SHOWN_FACTS] if seq in told],
            more_facts=max(len(asked.get(one.number, ())) - SHOWN_FACTS, 0),
            changed=changed[one.number],
        )
        for one in versions
    ]


def picture_of(person: MemoryUser, lines: Sequence[VersionLine]) -> VersionPicture | None:
    """The versions on a line of time; None without any."""
    if not lines:
        return None
    ordered = lines[::-1]
    zone = person.zone
    days = [one.version.approved_at.astimezone(zone).date() for one in ordered]
    axis = Axis(days[0], days[-1], LEFT, RIGHT - GAP)
    places = [axis.x(day) for day in days]
    moved = spread(places, gap=min(GAP, (RIGHT - LEFT) / len(days)), right=RIGHT)
    dots = (Dot(x, place, line) for x, place, line in zip(moved, places, ordered, strict=True))
    return VersionPicture(tuple(dots), axis.labels())


def _proposals(person: MemoryUser, versions: Sequence[CodeVersion]) -> dict[int, Proposal]:
    """The approved proposal that each version came of: decided at the moment it was approved."""
    at = {one.approved_at: one for one in versions}
    found = Proposal.objects.filter(
        user=person, status=ProposalStatus.APPROVED, decided_at__in=list(at)
    ).select_related("decided_by")
    wanted = (
        "user",
        "tree",
        "reason",
        "facts",
        "readings",
        "provisional",
        "replay",
        "origin",
        "model",
    )
    rows = found.only(*wanted, "decided_at", "decided_by__username")
    return {
        at[one.decided_at].number: one
        for one in rows
        if one.decided_at and one.tree_id == at[one.decided_at].tree_id
    }


def _approvers(proposals: Mapping[int, Proposal]) -> dict[int, list[Approver]]:
    """Who approved each proposal, in order; some take two."""
    numbers = {proposal.pk: number for number, proposal in proposals.items()}
    found: dict[int, list[Approver]] = defaultdict(list)
    given = Approval.objects.filter(proposal__in=list(numbers)).select_related("by")
    for one in given.order_by("at", "pk"):
        found[numbers[one.proposal_id]].append(Approver(one.by.get_username(), one.at))
    return found


def _line(
    version: CodeVersion,
    *,
    active: bool,
    approvers: Sequence[Approver],
    proposal: Proposal | None,
    facts: Sequence[FactLine],
    more_facts: int,
    changed: Sequence[tuple[str, Status]],
) -> VersionLine:
    gained = proposal.provisional.get("found", []) if proposal and proposal.provisional else None
    lost = proposal.replay[-1].get("gone", []) if proposal and proposal.replay else []
    return VersionLine(
        version=version,
        active=active,
        approvers=tuple(approvers)
        or (Approver(version.approved_by.get_username(), version.approved_at),),
        proposal=proposal,
        facts=tuple(facts),
        more_facts=more_facts,
        files=tuple(ChangedFile(path, key_of(path), how) for path, how in changed[:SHOWN_FILES]),
        more_files=max(len(changed) - SHOWN_FILES, 0),
        gained=None if gained is None else tuple(gained),
        lost=tuple(lost),
    )
