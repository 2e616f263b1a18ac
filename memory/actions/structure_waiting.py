"""Bring what has been structured for a person into effect: a proposal, or a place at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from memory.actions.foresight import foresee_anew
from memory.actions.jobs import enqueue
from memory.actions.place_waiting import place_waiting
from memory.actions.propose import ParentMoved, supersede_open
from memory.actions.wait import set_reasons
from memory.code import code_of
from memory.models import MemoryUser, Proposal, Waiting

CHAIN = ("reading_seq", "reading_head")


@transaction.atomic
def place_what_fits(
    *, user_id: UUID, parent: str, unplaced: Mapping[int, str], now: datetime
) -> int:
    """Place what needs no change of the code, and say of the rest why it waits; how many placed.

    Raises ParentMoved where the person's code is not `parent` any more.
    """
    user = _locked(user_id, parent)
    set_reasons(user=user, reasons=unplaced)
    placed = place_waiting(user=user, now=now)
    if placed:
        user.save(update_fields=CHAIN)
        enqueue(name="evaluate", user=user, now=now)
        foresee_anew(user=user, now=now)
    return placed


@transaction.atomic
def extend_proposal(
    *,
    proposal: Proposal,
    reason: str,
    placements: Sequence[Mapping[str, Any]],
    readings: Sequence[int],
    unplaced: Mapping[int, str],
) -> None:
    """Note in an open proposal what else its code has a place for; the code stays as it is.

    Raises ParentMoved where the proposal is not open any more, or the person's code has changed.
    """
    user = _locked(proposal.user_id, proposal.parent)
    opened = Proposal.objects.open().filter(pk=proposal.pk)
    kept = [one for one in proposal.placements if "fact" in one]
    more = [*kept, *(dict(one) for one in placements)]
    if not opened.update(reason=reason, placements=more, readings=list(readings)):
        raise ParentMoved(proposal.pk)
    set_reasons(user=user, reasons=unplaced)


@transaction.atomic
def drop_pointless(*, user_id: UUID, now: datetime) -> bool:
    """Close an open proposal all of whose readings were taken back; whether there was one.

    One that also answers needs is not pointless.
    """
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    proposal = Proposal.objects.open().filter(user=user).first()
    if proposal is None or not proposal.readings or proposal.needs.exists():
        return False
    if Waiting.objects.filter(user=user, reading_seq__in=proposal.readings).exists():
        return False
    return supersede_open(user=user, now=now)


def _locked(user_id: UUID, parent: str) -> MemoryUser:
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    if code_of(user).project.digest != parent:
        raise ParentMoved(user.pk)
    return user
