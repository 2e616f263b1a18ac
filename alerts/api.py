"""`users/{id}/alerts`: what the rules found."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.due import time_left
from alerts.models import ORDINARY, STANDING, Alert, Origin, Severity, Status
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

    `due` is the last day to act, where there is one, and `time_left` how far that is from the
    person's date now: `3 days left`, `last day`, `1 day overdue`; or nothing. `proposal` is the one
    whose rule says it, for `provisional`. `quote` and `message_seq` tell what a `concern` was
    noticed in; its `rule` is empty. `about` is the alert that nobody has acknowledged, for
    `unanswered`. `status_at` is since when it stands as it does; `owner` is the
    user name of who acknowledged or shelved it, until `until`.
    """

    id: int
    rule: str
    origin: Literal["finding", "failure", "provisional", "concern", "unanswered"]
    severity: Literal["critical", "warning", "info"]
    status: Literal[
        "open", "acknowledged", "shelved", "overridden", "cleared", "resolved", "superseded"
    ]
    summary: str
    detail: str
    grade: str
    action: str
    due: date | None
    time_left: str
    basis: list[str]
    unknown: list[str]
    evidence: list[EvidenceOut]
    version: str
    tables: str
    fact_seq: int
    proposal: UUID | None
    quote: str
    message_seq: int | None
    recurrences: int
    first_opened_at: datetime
    opened_at: datetime
    changed_at: datetime
    about: int | None
    status_at: datetime
    until: datetime | None
    owner: str | None


class AlertPage(Strict):
    items: list[AlertOut]
    next: str | None


def alert_json(alert: Alert, today: date) -> dict[str, Any]:
    """An alert as the API shows it on the person's date."""
    worked_out = {
        "proposal": alert.proposal_id,
        "about": alert.about_id,
        "owner": alert.owner.get_username() if alert.owner else None,
        "time_left": time_left(alert.due, today) if alert.status in STANDING else "",
    }
    stored = AlertOut.model_fields.keys() - worked_out.keys()
    shown = {name: getattr(alert, name) for name in AlertOut.model_fields if name in stored}
    return {**shown, **worked_out}


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
        alerts = Alert.every.filter(user=user, **asked).select_related("owner")
        if page.after is not None:
            past = "pk__lt" if page.newest_first else "pk__gt"
            alerts = alerts.filter(**{past: page.after})
        rows = list(alerts.order_by("-pk" if page.newest_first else "pk")[: page.limit])
        today = user.local_date(timezone.now())
        shown = [alert_json(row, today) for row in rows]
        return Response(page.answer(shown, [row.pk for row in rows]))

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
