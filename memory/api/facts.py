"""`users/{id}/facts`: append facts, and list them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.actions.append_facts import append_facts
from memory.actions.appended import Appended
from memory.actions.check_facts import FactsRefused, NewFact, NewReading
from memory.api.base import (
    CURSOR_PARAMETERS,
    IDEMPOTENCY_HEADER,
    READ_REFUSALS,
    REFUSALS,
    Page,
    UserView,
    query_moment,
    validated,
)
from memory.api.fact_shapes import AppendedOut, FactIn, FactPage, FactsIn, FactsPosted
from memory.api.fields import FUTURE
from memory.api.parsing import idempotency_of
from memory.api.problems import MAX_ERRORS, Problem, entry, refusal
from memory.evaluator import Span, evaluator
from memory.log import FactEntry, FactFilter, ReadingEntry, page_of_facts
from memory.rights import Right


def _is_batch(body: Any) -> bool:
    return isinstance(body, dict) and "facts" in body


def _place(batch: bool, index: int, *path: str | int) -> list[str | int]:
    return ["facts", index, *path] if batch else list(path)


def facts_of(body: Any, now: datetime) -> list[NewFact]:
    """The facts of a posted body. Raises Problem (422) with each field that does not fit."""
    many = _is_batch(body)
    facts = validated(FactsIn, body).facts if many else [validated(FactIn, body)]
    late = [
        entry(
            _place(many, index, "occurred_at"),
            "occurred_at lies in the future; it is when the statement was true. "
            "Put coming dates in the data of a reading",
        )
        for index, fact in enumerate(facts)
        if fact.occurred_at is not None and fact.occurred_at > now + FUTURE
    ]
    if late:
        raise refusal(late)
    return [_new_fact(fact) for fact in facts]


def _refusal(error: FactsRefused, *, batch: bool) -> Problem:
    return refusal(
        [
            entry(_place(batch, one.index, *one.path), one.detail)
            for one in error.problems[:MAX_ERRORS]
        ]
    )


def _new_fact(fact: FactIn) -> NewFact:
    return NewFact(
        text=fact.text,
        occurred_at=fact.occurred_at,
        source=fact.source,
        session=fact.session,
        message_seq=fact.message,
        metadata=fact.metadata,
        corrects=fact.corrects,
        readings=tuple(
            NewReading(reading.kind, reading.op, reading.id, reading.data)
            for reading in fact.readings
        ),
    )


class FactsView(UserView):
    rights = {"GET": Right.FACTS_READ, "POST": Right.FACTS_WRITE}

    @extend_schema(
        operation_id="append_facts",
        request=FactsPosted,
        parameters=[IDEMPOTENCY_HEADER],
        responses={201: AppendedOut, **REFUSALS},
    )
    def post(self, request: Request, user_id: UUID) -> Response:
        """Append one fact, or up to 1,000 as `{"facts": [...]}`: all of them or none.

        The rules that the facts touch run before the answer, which carries the alerts they opened,
        changed or cleared (null for a key without `alerts:read`); where that would take too long,
        the evaluation is queued.
        """
        now = timezone.now()
        facts = facts_of(request.data, now)
        try:
            appended = append_facts(
                user_id=user_id,
                facts=facts,
                actor=self.key(request),
                now=now,
                idempotency=idempotency_of(request),
                evaluate_later=len(facts) > settings.EVALUATION_INLINE_FACTS,
            )
        except FactsRefused as error:
            raise _refusal(error, batch=_is_batch(request.data)) from error
        headers = {"Idempotent-Replay": "true"} if appended.repeated else None
        return Response(self.answer(appended, now), status=201, headers=headers)

    def answer(self, appended: Appended, now: datetime) -> dict[str, Any]:
        """What the post did, with what the rules say of it."""
        span = Span(appended.first_seq, appended.last_seq, appended.through)
        by_fact: dict[int, list[dict[str, Any]]] = {}
        for reading in appended.readings:
            by_fact.setdefault(reading.fact_seq, []).append(
                {
                    "seq": reading.seq,
                    "kind": reading.kind,
                    "op": reading.op,
                    "id": reading.record_id,
                    "effect": reading.effect,
                }
            )
        return {
            "user_id": str(appended.user.pk),
            "facts": [
                {"seq": seq, "hash": link, "readings": by_fact.get(seq, [])}
                for seq, link in enumerate(appended.hashes, start=appended.first_seq)
            ],
            "head": {"seq": appended.last_seq, "hash": appended.hashes[-1]},
            **self._evaluated(appended, span, now),
        }

    def _evaluated(self, appended: Appended, span: Span, now: datetime) -> dict[str, Any]:
        found = evaluator().evaluate(user=appended.user, span=span, queued=appended.queued, now=now)
        shown = access.may(self.request.user, Right.ALERTS_READ)
        return found if shown else {**found, "alerts": None}

    @extend_schema(
        operation_id="list_facts",
        parameters=[
            *CURSOR_PARAMETERS,
            *(OpenApiParameter(name, str) for name in ("source", "session", "kind")),
            *(
                OpenApiParameter(f"{what}_{end}", datetime)
                for what in ("occurred", "recorded")
                for end in ("from", "to")
            ),
        ],
        responses={200: FactPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The person's facts, newest first, narrowed by source, session, kind and dates."""
        user = self.memory_user(request, user_id)
        page = Page(request)
        narrowed = FactFilter(
            source=request.query_params.get("source", ""),
            session=request.query_params.get("session", ""),
            kind=request.query_params.get("kind", ""),
            occurred_from=query_moment(request, "occurred_from"),
            occurred_to=query_moment(request, "occurred_to"),
            recorded_from=query_moment(request, "recorded_from"),
            recorded_to=query_moment(request, "recorded_to"),
        )
        facts = page_of_facts(
            user, narrowed, after=page.after, limit=page.limit, newest_first=page.newest_first
        )
        items = [fact_json(fact) for fact in facts]
        return Response(page.answer(items, [fact.seq for fact in facts]))


def fact_json(fact: FactEntry) -> dict[str, Any]:
    """A fact as the API shows it."""
    return {
        "seq": fact.seq,
        "text": fact.text,
        "occurred_at": fact.occurred_at,
        "recorded_at": fact.recorded_at,
        "source": fact.source,
        "session": fact.session,
        "message": fact.message_seq,
        "metadata": fact.metadata,
        "corrects": fact.corrects,
        "hash": fact.hash,
        "readings": [_reading_json(reading) for reading in fact.readings],
    }


def _reading_json(reading: ReadingEntry) -> dict[str, Any]:
    return {
        "seq": reading.seq,
        "kind": reading.kind,
        "op": reading.op,
        "id": reading.record_id,
        "data": reading.data,
        "origin": reading.origin,
        "places": reading.places,
    }
