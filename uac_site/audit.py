"""A request that read a person's data leaves a row in the audit."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch
from django.utils import timezone

from memory import audit
from memory.forgetting import forget_if_told
from memory.models import ActorKind, Outcome

IMPERSONAL = {
    *("favicon", "api:schema", "api:docs", "login", "logout", "session", "session_ended"),
    *("operations", "operations_fragment"),
    *("admin:index", "admin:login", "admin:logout", "admin:jsi18n"),
}
"""Routes that show nothing of a person; every other one is recorded, a new one too."""
READS = ("GET", "HEAD", "OPTIONS")
REFUSED, FAILED = 400, 500
ID = re.compile(r"[0-9a-fA-F-]{1,40}")


class AuditMiddleware:
    """Opens the note of a request, and records it in the end unless an action already did."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        note = audit.Note(str(request.META.get("REMOTE_ADDR") or "")[:45])
        forget_if_told()
        with audit.noted(note):
            response = self.get_response(request)
            if _to_record(request, response, note):
                _record(request, response, note)
        return response


def _to_record(request: HttpRequest, response: HttpResponse, note: audit.Note) -> bool:
    """Whether the request is not in the audit yet; a write that was undone left nothing there."""
    match = request.resolver_match
    if match is None or match.view_name in IMPERSONAL:
        return False
    return not note.written or response.status_code >= REFUSED


def _record(request: HttpRequest, response: HttpResponse, note: audit.Note) -> None:
    actor = audit.actor_of(getattr(request, "user", None) or audit.NOBODY)
    match = request.resolver_match
    if actor.kind == ActorKind.NOBODY or match is None:
        return
    audit.record(
        "read" if request.method in READS else "request",
        actor=actor,
        now=timezone.now(),
        person=_person(match, note),
        of=match.view_name[:60],
        object_id=_object_id(match),
        outcome=_outcome(response.status_code),
    )


def _person(match: ResolverMatch, note: audit.Note) -> UUID | None:
    """The one person it is about; None where there were several, or nobody was named."""
    asked: Any = match.kwargs.get("user_id")
    if isinstance(asked, UUID):
        return asked
    return next(iter(note.seen)) if len(note.seen) == 1 else None


def _object_id(match: ResolverMatch) -> str:
    """The number or id in the path, never a name."""
    for name, value in match.kwargs.items():
        if name != "user_id" and ID.fullmatch(str(value)):
            return str(value)
    return ""


def _outcome(status: int) -> Outcome:
    if status >= FAILED:
        return Outcome.FAILED
    return Outcome.REFUSED if status >= REFUSED else Outcome.DONE
