"""What any page shows of proposed code and of what waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template

from memory import access
from memory.models import MemoryUser, Proposal, Waiting
from memory.reading_counts import ReadingCounts, reading_of
from memory.templatetags.rights import reader

register = template.Library()


@dataclass(frozen=True)
class Waits:
    """How many readings of a person wait for a place, and the proposal that would give one."""

    count: int
    proposal: Proposal | None


@register.simple_tag(takes_context=True)
def open_proposals(context: dict[str, Any]) -> int:
    """How many proposals and held readings the member of staff may decide."""
    somebody = reader(context)
    held = access.held_readings(somebody).held().count()
    return access.proposals(somebody).open().count() + held


@register.simple_tag(name="reading_of")
def reading_of_person(person: MemoryUser) -> ReadingCounts:
    """How much of what was said a model has read."""
    return reading_of(person)


@register.simple_tag(takes_context=True)
def waiting_of(context: dict[str, Any], person: MemoryUser) -> Waits:
    """What waits for a place in the person's records, and the proposal if they may decide it."""
    count = Waiting.objects.filter(user=person).count()
    if not count:
        return Waits(0, None)
    proposals = access.proposals(reader(context)).open().brief().filter(user=person)
    return Waits(count, proposals.first())
