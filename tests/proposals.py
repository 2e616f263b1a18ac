"""Code proposed for a person, and decided, without the job and the page that do it for real."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.actions.proposals import Approved, approve_proposal
from memory.actions.propose import Change, propose
from memory.actions.ticks import doubts_of
from memory.code import project_of
from memory.models import MemoryUser, Proposal
from memory.project.infer import infer_kinds
from memory.project.tree import Project
from memory.waiting import waiting_readings
from tests.facts import Json, fact, reading

PASSED = {"name": "policy", "ok": True, "detail": "", "seconds": 0.1}
FAILED = {"name": "types", "ok": False, "detail": "line 3", "seconds": 0.1}
PURCHASE = "purchases.Purchase"


def bought(item: str, price: int | str = 5, /, **data: Any) -> Json:
    """A fact of a kind that does not ship."""
    return fact(f"I bought {item}", reading(PURCHASE, item=item, price=price, **data))


def current(person: MemoryUser) -> MemoryUser:
    """The person as stored now."""
    return MemoryUser.objects.get(pk=person.pk)


def inferred(person: MemoryUser) -> Project:
    """The person's project with kinds for what waits."""
    samples: dict[str, list[dict[str, Any]]] = {}
    for waiting in waiting_readings(person):
        samples.setdefault(waiting.kind, []).append(waiting.data)
    project = project_of(current(person))
    return infer_kinds(samples, project).applied_to(project)


def with_files(person: MemoryUser, files: Mapping[str, str]) -> Project:
    """The person's project with some files in place of theirs."""
    return Project({**project_of(current(person)).files, **files})


def proposed(person: MemoryUser, project: Project | None = None, **more: Any) -> Proposal:
    """An open proposal with this project, or with kinds for what waits."""
    change = Change(
        project=project or inferred(person),
        parent=project_of(current(person)).digest,
        summary="Kinds for what was bought",
        checks=more.pop("checks", [PASSED]),
        readings=[waiting.seq for waiting in waiting_readings(person)],
        **more,
    )
    return propose(user_id=person.pk, change=change, now=timezone.now())


def approved(proposal: Proposal, staff: Staff) -> Approved:
    """The proposal, approved as it is, with every doubt ticked."""
    return approve_proposal(
        proposal_id=proposal.pk,
        digest=proposal.digest,
        actor=staff,
        now=timezone.now(),
        ticked=[one.key for one in doubts_of(proposal)],
    )
