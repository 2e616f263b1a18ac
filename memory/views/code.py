"""A person's code over time: the versions that were approved, and what differs between two."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory import access
from memory.access import NotFound
from memory.code import code_of, load_project
from memory.code_history import BASELINE, version_of
from memory.models import CodeVersion, MemoryUser, Proposal, Waiting
from memory.project.review.render import show_diff
from memory.project.tree import Project
from memory.rights import Right
from memory.views.banner import banner_of
from memory.views.diff_modes import modes_of
from memory.views.pages import number_of, staff_page
from memory.views.proposal_page import STATUS_WORDS, StatusTag
from memory.views.version_lines import picture_of, version_lines
from memory.views.waiting import waiting_groups

SHOWN = 30
SHOWN_PROPOSALS = 20
SHOWN_SORTS = 12


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
    """The versions of a person's code, what has been proposed, and what waits.

    `?before=` lists those before a version.
    """
    person = access.memory_user(request.user, user_id, Right.CODE_READ)
    code = code_of(person)
    before = number_of(request.GET.get("before"))
    found = CodeVersion.objects.filter(user=person).select_related("approved_by")
    if before is not None:
        found = found.filter(number__lt=before)
    lines = version_lines(person, list(found.order_by("-number")[:SHOWN]), code.project.digest)
    waiting, more = waiting_groups(person, limit=SHOWN_SORTS)
    context = {
        "person": person,
        "banner": banner_of(person),
        "active": code.project.digest,
        "numbers": list(_numbers(person)),
        "lines": lines,
        "picture": picture_of(person, lines),
        "older": lines[-1].version.number if lines and lines[-1].version.number > 1 else None,
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
    after = version_of(person, new)
    before = after.baseline_id if old == BASELINE else version_of(person, old).tree_id
    modes = modes_of(request, ("from", str(old)), ("to", str(new)))
    files = show_diff(load_project(before).files, load_project(after.tree_id).files, modes.view)
    context = {
        "person": person,
        "banner": banner_of(person),
        "old": old,
        "version": after,
        "numbers": list(_numbers(person)),
        "files": files,
        "modes": modes,
        "added": sum(file.added for file in files),
        "removed": sum(file.removed for file in files),
        "now": timezone.now(),
    }
    return render(request, "memory/compare.html", context)


def _numbers(person: MemoryUser) -> QuerySet[CodeVersion, int]:
    """The numbers of all versions, the newest first."""
    found = CodeVersion.objects.filter(user=person).order_by("-number")
    return found.values_list("number", flat=True)


def _proposals(person: MemoryUser) -> list[tuple[Proposal, StatusTag]]:
    found = Proposal.objects.brief().filter(user=person).select_related("decided_by")
    return [
        (one, StatusTag(*STATUS_WORDS[one.status]))
        for one in found.order_by("-created_at")[:SHOWN_PROPOSALS]
    ]


def _kind_line(project: Project, name: str, own: bool) -> KindLine:
    kind = project.kinds[name]
    return KindLine(name, kind.collection, kind.doc.partition("\n")[0], own)
