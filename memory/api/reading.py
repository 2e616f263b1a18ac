"""`users/{id}/reading` and `users/{id}/questions`: what a model has read, and what it doubts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.base import CURSOR_PARAMETERS, READ_REFUSALS, Page, UserView
from memory.api.fields import Strict
from memory.questions import open_questions
from memory.reading_counts import reading_of
from memory.rights import Right


class CoverageOut(Strict):
    """Messages and untyped facts by where their reading stands: one of the first four each.

    `held` counts readings that wait for a person's decision.
    """

    waiting: int
    read: int
    nothing: int
    stuck: int
    all: int
    coverage: Annotated[
        float | None,
        Field(description="Read, or with nothing to remember, of all; null where all is none."),
    ]
    held: int
    last_at: datetime | None


class QuestionOut(Strict):
    """What to ask the person about a fact, and the words that it rests on."""

    fact: int
    message: int | None
    quote: str
    questions: list[str]
    asked_at: datetime | None


class QuestionPage(Strict):
    items: list[QuestionOut]
    next: str | None


class ReadingView(UserView):
    rights = {"GET": Right.FACTS_READ}

    @extend_schema(operation_id="get_reading", responses={200: CoverageOut, **READ_REFUSALS})
    def get(self, request: Request, user_id: UUID) -> Response:
        """How much of what was said a language model has read."""
        counts = reading_of(self.memory_user(request, user_id))
        return Response({name: getattr(counts, name) for name in CoverageOut.model_fields})


class QuestionsView(UserView):
    rights = {"GET": Right.FACTS_READ}

    @extend_schema(
        operation_id="list_questions",
        parameters=CURSOR_PARAMETERS,
        responses={200: QuestionPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """What was doubtful when it was read and nothing has answered, by the seq of the fact."""
        page = Page(request)
        after, sign = page.after, -1 if page.newest_first else 1
        found = open_questions(self.memory_user(request, user_id))[::-sign]
        following = [one for one in found if after is None or sign * (one.fact - after) > 0]
        found = following[: page.limit]
        items = [
            {
                "fact": one.fact,
                "message": one.message,
                "quote": one.quote,
                "questions": one.doubts,
                "asked_at": one.asked_at,
            }
            for one in found
        ]
        return Response(page.answer(items, [one.fact for one in found]))
