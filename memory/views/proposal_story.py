"""How a proposal came about, and what its rules would do: who wrote it, why, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from memory.actions.change_requests import why_not_changed
from memory.actions.propose import WRITTEN
from memory.models import Proposal, ProposalOrigin, ProposalStatus
from memory.views.need_lines import FactLine, NeedLine, fact_lines, need_lines
from memory.views.replay_picture import ReplayPicture, ReplayStep, picture_of

SHOWN_FINDINGS = 30
SHOWN_STEPS = 100
SHOWN_FACTS = 30


@dataclass(frozen=True)
class Story:
    """A proposal's past and future; `unchangeable` says why changes cannot be asked for.

    `replay` tells of its rules, `replay_before` of those whose place they would take. With
    `has_rules_run` its rules were run on the records as they are: what they would raise is known.
    """

    author: str
    has_rules_run: bool
    needs: tuple[NeedLine, ...]
    facts: tuple[FactLine, ...]
    more_facts: int
    found: tuple[Mapping[str, Any], ...]
    more_found: int
    failed: tuple[tuple[str, str], ...]
    replay: tuple[ReplayStep, ...]
    replay_before: tuple[ReplayStep, ...]
    unchangeable: str

    @property
    def picture(self) -> ReplayPicture | None:
        """The replay as a picture, where there is anything to be drawn."""
        return picture_of(self.replay, self.replay_before)

    @property
    def lost(self) -> tuple[Mapping[str, Any], ...]:
        """What the rules as they are say today, and these would say no more, or less gravely."""
        return self.replay[-1].gone if self.replay and self.replay[-1].seq is None else ()

    @property
    def raises(self) -> bool:
        """Whether its rules would say anything now."""
        return bool(self.found or self.failed)


def story_of(proposal: Proposal) -> Story:
    """Read what belongs to a proposal's story."""
    needs = need_lines(proposal.user, proposal.needs.order_by("pk"))
    told = {line.need.fact_seq for line in needs}
    others = [seq for seq in proposal.facts if seq not in told]
    would: Mapping[str, Any] = proposal.provisional or {}
    found = would.get("found", [])
    is_open = proposal.status == ProposalStatus.OPEN
    return Story(
        author=_author(proposal),
        has_rules_run=proposal.origin in WRITTEN and proposal.status != ProposalStatus.FAILED,
        needs=tuple(needs),
        facts=tuple(fact_lines(proposal.user, others[:SHOWN_FACTS])),
        more_facts=max(len(others) - SHOWN_FACTS, 0),
        found=tuple(found[:SHOWN_FINDINGS]),
        more_found=max(len(found) - SHOWN_FINDINGS, 0),
        failed=tuple(sorted(would.get("failed", {}).items())),
        replay=tuple(map(_step, proposal.replay[-SHOWN_STEPS:])),
        replay_before=tuple(map(_step, _before(proposal)[-SHOWN_STEPS:])),
        unchangeable=why_not_changed(proposal) if is_open else "",
    )


def _author(proposal: Proposal) -> str:
    if proposal.author is not None:
        return f"written by hand by {proposal.author.get_username()}"
    if proposal.origin == ProposalOrigin.MODEL:
        return f"written by the model {proposal.model}"
    if proposal.origin == ProposalOrigin.INFERRED and proposal.readings:
        return "inferred from facts, without a model"
    return "carried over to a new baseline, not from facts"


def _before(proposal: Proposal) -> list[Mapping[str, Any]]:
    return proposal.replay[-1].get("before", []) if proposal.replay else []


def _step(stored: Mapping[str, Any]) -> ReplayStep:
    return ReplayStep(
        seq=stored["seq"],
        on=date.fromisoformat(stored["on"]),
        opened=tuple(stored["opened"]),
        cleared=tuple(stored["cleared"]),
        gone=tuple(stored.get("gone", ())),
        more=stored.get("more", 0),
        left_out=stored.get("left_out", 0),
    )
