"""`users/{id}/alerts`: what the rules found, and what they find in what was known earlier."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field, RootModel
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.due import time_left
from alerts.models import ORDINARY, STANDING, Alert, Origin, Severity, Status
from alerts.rerun import BUSY, Busy
from alerts.rerun.back_then import BackThen, Fired, Rules, back_then
from memory.api.as_of import AS_OF, AsOfOut, then_json, then_of
from memory.api.base import CURSOR_PARAMETERS, READ_REFUSALS, Page, UserView, refusals
from memory.api.fields import Strict
from memory.api.problems import Problem
from memory.rights import Right
from memory.then import Then


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


class FiredOut(Strict):
    """What a rule says of an earlier moment.

    `alert` is the id of the alert that had been raised for it by then, null where there was none.
    `time_left` is told from the person's date of then.
    """

    rule: str
    origin: Literal["finding", "failure"]
    severity: Literal["critical", "warning", "info"]
    summary: str
    detail: str
    grade: str
    action: str
    due: date | None
    time_left: str
    basis: list[str]
    unknown: list[str]
    evidence: list[EvidenceOut]
    alert: int | None


class AlertsThen(Strict):
    """What the rules find in what was known at an earlier moment, the gravest first."""

    as_of: AsOfOut
    rules: Literal["then", "now"]
    version: str = Field(description="Digest of the project whose rules were run.")
    tables: str = Field(description="Digest of the reference tables: those of now.")
    items: list[FiredOut]
    next: None
    seconds: float


class AlertsAnswer(RootModel[AlertPage | AlertsThen]):
    """A page of alerts; with `as_of` what would have fired."""


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


def fired_json(fired: Fired, known: Then) -> dict[str, Any]:
    """A finding as `FiredOut` has it."""
    finding, content = fired.finding, fired.content
    return {
        "rule": finding.rule,
        "origin": finding.origin,
        **{name: value for name, value in content.items() if name != "fingerprint"},
        "time_left": time_left(finding.due, known.today),
        "alert": fired.alert_id,
    }


def _then_json(found: BackThen, rules: Rules, severities: Collection[str]) -> dict[str, Any]:
    shown = [one for one in found.fired if one.finding.severity in severities]
    return {
        "as_of": then_json(found.known),
        "rules": rules,
        "version": found.version,
        "tables": found.tables,
        "items": [fired_json(one, found.known) for one in shown],
        "next": None,
        "seconds": round(found.seconds, 6),
    }


RULES: dict[str, Rules] = {"then": "then", "now": "now"}
NOT_THEN = ("status", "origin", "cursor", "order", "limit")
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
            AS_OF,
            OpenApiParameter(
                "rules",
                str,
                enum=[*RULES],
                description="With `as_of`: the rules of then, unless told, or those of now.",
            ),
        ],
        responses={200: AlertsAnswer, **READ_REFUSALS, **refusals(503)},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The person's alerts, newest first; early words only where `origin` asks for them.

        With `as_of` it is what would have fired: the rules run over what was known then, on the
        person's date of then; all of it on one page, and nothing is stored.
        """
        user = self.memory_user(request, user_id)
        known = then_of(request, user)
        if known is not None:
            return Response(self.then(request, known))
        if "rules" in request.query_params:
            raise Problem(400, "Bad query", "rules goes with as_of; leave it out.")
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

    def then(self, request: Request, known: Then) -> dict[str, Any]:
        """What would have fired. Raises Problem (400, 503)."""
        given = [name for name in NOT_THEN if name in request.query_params]
        if given:
            detail = f"{given[0]} is of alerts as they stand; leave it out beside as_of."
            raise Problem(400, "Bad query", detail)
        rules = request.query_params.get("rules", "then")
        if rules not in RULES:
            raise Problem(400, "Bad query", "rules is then or now.")
        severities = self.narrowed(request).get("severity__in", Severity.values)
        try:
            found = back_then(known, RULES[rules])
        except Busy as error:
            raise Problem(503, "Busy", BUSY) from error
        return _then_json(found, RULES[rules], severities)

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
