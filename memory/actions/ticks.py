"""The doubts about a proposal, each of which is ticked before it can be approved."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User as Staff

from memory import audit
from memory.code import load_project
from memory.models import Proposal
from memory.project.review.doubt import Doubt
from memory.project.review.fooling import doubts


class NotTicked(Exception):
    """An approval without a tick at each doubt; the argument are those that were left out."""


def doubts_of(proposal: Proposal) -> tuple[Doubt, ...]:
    """What could fool the reviewer of a proposal."""
    return doubts(load_project(proposal.parent), load_project(proposal.tree_id))


def record_ticks(
    *, proposal: Proposal, ticked: Collection[str], actor: Staff, now: datetime
) -> list[dict[str, Any]]:
    """Record each doubt that was ticked, by its key; what they were, as an approval stores them.

    Raises NotTicked where one was not.
    """
    found = doubts_of(proposal)
    if left := tuple(one for one in found if one.key not in ticked):
        raise NotTicked(left)
    for one in found:
        audit.record(
            "proposal.tick",
            actor=actor,
            now=now,
            person=proposal.user_id,
            of=f"doubt: {one.concern}",
            object_id=f"{proposal.pk} {one.key}",
        )
    return [{**asdict(one), "key": one.key} for one in found]
