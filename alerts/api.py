"""`users/{id}/alerts`: what the rules found."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.models import ORDINARY, Alert, Origin, Severity, Status
from memory.api.base import CURSOR_PARAMETERS, READ_REFUSALS, Page, UserView
from memory.api.fields import Strict
from memory.api.problems import Problem
from memory.rights import Right


class EvidenceOut(Strict):
    """A record as it was, and the seq of the facts it rests on."""

    kind: str
    id: str
    data: dict[str, Any]
    facts: list[int]


class AlertOut(Strict):
    """An alert, or an early word, with everything it rests on.

    `proposal` is the one whose rule says it, for `provisional`. `quote` and `message_seq` tell what
    a `concern` was noticed in; its `rule` is empty.
    """

    id: int
    rule: str
    origin: Literal["finding", "failure", "provisional", "concern"]
    severity: Literal["critical", "warning", "info"]
    status: Literal["open", "acknowledged", "overridden", "resolved"]
    summary: str
    detail: str
    grade: str
    action: str
    basis: list[str]
    unknown: list[str]
    evidence: list[EvidenceOut]
    version: str
    tables: str
    fact_seq: int
    proposal: UUID | None
    quote: str
    message_seq: int | None
    opened_at: datetime
    changed_at: datetime


class AlertPage(Strict):
    items: list[AlertOut]
    next: str | None


def alert_json(alert: Alert) -> dict[str, Any]:
    """An alert as the API shows it."""
    shown = {name: getattr(alert, name) for name in AlertOut.model_fields if name != "proposal"}
    return {**shown, "proposal": alert.proposal_id}


NARROWING = {
    "status": Status.values,
    "severity": Severity.values,
    "origin": Origin.values,
}


class AlertsView(UserView):
    rights = {"GET": Right.ALERTS_READ}

    @extend_schema(
        operation_id="list_alerts",
        parameters=[
            *CURSOR_PARAMETERS,
            OpenApiParameter("status", str, enum=Status.values),
            OpenApiParameter("severity", str, enum=Severity.values),
            OpenApiParameter(
                "origin",
                str,
                enum=Origin.values,
                description="`concern`: what the model noticed; `provisional`: what a proposed "
                "rule would raise. Neither is an alert, nor listed unless asked for.",
            ),
        ],
        responses={200: AlertPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The person's alerts, newest first; early words only where `origin` asks for them."""
        user = self.memory_user(request, user_id)
        page = Page(request)
        asked = {"origin__in": ORDINARY, **self.narrowed(request)}
        alerts = Alert.every.filter(user=user, **asked)
        if page.after is not None:
            past = "pk__lt" if page.newest_first else "pk__gt"
            alerts = alerts.filter(**{past: page.after})
        rows = list(alerts.order_by("-pk" if page.newest_first else "pk")[: page.limit])
        return Response(page.answer([alert_json(row) for row in rows], [row.pk for row in rows]))

    def narrowed(self, request: Request) -> dict[str, Any]:
        """The status, severity and origin asked for. Raises Problem (400)."""
        narrowed: dict[str, Any] = {}
        for name, values in NARROWING.items():
            value = request.query_params.get(name)
            if value is not None and value not in values:
                raise Problem(400, "Bad query", f"{name} is one of: {', '.join(values)}.")
            if value is not None:
                narrowed[f"{name}__in"] = [value]
        return narrowed
