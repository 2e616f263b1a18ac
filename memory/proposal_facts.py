"""Which facts a proposal rests on: those that asked for it, and those it was made from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from uuid import UUID

from memory.log import fact_seq_by_reading
from memory.models import Need, Proposal

MOST_READINGS = 500  # of a proposal; what is inferred from more rests on these as well


def facts_behind(proposals: Collection[Proposal]) -> dict[UUID, list[int]]:
    """The seq of the facts behind each of one person's proposals, by its id; two queries.

    First those of the needs that it answers, then those that asked for it, then those whose
    readings it was made from.
    """
    needs: dict[UUID | None, list[int]] = defaultdict(list)
    asked = Need.objects.filter(proposal__in=proposals).order_by("pk")
    for proposal_id, seq in asked.values_list("proposal_id", "fact_seq"):
        needs[proposal_id].append(seq)
    readings = {seq for one in proposals for seq in one.readings[:MOST_READINGS]}
    person = next((one.user_id for one in proposals), None)
    by_reading = fact_seq_by_reading(person, readings) if person else {}
    return {
        one.pk: list(
            dict.fromkeys(
                [
                    *needs[one.pk],
                    *one.facts,
                    *(by_reading[seq] for seq in one.readings[:MOST_READINGS] if seq in by_reading),
                ]
            )
        )
        for one in proposals
    }
