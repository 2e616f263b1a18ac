"""`users/{id}/alerts/{alert_id}/…`: what an app does to an alert on behalf of its users."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
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
from alerts.api import AlertOut, alert_json
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
    """A verb on one alert: `event` happens to it, where it stands as `only` or the table says."""

    rights = {"POST": Right.ALERTS_HANDLE}
    http_method_names = ["post"]
    event: EventKind
    only: tuple[Status, ...] = ()

    def handled(
        self, request: Request, user_id: UUID, alert_id: int, act: Callable[[Alert], object]
    ) -> Response:
        """The alert of the path after `act`. Raises access.NotFound, and Problem (409, 422)."""
        user = self.memory_user(request, user_id)
        alert = access.alert(self.key(request), alert_id, self.right(request))
        if alert.user_id != user.pk:
            raise NotFound
        try:
            act(alert)
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
            detail = f"The alert is {alert.severity} by now; look at it and decide anew."
        return Problem(409, "Not in this state", detail)


class AcknowledgeView(HandlingView):
    event = EventKind.ACKNOWLEDGED

    @extend_schema(
        operation_id="acknowledge_alert", request=None, responses={200: AlertOut, **NO_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Say that somebody has seen an open alert and takes care of it.

        It opens again at `until`, or when its severity rises.
        """
        act = partial(acknowledge_alert, actor=self.key(request), now=timezone.now())
        return self.handled(request, user_id, alert_id, lambda alert: act(alert=alert))


class ShelveView(HandlingView):
    event = EventKind.SHELVED

    @extend_schema(
        operation_id="shelve_alert", request=ShelveIn, responses={200: AlertOut, **WITH_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Put an alert aside until a moment, for a reason: a critical one for a day at most."""

        def act(alert: Alert) -> object:
            asked = validated(ShelveIn, request.data)
            return shelve_alert(
                alert=alert,
                actor=self.key(request),
                until=asked.until,
                comment=asked.comment,
                now=timezone.now(),
            )

        return self.handled(request, user_id, alert_id, act)


class OverrideView(HandlingView):
    event = EventKind.OVERRIDDEN

    @extend_schema(
        operation_id="override_alert", request=OverrideIn, responses={200: AlertOut, **WITH_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Say that an alert does not apply, and why.

        It opens again when its severity rises or what it rests on says something else. Where a fact
        is wrong, post one that corrects it as well.
        """

        def act(alert: Alert) -> object:
            asked = validated(OverrideIn, request.data)
            return override_alert(
                alert=alert,
                actor=self.key(request),
                reason=asked.reason,
                comment=asked.comment,
                now=timezone.now(),
            )

        return self.handled(request, user_id, alert_id, act)


class ReopenView(HandlingView):
    event = EventKind.REOPENED

    @extend_schema(operation_id="reopen_alert", request=None, responses={200: AlertOut, **NO_BODY})
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Take back an acknowledgement, a shelving or an override: the alert is open again."""
        return self.reopened(request, user_id, alert_id)

    def reopened(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """The alert, open again, if it stands where this may be asked."""
        act = partial(reopen_alert, actor=self.key(request), now=timezone.now(), standing=self.only)
        return self.handled(request, user_id, alert_id, lambda alert: act(alert=alert))


class UnshelveView(ReopenView):
    only = (Status.SHELVED,)

    @extend_schema(
        operation_id="unshelve_alert", request=None, responses={200: AlertOut, **NO_BODY}
    )
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Take an alert from the shelf before its time: it is open again."""
        return self.reopened(request, user_id, alert_id)


class ResolveView(HandlingView):
    event = EventKind.RESOLVED

    @extend_schema(operation_id="resolve_alert", request=None, responses={200: AlertOut, **NO_BODY})
    def post(self, request: Request, user_id: UUID, alert_id: int) -> Response:
        """Say that somebody has seen that the cause of a cleared alert is gone.

        One whose cause holds is resolved by nobody: override or shelve it, or correct the facts.
        """
        act = partial(resolve_alert, actor=self.key(request), now=timezone.now())
        return self.handled(request, user_id, alert_id, lambda alert: act(alert=alert))


def _span(longest: timedelta) -> str:
    hours = round(longest.total_seconds() / 3_600)
    return f"{hours} hours" if hours <= HOURS_A_DAY else f"{hours // HOURS_A_DAY} days"
