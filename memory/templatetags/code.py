"""What any page shows of proposed code and of what waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template

from memory import access
from memory.models import MemoryUser, Proposal, Waiting

register = template.Library()


@dataclass(frozen=True)
class Waits:
    """How many readings of a person wait for a place, and the proposal that would give one."""

    count: int
    proposal: Proposal | None


@register.simple_tag(takes_context=True)
def open_proposals(context: dict[str, Any]) -> int:
    """How many proposals the member of staff may decide."""
    user = context["request"].user if "request" in context else None
    return access.proposals(user).open().count()


@register.simple_tag
def waiting_of(person: MemoryUser) -> Waits:
    """What waits for a place in the person's records."""
    count = Waiting.objects.filter(user=person).count()
    if not count:
        return Waits(0, None)
    return Waits(count, Proposal.objects.open().brief().filter(user=person).first())
