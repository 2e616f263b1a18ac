"""Errors as RFC 9457 problem details: what is wrong, where, and what to do."""

from __future__ import annotations

from typing import Any

import pydantic
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from memory import correlation
from memory.access import NotFound
from memory.actions.submissions import KeyReused

MAX_ERRORS = 100
BATCHES = ("facts", "messages")


class Problem(Exception):
    """A refusal with its status, and one entry for each thing that is wrong."""

    def __init__(
        self, status: int, title: str, detail: str, errors: list[dict[str, Any]] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.title, self.detail, self.errors = status, title, detail, errors or []

    @classmethod
    def at(cls, status: int, title: str, pointer: str, detail: str) -> Problem:
        """A problem with one place in the body."""
        return cls(status, title, detail, [{"pointer": pointer, "detail": detail}])


class ProblemEntry(pydantic.BaseModel):
    """One thing that is wrong: where in the body, and what to do."""

    pointer: str = pydantic.Field(description="JSON pointer into the request body.")
    detail: str
    index: int | None = pydantic.Field(None, description="Which fact or message of the post.")


class ProblemOut(pydantic.BaseModel):
    """An RFC 9457 problem."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    request_id: str = pydantic.Field(
        "", description="The `X-Request-ID` of the answer, to be quoted to whoever operates it."
    )
    errors: list[ProblemEntry] = []


def from_validation(error: pydantic.ValidationError, prefix: str = "") -> Problem:
    """A refusal of a body that does not fit, with a place for each problem."""
    entries = []
    for problem in error.errors()[:MAX_ERRORS]:
        places = list(problem["loc"])
        entries.append(entry([prefix, *places] if prefix else places, _sentence(problem)))
    return refusal(entries)


def refusal(entries: list[dict[str, Any]]) -> Problem:
    """422 with these entries."""
    count = len(entries)
    detail = "Nothing was stored: " + (
        entries[0]["detail"] if count == 1 else f"{count} problems, each named in errors."
    )
    return Problem(422, "The request does not fit", detail, entries)


def entry(places: list[Any], detail: str) -> dict[str, Any]:
    """One error, with the index of the fact or message it is in."""
    pointer = "".join(f"/{_escape(str(place))}" for place in places)
    batch = len(places) > 1 and places[0] in BATCHES
    return {"pointer": pointer or "/", "detail": detail} | ({"index": places[1]} if batch else {})


def _escape(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def _sentence(problem: Any) -> str:
    name = str(problem["loc"][-1]) if problem["loc"] else "the body"
    if problem["type"] == "extra_forbidden":
        return f"there is no field {name}; remove it or check its spelling"
    if problem["type"] == "missing":
        return f"{name} is missing"
    return f"{name}: {problem['msg'].removeprefix('Value error, ')}"


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: every refusal of the API is a problem document."""
    problem = problem_of(error, context)
    if problem is None:
        return None
    set_rollback()
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": problem.title,
        "status": problem.status,
        "detail": problem.detail,
        "request_id": correlation.current(),
    }
    if problem.errors:
        body["errors"] = problem.errors
    response = Response(body, status=problem.status, content_type="application/problem+json")
    if isinstance(error, exceptions.APIException):
        if header := getattr(error, "auth_header", None):
            response["WWW-Authenticate"] = header
        if wait := getattr(error, "wait", None):
            response["Retry-After"] = str(int(wait))
    return response


def problem_of(error: Exception, context: dict[str, Any]) -> Problem | None:
    """The problem an exception amounts to; None for what is not a refusal."""
    match error:
        case Problem():
            return error
        case NotFound() | Http404():
            return Problem(404, "Not found", "There is no such thing here, or not for this key.")
        case KeyReused():
            detail = "This Idempotency-Key came before with another request; use a new one."
            return Problem(422, "Idempotency key reused", detail)
        case PermissionDenied():
            return Problem(403, "Forbidden", "This key may not do that.")
        case exceptions.APIException():
            title = error.default_code.replace("_", " ").capitalize()
            return Problem(error.status_code, title, _text(error.detail))
    return None


def _text(detail: Any) -> str:
    if isinstance(detail, list):
        return " ".join(str(part) for part in detail)
    if isinstance(detail, dict):
        return " ".join(f"{name}: {_text(part)}" for name, part in detail.items())
    return str(detail)
