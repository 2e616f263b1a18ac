"""What the resources of the API share: whose person it is, cursors, limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import urlencode
from uuid import UUID

import pydantic
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from memory import access
from memory.api.authentication import right_of
from memory.api.fields import MAX_PAGE, parse_query_moment
from memory.api.problems import Problem, ProblemOut, from_validation
from memory.models import AppKey, MemoryUser
from memory.rights import Right

DEFAULT_PAGE = 50
Answers = dict[int | tuple[int, str], Any]


def refusals(*statuses: int) -> Answers:
    """The problems that a resource may answer with, for its description."""
    return {(status, "application/problem+json"): ProblemOut for status in statuses}


REFUSALS = refusals(400, 401, 403, 404, 413, 415, 422, 429)
READ_REFUSALS = refusals(400, 401, 403, 404, 429)
IDEMPOTENCY_HEADER = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Your own name for this request: sent again, it has the effect of one.",
)
CURSOR_PARAMETERS = [
    OpenApiParameter("cursor", int, description="The seq after which the page starts."),
    OpenApiParameter("limit", int, description=f"1 to {MAX_PAGE}; 50 unless told."),
    OpenApiParameter("order", str, enum=["asc", "desc"], description="By seq; desc unless told."),
]


class UserView(APIView):
    """A resource below one person; `rights` names what each of its methods needs."""

    rights: Mapping[str, Right] = {}
    http_method_names = ["get", "head", "post"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse, after the usual checks, what no database column holds. Raises Problem (400)."""
        super().initial(request, *args, **kwargs)
        if "%00" in request.META.get("QUERY_STRING", ""):
            raise Problem(400, "Bad query", "The query may not hold NUL; remove it.")

    def key(self, request: Request) -> AppKey:
        """The key of the app that calls."""
        assert isinstance(request.user, AppKey)  # IsApp let nobody else in
        return request.user

    def right(self, request: Request) -> Right:
        """What this request needs."""
        right = right_of(request, self)
        assert right is not None  # IsApp let nobody in without
        return right

    def memory_user(self, request: Request, user_id: UUID) -> MemoryUser:
        """The person of the path. Raises access.NotFound."""
        return access.memory_user(self.key(request), user_id, self.right(request))


Model = TypeVar("Model", bound=pydantic.BaseModel)


def validated(model: type[Model], body: Any) -> Model:
    """The body as a model. Raises Problem (422) with each field that does not fit."""
    try:
        return model.model_validate(body)
    except pydantic.ValidationError as error:
        raise from_validation(error) from error


class Page:
    """Cursor, limit and order of a list, read from the query."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.after = self.cursor_of(request)
        self.limit = self.limit_of(request)
        order = request.query_params.get("order", "desc")
        if order not in ("asc", "desc"):
            raise Problem(400, "Bad query", "order is asc or desc.")
        self.newest_first = order == "desc"

    @staticmethod
    def cursor_of(request: Request) -> int | None:
        """After what the page starts."""
        return query_number(request, "cursor", 0, 2**31 - 1)

    @staticmethod
    def limit_of(request: Request) -> int:
        """How many items the page may hold."""
        return query_number(request, "limit", 1, MAX_PAGE) or DEFAULT_PAGE

    @staticmethod
    def link(request: Request, cursor: int | str) -> str:
        """The address of the page after a cursor."""
        query = {**request.query_params.dict(), "cursor": cursor}
        return request.build_absolute_uri(f"{request.path}?{urlencode(query)}")

    def answer(self, items: Sequence[Any], seqs: Sequence[int]) -> dict[str, Any]:
        """The page with a link to the next one, null at the end."""
        full = len(items) == self.limit
        return {"items": items, "next": self.link(self.request, seqs[-1]) if full else None}


def query_number(request: Request, name: str, low: int, high: int) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 11 and low <= int(text) <= high):
        raise Problem(400, "Bad query", f"{name} is a whole number from {low} to {high}.")
    return int(text)


def query_moment(request: Request, name: str) -> datetime | None:
    """A moment of the query string. Raises Problem (400)."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        return parse_query_moment(text)
    except pydantic.ValidationError as error:
        detail = f"{name} is a moment with an offset, such as 2026-11-21T20:14:00Z."
        raise Problem(400, "Bad query", detail) from error
