"""`users/{id}/ask`: a question in words, answered by a checked query, by quotes, or not."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from memory.answering.answered import Answered
from memory.answering.ask import ask
from memory.answering.find import channels_of
from memory.answering.quoted import Quoted
from memory.answering.shape import LONGEST_QUESTION
from memory.api.base import REFUSALS, UserView, refusals, validated
from memory.api.fields import Strict, Text
from memory.api.problems import Problem
from memory.api.query import RemarkOut, remarks_json
from memory.checkpointer.model.errors import ModelError, NotConfigured
from memory.querying.remarks import NotNow
from memory.rights import Right


class AskIn(Strict):
    """A question about the person."""

    question: Annotated[
        Text,
        Field(
            max_length=LONGEST_QUESTION,
            description="In words, in any language.",
            examples=["How many trips did I take in 2026?"],
        ),
    ]


class QuoteOut(Strict):
    """Words that the answer rests on, and the fact or message that has them."""

    quote: str
    item: str = Field(description="What it tells of, where several are counted.")
    fact: int | None
    message: int | None
    speaker: str
    at: datetime


class RestsOnOut(Strict):
    """A record that the answer rests on, and its facts."""

    kind: str
    id: str
    facts: list[int]


class AskOut(Strict):
    """An answer with all that it rests on, or that it is not known."""

    known: bool
    how: Literal["query", "text", "unknown"]
    answer: str = Field(description="A sentence; 'Not known.' where nothing tells it.")
    code: str | None = Field(description="The query that was run; send it to `query` to run it.")
    value: Any = Field(description="The value of the query as JSON; see docs/query.md.")
    type: str | None = Field(description="The value's Python type.")
    collections: list[str] = Field(description="What the query read.")
    records: list[RestsOnOut] = Field(description="At most 200; `records_total` says of how many.")
    records_total: int
    facts: list[int] = Field(description="Seqs of the facts it rests on, at most 200 of records.")
    quotes: list[QuoteOut]
    warnings: list[RemarkOut]
    refused: int = Field(description="How many answers of the model did not pass the checks.")
    why: str = Field(description="What was wrong with the last one, where none passed.")
    excerpts: int = Field(description="How many excerpts of what was said the model was shown.")
    seq: int = Field(description="The last fact that the answer takes into account.")
    reading_seq: int
    version: str = Field(description="Digest of the person's project.")
    today: date = Field(description="The person's local date.")
    prompt: str = Field(description="Digest of the prompt.")
    seconds: float


class AskView(UserView):
    rights = {"POST": Right.ASK}

    @extend_schema(
        operation_id="ask",
        request=AskIn,
        responses={200: AskOut, **REFUSALS, **refusals(503)},
    )
    def post(self, request: Request, user_id: UUID) -> Response:
        """Answer a question in words about the person; nothing is changed."""
        user = self.memory_user(request, user_id)
        body = validated(AskIn, request.data)
        channels = channels_of(self.key(request))
        try:
            answered = ask(user, body.question, channels=channels, now=timezone.now())
        except NotConfigured as error:
            detail = "No model is configured here to answer questions; send Python to `query`."
            raise Problem(503, "No model", detail) from error
        except ModelError as error:
            detail = f"The model did not answer: {error}. Try again later."
            raise Problem(503, "No answer", detail) from error
        except NotNow as error:
            raise Problem(503, "Not now", str(error)) from error
        return Response(answered_json(answered))


def answered_json(answered: Answered) -> dict[str, Any]:
    """An answer as `AskOut` has it."""
    answer, rests = answered.answer, answered.rests
    return {
        "known": answered.known,
        "how": answered.how,
        "answer": answered.sentence,
        "code": answered.code or None,
        "value": answer.json if answer else None,
        "type": answer.type if answer else None,
        "collections": list(answer.collections) if answer else [],
        "records": [
            {"kind": kind, "id": record_id, "facts": list(facts)}
            for kind, record_id, facts in rests.records
        ],
        "records_total": rests.total,
        "facts": list(answered.facts),
        "quotes": [_quote(one) for one in answered.quotes],
        "warnings": remarks_json(answer.warnings) if answer else [],
        "refused": answered.refused,
        "why": answered.why,
        "excerpts": answered.shown_excerpts,
        "seq": answered.seq,
        "reading_seq": answered.reading_seq,
        "version": answered.version,
        "today": answered.today.isoformat(),
        "prompt": answered.prompt,
        "seconds": round(answered.seconds, 6),
    }


def _quote(one: Quoted) -> dict[str, Any]:
    excerpt = one.excerpt
    return {
        "quote": one.text,
        "item": one.item,
        "fact": excerpt.seq if excerpt.stream == "fact" else None,
        "message": excerpt.seq if excerpt.stream == "message" else None,
        "speaker": excerpt.speaker,
        "at": excerpt.at.isoformat(),
    }
