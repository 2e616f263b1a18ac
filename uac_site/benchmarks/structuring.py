"""People whose records are of kinds that nobody knew: posted, proposed by the queue, approved."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memory.api.fields import MAX_BATCH
from memory.models import MemoryUser, Proposal, ProposalStatus, Waiting
from uac_site.benchmarks.client import Client, Refused
from uac_site.benchmarks.reviewer import Reviewer

PATIENCE = 600.0
LOOK = 0.05


@dataclass(frozen=True)
class Newcomer:
    """Somebody made over HTTP, and where to post and ask about them."""

    id: UUID

    @property
    def path(self) -> str:
        """The address of the person."""
        return f"/api/v1/users/{self.id}"

    @property
    def user(self) -> MemoryUser:
        """The person as stored now."""
        return MemoryUser.objects.get(pk=self.id)


def newcomer(client: Client, name: str) -> Newcomer:
    """A person whom nobody has met."""
    made = client.created("/api/v1/users", {"external_id": name, "display_name": name})
    return Newcomer(UUID(made.body["user_id"]))


def post_records(
    client: Client, person: Newcomer, kind: str, records: Sequence[dict[str, Any]]
) -> list[str]:
    """Post each record as a typed fact; the effects that the answers tell."""
    facts = [
        {"text": f"{kind} {number}", "readings": [{"kind": kind, "data": record}]}
        for number, record in enumerate(records, start=1)
    ]
    effects = []
    for start in range(0, len(facts), MAX_BATCH):
        answer = client.created(f"{person.path}/facts", {"facts": facts[start : start + MAX_BATCH]})
        for fact in answer.body["facts"]:
            effects += [reading["effect"] for reading in fact["readings"]]
    return effects


def approve_all(people: Iterable[Newcomer], reviewer: Reviewer) -> None:
    """Approve what is proposed for each person until none of their facts waits. Raises Refused."""
    for person in people:
        end = time.monotonic() + PATIENCE
        while Waiting.objects.filter(user=person.id).exists():
            found = covering(person)
            if found is not None:
                reviewer.approve(found.pk)
            elif time.monotonic() > end:
                raise Refused(f"nothing good was proposed for {person.id}: {_failures(person)}")
            else:
                time.sleep(LOOK)


def covering(person: Newcomer) -> Proposal | None:
    """The open proposal, once it covers all that waits: one made in the middle of posts does not.

    What was not covered would lead to another one, which is as right and takes longer.
    """
    found = Proposal.objects.open().filter(user=person.id).first()
    if found is None or len(found.readings) < Waiting.objects.filter(user=person.id).count():
        return None
    return found


def _failures(person: Newcomer) -> list[Any]:
    failed = Proposal.objects.filter(user=person.id, status=ProposalStatus.FAILED)
    reasons = Waiting.objects.filter(user=person.id).values_list("kind", "reason").distinct()
    return [*failed.values_list("checks", flat=True), *reasons]
