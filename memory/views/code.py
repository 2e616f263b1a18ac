"""A person's code over time: the versions that were approved, and what differs between two."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory import access
from memory.access import NotFound
from memory.code import code_of, load_project
from memory.models import CodeVersion, MemoryUser, Proposal, Waiting
from memory.project.review.render import show_diff
from memory.project.tree import Project
from memory.rights import Right
from memory.views.banner import banner_of
from memory.views.diff_modes import modes_of
from memory.views.pages import number_of, staff_page
from memory.views.proposal_page import STATUS_WORDS, StatusTag
from memory.views.waiting import waiting_groups

SHOWN = 100
SHOWN_PROPOSALS = 20
SHOWN_SORTS = 12
BASELINE = 0


@dataclass(frozen=True)
class KindLine:
    """A kind of a person's project and where it comes from."""

    name: str
    collection: str
    about: str
    own: bool


@require_safe
@staff_page(Right.CODE_READ)
def versions(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """The versions of a person's code, what has been proposed, and what waits."""
    person = access.memory_user(request.user, user_id, Right.CODE_READ)
    code = code_of(person)
    found = CodeVersion.objects.filter(user=person).select_related("approved_by")
    waiting, more = waiting_groups(person, limit=SHOWN_SORTS)
    context = {
        "person": person,
        "banner": banner_of(person),
        "active": code.project.digest,
        "versions": found.order_by("-number")[:SHOWN],
        "proposals": _proposals(person),
        "waiting": waiting,
        "waiting_more": more,
        "waiting_count": Waiting.objects.filter(user=person).count(),
        "kinds": [_kind_line(code.project, name, name in code.own) for name in code.project.kinds],
        "rules": code.project.rules.values(),
        "now": timezone.now(),
    }
    return render(request, "memory/versions.html", context)


@require_safe
@staff_page(Right.CODE_READ)
def compare(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """What differs between two versions, `?from=1&to=2`; 0 is the baseline of the second."""
    person = access.memory_user(request.user, user_id, Right.CODE_READ)
    old, new = (number_of(request.GET.get(name)) for name in ("from", "to"))
    if old is None or not new:
        raise NotFound
    after = _version(person, new)
    before = after.baseline_id if old == BASELINE else _version(person, old).tree_id
    modes = modes_of(request, ("from", str(old)), ("to", str(new)))
    files = show_diff(load_project(before).files, load_project(after.tree_id).files, modes.view)
    context = {
        "person": person,
        "banner": banner_of(person),
        "old": old,
        "version": after,
        "files": files,
        "modes": modes,
        "added": sum(file.added for file in files),
        "removed": sum(file.removed for file in files),
        "now": timezone.now(),
    }
    return render(request, "memory/compare.html", context)


def _version(person: MemoryUser, number: int) -> CodeVersion:
    found = CodeVersion.objects.filter(user=person, number=number)
    version = found.select_related("approved_by").first()
    if version is None:
        raise NotFound
    return version


def _proposals(person: MemoryUser) -> list[tuple[Proposal, StatusTag]]:
    found = Proposal.objects.brief().filter(user=person).select_related("decided_by")
    return [
        (one, StatusTag(*STATUS_WORDS[one.status]))
        for one in found.order_by("-created_at")[:SHOWN_PROPOSALS]
    ]


def _kind_line(project: Project, name: str, own: bool) -> KindLine:
    kind = project.kinds[name]
    return KindLine(name, kind.collection, kind.doc.partition("\n")[0], own)
