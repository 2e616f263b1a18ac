"""`users/{id}/query`: an expression or a few lines of Python over a person's live state."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.as_of import AsOf, known_then
from memory.api.base import REFUSALS, UserView, refusals, validated
from memory.api.fields import Strict, Text
from memory.api.problems import Problem, ProblemEntry, ProblemOut
from memory.querying.ask import Answer, NotNow, QueryFailed, ask
from memory.querying.remarks import Remark
from memory.rights import Right

POINTER = "/code"


class QueryIn(Strict):
    """A query; what it is about needs no import."""

    code: Annotated[
        Text,
        Field(
            description="Python; the value of the last line is the answer.",
            examples=['len([t for t in trips if t.status == "booked"])'],
        ),
    ]
    as_of: AsOf | None = None


class RemarkOut(Strict):
    """Something to know about the query, with its place in the code."""

    detail: str
    line: int | None = Field(description="From 1; null where it is about the whole query.")
    column: int | None
    source_line: str
    caret: str


class QueryOut(Strict):
    """An answer, and the moment of the log it holds for."""

    value: Any = Field(description="The value of the last line as JSON; see docs/query.md.")
    type: str = Field(description="The value's Python type, such as `dict[str, Decimal]`.")
    printed: str
    collections: list[str] = Field(description="What the query read.")
    seq: int = Field(description="The last fact that the answer takes into account.")
    reading_seq: int
    version: str = Field(description="Digest of the person's project.")
    today: date = Field(description="The person's local date, `today` in the query.")
    warnings: list[RemarkOut]
    seconds: float


class QueryProblemEntry(ProblemEntry):
    """One thing that is wrong with the query, and its place in the code."""

    line: int | None = None
    column: int | None = None
    source_line: str | None = None
    caret: str | None = None


class QueryProblemOut(ProblemOut):
    """Why a query was not answered."""

    errors: list[QueryProblemEntry] = []  # type: ignore[assignment]


class QueryView(UserView):
    rights = {"POST": Right.QUERY}

    @extend_schema(
        operation_id="query",
        request=QueryIn,
        responses={
            200: QueryOut,
            **REFUSALS,
            **refusals(503),
            (422, "application/problem+json"): QueryProblemOut,
        },
    )
    def post(self, request: Request, user_id: UUID) -> Response:
        """Answer a question in Python over the person's records; nothing is changed.

        With `as_of` it is asked of what was known then, on the person's date of then.
        """
        user = self.memory_user(request, user_id)
        body = validated(QueryIn, request.data)
        known = None if body.as_of is None else known_then(user, body.as_of)
        try:
            answer = ask(user, body.code, now=timezone.now(), known=known)
        except QueryFailed as failed:
            raise _problem(failed) from failed
        except NotNow as error:
            raise Problem(503, "Not now", str(error)) from error
        return Response(_answer_json(answer))


def _answer_json(answer: Answer) -> dict[str, Any]:
    return {
        "value": answer.json,
        "type": answer.type,
        "printed": answer.printed,
        "collections": list(answer.collections),
        "seq": answer.head.fact_seq,
        "reading_seq": answer.head.reading_seq,
        "version": answer.version,
        "today": answer.today.isoformat(),
        "warnings": remarks_json(answer.warnings),
        "seconds": round(answer.seconds, 6),
    }


def remarks_json(remarks: Iterable[Remark]) -> list[dict[str, Any]]:
    """Remarks as `RemarkOut` has them."""
    return [
        {
            "detail": one.detail,
            "line": one.line or None,
            "column": one.column or None,
            "source_line": one.source_line,
            "caret": one.caret,
        }
        for one in remarks
    ]


def _problem(failed: QueryFailed) -> Problem:
    entries = [{"pointer": POINTER, **remark} for remark in remarks_json(failed.remarks)]
    first = failed.remarks[0]
    place = f"line {first.line}, column {first.column}: " if first.line else ""
    more = f" ({len(entries) - 1} more in errors)" if len(entries) > 1 else ""
    return Problem(422, failed.title, f"{place}{first.detail}{more}", entries)
