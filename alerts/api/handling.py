"""`users/{id}/alerts/{alert_id}/…`: what an app does to an alert on behalf of its users."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Annotated
from uuid import UUID

import pydantic
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts import access
from alerts.actions import (
    AlertNotOpen,
    CommentMissing,
    ShelvedTooLong,
    acknowledge_alert,
    override_alert,
    reopen_alert,
    resolve_alert,
    shelve_alert,
)
from alerts.api.alerts import AlertOut, alert_json
from alerts.lifecycle import Who, sources
from alerts.models import Alert, EventKind, OverrideReason, Status
from memory.access import NotFound
from memory.api.base import REFUSALS, UserView, refusals, validated
from memory.api.fields import Moment, Strict
from memory.api.problems import Problem, entry, refusal
from memory.rights import Right

Comment = Annotated[str, pydantic.Field(max_length=2_000)]
NO_BODY = refusals(401, 403, 404, 409, 429)
WITH_BODY = {**REFUSALS, **refusals(409)}
HOURS_A_DAY = 24


class OverrideIn(Strict):
    """Why an alert does not apply; `other` needs a comment."""

    reason: OverrideReason
    comment: Comment = ""


class ShelveIn(Strict):
    """Until when an alert is put aside, and why."""

    until: Moment
    comment: Comment


class HandlingView(UserView):
    """A verb on one alert: `event` happens to it, where it stands as `only` or the table says.

    `act` does it, and is handed what the request says, read as `body`.
    """

    rights = {"POST": Right.ALERTS_HANDLE}
    http_method_names = ["post"]
    event: EventKind
    act: Callable[..., object]
    body: type[Strict] | None = None
    only: tuple[Status, ...] = ()

    def handled(self, request: Request, user_id: UUID, alert_id: int, **more: object) -> Response:
        """The alert of the path after `act`. Raises access.NotFound, and Problem (409, 422)."""
        user = self.memory_user(request, user_id)
        alert = access.alert(self.key(request), alert_id, self.right(request))
        if alert.user_id != user.pk:
            raise NotFound
        said = dict(validated(self.body, request.data)) if self.body else {}
        try:
            self.act(alert=alert, actor=self.key(request), now=timezone.now(), **said, **more)
        except AlertNotOpen as error:
            raise self.too_late(alert) from error
        except CommentMissing as error:
            raise refusal([entry(["comment"], "comment: say in a few words why")]) from error
        except ShelvedTooLong as error:
            detail = f"until: a moment to come, at most {_span(error.longest)} from now"
            raise refusal([entry(["until"], detail)]) from error
        handled = Alert.objects.select_related("owner").get(pk=alert.pk)
        return Response(alert_json(handled, user.local_date(timezone.now())))

    def too_late(self, alert: Alert) -> Problem:
        """The refusal of a verb that does not fit how the alert stands by now."""
        alert.refresh_from_db()
        states = self.only or sources(self.event, Who.PEOPLE)
        detail = f"The alert is {alert.status}; this takes one that is: {', '.join(states)}."
        if alert.status in states:
            detail = "The alert says something else by now; look at it and decide anew."
        return Problem(409, "Not in this state", detail)


class AcknowledgeView(HandlingView):
    event = EventKind.ACKNOWLEDGED
    act = staticmethod(acknowledge_alert)

    @extend_schema(
        operation_id="acknowledge_alert", request=None, responses={200: AlertOut, **NO_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Say that somebody has seen an open alert and takes care of it.

        It opens again at `until`, or when its severity rises.
        """
        return self.handled(request, user_id, alert_id)


class ShelveView(HandlingView):
    event = EventKind.SHELVED
    act = staticmethod(shelve_alert)
    body = ShelveIn

    @extend_schema(
        operation_id="shelve_alert", request=ShelveIn, responses={200: AlertOut, **WITH_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Put an alert aside until a moment, for a reason: a critical one for a day at most."""
        return self.handled(request, user_id, alert_id)


class OverrideView(HandlingView):
    event = EventKind.OVERRIDDEN
    act = staticmethod(override_alert)
    body = OverrideIn

    @extend_schema(
        operation_id="override_alert", request=OverrideIn, responses={200: AlertOut, **WITH_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Say that an alert does not apply, and why.

        It opens again when its severity rises or what it rests on says something else. Where a fact
        is wrong, post one that corrects it as well.
        """
        return self.handled(request, user_id, alert_id)


class ReopenView(HandlingView):
    event = EventKind.REOPENED
    act = staticmethod(reopen_alert)

    @extend_schema(operation_id="reopen_alert", request=None, responses={200: AlertOut, **NO_BODY})
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Take back an acknowledgement, a shelving or an override: the alert is open again."""
        return self.handled(request, user_id, alert_id)


class UnshelveView(ReopenView):
    only = (Status.SHELVED,)

    @extend_schema(
        operation_id="unshelve_alert", request=None, responses={200: AlertOut, **NO_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Take an alert from the shelf before its time: it is open again."""
        return self.handled(request, user_id, alert_id, standing=self.only)


class ResolveView(HandlingView):
    event = EventKind.RESOLVED
    act = staticmethod(resolve_alert)

    @extend_schema(operation_id="resolve_alert", request=None, responses={200: AlertOut, **NO_BODY})
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Say that somebody has seen that the cause of a cleared alert is gone.

        One whose cause holds is resolved by nobody: override or shelve it, or correct the facts.
        """
        return self.handled(request, user_id, alert_id)


def _span(longest: timedelta) -> str:
    hours = round(longest.total_seconds() / 3_600)
    return f"{hours} hours" if hours <= HOURS_A_DAY else f"{hours // HOURS_A_DAY} days"
