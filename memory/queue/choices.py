"""What the filters of the queue offer: what there is among the items of somebody's people."""

from __future__ import annotations

import json
from dataclasses import dataclass

from django.db.models.fields.json import KT

from memory import access
from memory.access import Somebody
from memory.code import adopted_baseline
from memory.models import ProposalOrigin
from memory.queue.asked import MODEL, Asked

MOST = 200
"""Values that a filter offers at most."""

Choices = list[tuple[str, str]]


@dataclass(frozen=True)
class Offered:
    """Value and words of each choice, those chosen now among them."""

    domains: Choices
    writers: Choices
    teams: Choices


def offered(somebody: Somebody, asked: Asked) -> Offered:
    """What can be chosen; four queries."""
    proposals = access.proposals(somebody).order_by()
    outlines = proposals.values_list(KT("outline__domains"), flat=True).distinct()[:MOST]
    named = {name for text in outlines if text for name in json.loads(text)}
    domains = {*named, *adopted_baseline().domains, asked.domain} - {""}
    models = proposals.exclude(model="").values_list("model", flat=True).distinct()[:MOST]
    writers = [(value, words) for value, words in ProposalOrigin.choices]
    writers += [(f"{MODEL}{name}", name) for name in sorted({*models, asked.model} - {""})]
    teams = access.own_teams(somebody).order_by("name").values_list("pk", "name")
    return Offered(
        domains=[(name, name) for name in sorted(domains)],
        writers=writers,
        teams=[(str(pk), name) for pk, name in teams],
    )
