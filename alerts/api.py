"""`users/{id}/alerts`: what the rules found."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.models import Alert, Severity, Status
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
    """An alert with everything it rests on."""

    id: int
    rule: str
    origin: Literal["finding", "failure"]
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
    opened_at: datetime
    changed_at: datetime


class AlertPage(Strict):
    items: list[AlertOut]
    next: str | None


def alert_json(alert: Alert) -> dict[str, Any]:
    """An alert as the API shows it."""
    return {name: getattr(alert, name) for name in AlertOut.model_fields}


class AlertsView(UserView):
    rights = {"GET": Right.ALERTS_READ}

    @extend_schema(
        operation_id="list_alerts",
        parameters=[
            *CURSOR_PARAMETERS,
            OpenApiParameter("status", str, enum=Status.values),
            OpenApiParameter("severity", str, enum=Severity.values),
        ],
        responses={200: AlertPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The person's alerts, newest first."""
        user = self.memory_user(request, user_id)
        page = Page(request)
        alerts = Alert.objects.filter(user=user, **self.narrowed(request))
        if page.after is not None:
            past = "pk__lt" if page.newest_first else "pk__gt"
            alerts = alerts.filter(**{past: page.after})
        rows = list(alerts.order_by("-pk" if page.newest_first else "pk")[: page.limit])
        return Response(page.answer([alert_json(row) for row in rows], [row.pk for row in rows]))

    def narrowed(self, request: Request) -> dict[str, str]:
        """The status and severity asked for. Raises Problem (400)."""
        narrowed = {}
        for name, values in (("status", Status.values), ("severity", Severity.values)):
            value = request.query_params.get(name)
            if value is not None and value not in values:
                raise Problem(400, "Bad query", f"{name} is one of: {', '.join(values)}.")
            if value is not None:
                narrowed[name] = value
        return narrowed
