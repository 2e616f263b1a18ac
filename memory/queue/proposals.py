"""Proposed code as items of the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.fields.json import KT

from memory import access
from memory.access import Somebody
from memory.models import MemoryUser, Proposal, ProposalStatus
from memory.models.proposal import ProposalQuerySet
from memory.project.danger import DANGERS
from memory.queue.asked import Asked
from memory.queue.sources import entries
from memory.rights import Right

SHOWN_NAMES = 6
STATUSES = {
    "open": (ProposalStatus.OPEN,),
    "decided": (ProposalStatus.APPROVED, ProposalStatus.REJECTED),
    "failed": (ProposalStatus.FAILED,),
    "changes": (ProposalStatus.CHANGES,),
    "superseded": (ProposalStatus.SUPERSEDED,),
}
SIGNS = {"added": "+", "changed": "~", "removed": "−"}


@dataclass(frozen=True)
class Named:
    """A kind or rule that a proposal adds, changes or removes."""

    what: str
    mark: str
    name: str

    @property
    def sign(self) -> str:
        """`+`, `~` or `−`."""
        return SIGNS[self.mark]


@dataclass(frozen=True)
class ProposalRow:
    """A proposal as a line of the queue."""

    proposal: Proposal
    template: str = "memory/queue_proposal.html"

    @property
    def person(self) -> MemoryUser:
        """Whose code it would be."""
        return self.proposal.user

    @property
    def danger(self) -> str:
        """The severity of the gravest alert that its rules would raise, or `none`."""
        return DANGERS[self.proposal.danger]

    @property
    def domains(self) -> Sequence[str]:
        """The domains that it changes, or whose records its rules read."""
        return list(self.proposal.outline.get("domains", ()))

    @property
    def named(self) -> list[Named]:
        """The first of the kinds and rules it changes."""
        return self._named[:SHOWN_NAMES]

    @property
    def more_named(self) -> int:
        """How many kinds and rules are not shown."""
        return len(self._named) - len(self.named)

    @property
    def gained(self) -> Mapping[str, int]:
        """The alerts that it would raise now, by severity."""
        return dict(self.proposal.outline.get("gained", {}))

    @property
    def lost(self) -> Mapping[str, int]:
        """The alerts that stand today and would not with it, by severity."""
        return dict(self.proposal.outline.get("lost", {}))

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(bool(check["ok"]) for check in self.proposal.checks)

    @property
    def _named(self) -> list[Named]:
        outline = self.proposal.outline
        pairs = [(what, one) for what in ("kind", "rule") for one in outline.get(f"{what}s", ())]
        return [Named(what, mark, name) for what, (mark, name) in pairs]


class Proposals:
    """Proposals of the people whose code somebody may judge."""

    name = "proposal"
    right = Right.PROPOSALS_DECIDE

    def waiting(self) -> QuerySet[Any]:
        """Those that are open."""
        return self._entries(Proposal.objects.open())

    def asked(self, somebody: Somebody, asked: Asked) -> QuerySet[Any] | None:
        """Those that somebody may decide and asks for."""
        found = access.proposals(somebody, self.right).filter(status__in=STATUSES[asked.status])
        if asked.domain:
            quoted = f'"{asked.domain}"'
            found = found.alias(in_domains=KT("outline__domains")).filter(
                in_domains__contains=quoted
            )
        if asked.model:
            found = found.filter(model=asked.model)
        elif asked.by:
            found = found.filter(origin=asked.by)
        decided = asked.status in ("decided", "changes", "superseded")
        return self._entries(found, since="decided_at" if decided else "created_at")

    def rows(self, keys: Sequence[str], now: datetime) -> Mapping[str, ProposalRow]:
        """One query."""
        found = _brief().filter(pk__in=keys).select_related("user", "decided_by")
        by_id = {one.pk: ProposalRow(one) for one in found}
        return {key: by_id[UUID(key)] for key in keys if UUID(key) in by_id}

    def _entries(self, found: QuerySet[Any], since: str = "created_at") -> QuerySet[Any]:
        return entries(found, self.name, grave=F("danger"), since=since)


def _brief() -> ProposalQuerySet:
    return Proposal.objects.brief(with_checks=True)
