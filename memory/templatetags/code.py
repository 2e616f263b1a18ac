"""What any page shows of proposed code and of what waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.db.models import Count, Q

from memory import access
from memory.models import MemoryUser, Need, Proposal, Waiting
from memory.queue.listing import count_of
from memory.reading_counts import ReadingCounts, reading_of
from memory.templatetags.rights import reader
from memory.views.need_lines import NeedLine, need_lines
from memory.views.proposal_page import STATUS_WORDS, StatusTag

register = template.Library()

SHOWN_ASKS = 5


@dataclass(frozen=True)
class Waits:
    """How many readings of a person wait for a place, and the proposal that would give one."""

    count: int
    proposal: Proposal | None


@dataclass(frozen=True)
class Asks:
    """How much asks for code of a person, by where it stands."""

    open: int
    failed: int
    proposed: int

    @property
    def count(self) -> int:
        """All that is not settled."""
        return self.open + self.failed + self.proposed


@register.simple_tag(takes_context=True)
def open_proposals(context: dict[str, Any]) -> int:
    """How much waits for a decision of the member of staff."""
    return count_of(reader(context))


@register.simple_tag(name="reading_of")
def reading_of_person(person: MemoryUser) -> ReadingCounts:
    """How much of what was said a model has read."""
    return reading_of(person)


@register.simple_tag
def asks_of(person: MemoryUser) -> Asks:
    """What asks for code, counted; one query."""
    standing = ("open", "failed", "proposed")
    counts = {one: Count("pk", filter=Q(status=one)) for one in standing}
    return Asks(**Need.objects.filter(user=person, status__in=standing).aggregate(**counts))


@register.simple_tag
def newest_asks(person: MemoryUser) -> list[NeedLine]:
    """The newest of what asks for code and is not settled."""
    standing = Need.objects.filter(user=person, status__in=("open", "failed", "proposed"))
    return need_lines(person, standing.order_by("-pk")[:SHOWN_ASKS])


@register.filter
def status_tag(status: str) -> StatusTag:
    """A proposal's status as a tag."""
    return StatusTag(*STATUS_WORDS[status])


@register.filter
def problem(proposal: Proposal) -> str:
    """What the first check says that a proposal did not pass; empty where it passed all."""
    wrong = [check for check in proposal.checks if not check["ok"]]
    return f"{wrong[0]['name']}: {wrong[0]['detail']}" if wrong else ""


@register.simple_tag(takes_context=True)
def waiting_of(context: dict[str, Any], person: MemoryUser) -> Waits:
    """What waits for a place in the person's records, and the proposal if they may decide it."""
    count = Waiting.objects.filter(user=person).count()
    if not count:
        return Waits(0, None)
    proposals = access.proposals(reader(context)).open().brief().filter(user=person)
    return Waits(count, proposals.first())
