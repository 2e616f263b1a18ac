"""`users/{id}/context`: what an agent should put in its prompt, within a bound."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.models import Alert
from memory import access
from memory.answering.find import channels_of
from memory.api.base import READ_REFUSALS, UserView, query_number
from memory.api.fields import Strict
from memory.api.problems import Problem
from memory.checkpointer.model.prices import estimated_tokens
from memory.code import project_of
from memory.models import AppKey, MemoryUser
from memory.retrieval.context import Context, Line, Section, Shown, compose, one_line
from memory.retrieval.context_material import NO_SCOPE, memory_sections, title_of
from memory.retrieval.search import LONGEST_QUERY
from memory.rights import Right

LEAST, MOST, USUAL = 50, 100_000, 2_000
ALERTS_SHARE, MOST_ALERTS = 0.2, 50


class LineOut(Strict):
    """A line of the text and what it is from: an alert, a domain, a record, a fact, a message."""

    section: Literal["alerts", "manifest", "state", "facts", "messages"]
    text: str
    cut: bool = Field(description="Whether the end of what it says was left out.")
    alert: int | None
    domain: str | None
    kind: str | None
    id: str | None
    facts: list[int] = Field(description="The seqs of the facts it rests on.")
    message: int | None


class SectionOut(Strict):
    """How much of a section is shown, in what order, and why not all of it."""

    name: Literal["alerts", "manifest", "state", "facts", "messages"]
    shown: int
    of: int
    tokens: int
    order: str
    left_out: str = Field(description="Why lines are missing; empty where none are.")


class ContextOut(Strict):
    """A text for a prompt, its lines with their sources, and what was left out."""

    user_id: UUID
    text: str
    tokens: int = Field(description="Of the text, estimated as three bytes each: never too few.")
    max_tokens: int
    lines: list[LineOut]
    sections: list[SectionOut]
    seq: int = Field(description="The last fact that there was.")
    reading_seq: int
    version: str = Field(description="Digest of the person's project.")
    today: date


class ContextView(UserView):
    rights = {"GET": Right.STATE_READ}

    @extend_schema(
        operation_id="get_context",
        parameters=[
            OpenApiParameter(
                "q", str, description="What it is about, such as the last message; may be empty."
            ),
            OpenApiParameter(
                "max_tokens", int, description=f"{LEAST} to {MOST:,}; {USUAL:,} unless told."
            ),
        ],
        responses={200: ContextOut, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """What of a person's memory matters for a question, as text, each line with its source.

        Open alerts need `alerts:read`, facts `facts:read`, messages `messages:read`; what the key
        may not read is left out, and said so.
        """
        user = self.memory_user(request, user_id)
        q = request.query_params.get("q", "")
        if len(q) > LONGEST_QUERY:
            raise Problem(400, "Bad query", f"q has at most {LONGEST_QUERY:,} characters.")
        most = query_number(request, "max_tokens", LEAST, MOST) or USUAL
        now = timezone.now()
        found = context_of(user, q, key=self.key(request), title=title_of(user, now), most=most)
        return Response(
            {
                **context_json(found),
                "user_id": str(user.pk),
                "max_tokens": most,
                "seq": user.fact_seq,
                "reading_seq": user.reading_seq,
                "version": project_of(user).digest,
                "today": user.local_date(now).isoformat(),
            }
        )


def context_of(user: MemoryUser, q: str, *, key: AppKey, title: str, most: int) -> Context:
    """What fits of what the key may read, alerts first."""
    alerts = _alerts(user, may=access.may(key, Right.ALERTS_READ))
    sections = [alerts, *memory_sections(user, q, channels=channels_of(key))]
    return compose(title, sections, max_tokens=most)


def _alerts(user: MemoryUser, *, may: bool) -> Section:
    standing = Alert.objects.standing().filter(user=user) if may else Alert.objects.none()
    lines = tuple(map(_alert, standing.worst_first()[:MOST_ALERTS]))
    return Section(
        "alerts",
        "Open alerts",
        lines,
        ALERTS_SHARE,
        "The gravest first, then the newest.",
        "" if may else NO_SCOPE.format(Right.ALERTS_READ),
        beyond=standing.count() - len(lines) if len(lines) == MOST_ALERTS else 0,
    )


def _alert(alert: Alert) -> Line:
    facts = sorted({seq for one in alert.evidence for seq in one["facts"]})
    action = f" Suggested: {alert.action}" if alert.action else ""
    text, cut = one_line(f"{alert.summary}.{action}")
    due = f", due {alert.due}" if alert.due else ""
    named = f"[alert {alert.pk}, {alert.severity}{due}, rule {alert.rule}]"
    return Line(f"{named} {text}", {"alert": alert.pk, "facts": facts}, cut)


def context_json(found: Context) -> dict[str, Any]:
    """Text, lines and sections as `ContextOut` has them."""
    return {
        "text": found.text,
        "tokens": found.tokens,
        "lines": [
            _line_json(one.section.name, line) for one in found.sections for line in one.lines
        ],
        "sections": [_section_json(one) for one in found.sections],
    }


def _line_json(section: str, line: Line) -> dict[str, Any]:
    source = line.source
    fact = source.get("fact")
    return {
        "section": section,
        "text": line.text,
        "cut": line.cut,
        **{name: source.get(name) for name in ("alert", "domain", "kind", "id", "message")},
        "facts": [fact] if fact is not None else source.get("facts", []),
    }


def _section_json(shown: Shown) -> dict[str, Any]:
    section = shown.section
    missing = len(section.lines) - len(shown.places)
    left_out = [f"No room for {missing:,} more; ask with a larger max_tokens."] if missing else []
    if section.beyond:
        left_out.append(f"{section.beyond:,} more are never shown here; ask for the list of them.")
    return {
        "name": section.name,
        "shown": len(shown.places),
        "of": len(section.lines) + section.beyond,
        "tokens": estimated_tokens(shown.text),
        "order": section.why,
        "left_out": section.withheld or " ".join(left_out),
    }
