"""`webhooks`: an app subscribes to alert events of its users, and looks at what was delivered."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, cast
from uuid import UUID

import pydantic
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.delivery.own import own_deliveries, own_delivery, own_webhook, own_webhooks
from alerts.delivery.signing import key_id
from alerts.delivery.targets import BadTarget
from alerts.delivery.webhooks import (
    USUAL,
    Ended,
    StillWaiting,
    TooMany,
    Wishes,
    end_webhook,
    replay,
    rotate_secret,
    send_test,
    subscribe,
)
from alerts.models import Delivery, DeliveryStatus, EventKind, Severity, Webhook
from memory.api.base import READ_REFUSALS, REFUSALS, Page, UserView, refusals, validated
from memory.api.fields import MAX_PAGE, Strict
from memory.api.problems import Problem, entry, refusal
from memory.rights import Right

Kind = Literal[
    "opened", "recurred", "changed", "reopened", "acknowledged", "shelved", "overridden",
    "expired", "resolved", "superseded", "cleared",
]  # fmt: skip
MOST_PEOPLE = 1_000
NO_BODY = refusals(401, 403, 404, 409, 429)


class WebhookIn(Strict):
    """Where to send what. Without `user_ids` it is told of everybody in the key's reach."""

    url: Annotated[str, pydantic.Field(max_length=500, description="https://…, a public address.")]
    kinds: Annotated[
        list[Kind], pydantic.Field(min_length=1, max_length=20, description="Kinds of events.")
    ] = [cast(Kind, kind.value) for kind in USUAL]
    least: Annotated[
        Literal["critical", "warning", "info"],
        pydantic.Field(description="This severity and what is graver."),
    ] = "info"
    summary: Annotated[
        bool, pydantic.Field(description="The body says what the alert says; else ids alone.")
    ] = False
    user_ids: Annotated[list[UUID], pydantic.Field(max_length=MOST_PEOPLE)] = []


class WebhookOut(Strict):
    """A subscription. `signing_key` names the secret that signs, as `UAC-Signature` does."""

    id: UUID
    url: str
    kinds: list[str]
    least: Literal["critical", "warning", "info"]
    summary: bool
    user_ids: list[UUID]
    signing_key: str
    created_at: datetime
    rotated_at: datetime | None
    ended_at: datetime | None
    ended_why: str


class NewWebhookOut(WebhookOut):
    """The same with its secret, which is shown only now."""

    secret: str


class WebhookList(Strict):
    items: list[WebhookOut]


class AttemptOut(Strict):
    """One attempt: milliseconds, and the status that was answered or what went wrong."""

    at: datetime
    ms: int
    status: int | None
    error: str


class DeliveryOut(Strict):
    """One event on its way; without `event_id` it is a test. `log` has each attempt."""

    id: UUID
    event_id: int | None
    user_id: UUID | None
    status: Literal["waiting", "delivered", "failed", "dropped"]
    attempts: int
    created_at: datetime
    next_at: datetime | None
    ended_at: datetime | None
    http_status: int | None
    error: str
    log: list[AttemptOut]
    replay_of: UUID | None


class DeliveryPage(Strict):
    items: list[DeliveryOut]
    next: str | None


def webhook_json(webhook: Webhook) -> dict[str, Any]:
    """A subscription as the API shows it."""
    return {
        "id": webhook.pk,
        "url": webhook.url,
        "kinds": webhook.kinds,
        "least": webhook.least,
        "summary": webhook.tells_summary,
        "user_ids": sorted((one.pk for one in webhook.people.all()), key=str),
        "signing_key": key_id(webhook.secret_number),
        "created_at": webhook.created_at,
        "rotated_at": webhook.rotated_at,
        "ended_at": webhook.ended_at,
        "ended_why": webhook.ended_why,
    }


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    """A delivery as the API shows it."""
    stored = DeliveryOut.model_fields.keys() - {"next_at", "replay_of"}
    shown: dict[str, Any] = {name: getattr(delivery, name) for name in stored}
    waits = delivery.status == DeliveryStatus.WAITING
    return {
        **shown,
        "next_at": delivery.next_at if waits else None,
        "replay_of": delivery.replay_of_id,
    }


class WebhooksView(UserView):
    rights = {"GET": Right.WEBHOOKS, "POST": Right.WEBHOOKS}

    @extend_schema(operation_id="list_webhooks", responses={200: WebhookList, **READ_REFUSALS})
    def get(self, request: Request) -> Response:
        """The webhooks of this key, and of those it was made in place of; the newest first."""
        rows = own_webhooks(self.key(request)).prefetch_related("people").order_by("-created_at")
        return Response({"items": [webhook_json(row) for row in rows[:MAX_PAGE]]})

    @extend_schema(
        operation_id="create_webhook",
        request=WebhookIn,
        responses={201: NewWebhookOut, **REFUSALS, **refusals(409)},
    )
    def post(self, request: Request) -> Response:
        """Subscribe to alert events; the secret that signs them is shown once.

        Takes the scope `alerts:read` as well. What is sent is decided anew each time: the key, or
        one made in its place, must still open the door and reach the person.
        """
        body = validated(WebhookIn, request.data)
        wishes = Wishes(
            url=body.url,
            kinds=[EventKind(kind) for kind in body.kinds],
            least=Severity(body.least),
            tells_summary=body.summary,
            people=body.user_ids,
        )
        try:
            made, secret = subscribe(key=self.key(request), wishes=wishes, now=timezone.now())
        except BadTarget as error:
            raise refusal([entry(["url"], f"url: {error}")]) from error
        except TooMany as error:
            detail = f"A key has at most {error} webhooks; end one."
            raise Problem(409, "Too many webhooks", detail) from error
        return Response({**webhook_json(made), "secret": secret}, status=201)


class WebhookView(UserView):
    rights = {"GET": Right.WEBHOOKS}

    @extend_schema(operation_id="get_webhook", responses={200: WebhookOut, **READ_REFUSALS})
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """A webhook."""
        return Response(webhook_json(own_webhook(self.key(request), webhook_id)))


class RotateWebhookView(UserView):
    rights = {"POST": Right.WEBHOOKS}

    @extend_schema(
        operation_id="rotate_webhook", request=None, responses={200: NewWebhookOut, **NO_BODY}
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """A new secret, shown once. For two days both sign: a receiver takes either."""
        webhook = own_webhook(self.key(request), webhook_id)
        try:
            made, secret = rotate_secret(
                webhook=webhook, actor=self.key(request), now=timezone.now()
            )
        except Ended as error:
            raise _ended() from error
        return Response({**webhook_json(made), "secret": secret})


class EndWebhookView(UserView):
    rights = {"POST": Right.WEBHOOKS}

    @extend_schema(operation_id="end_webhook", request=None, responses={200: WebhookOut, **NO_BODY})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send nothing more to it, not even what waits. Ended once, ended for good."""
        webhook = own_webhook(self.key(request), webhook_id)
        end_webhook(webhook=webhook, actor=self.key(request), now=timezone.now())
        webhook.refresh_from_db()
        return Response(webhook_json(webhook))


class TestWebhookView(UserView):
    rights = {"POST": Right.WEBHOOKS}

    @extend_schema(
        operation_id="test_webhook", request=None, responses={202: DeliveryOut, **NO_BODY}
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send it something about nobody, signed as everything is; see its deliveries."""
        webhook = own_webhook(self.key(request), webhook_id)
        try:
            made = send_test(webhook=webhook, actor=self.key(request), now=timezone.now())
        except Ended as error:
            raise _ended() from error
        return Response(delivery_json(made), status=202)


class DeliveriesView(UserView):
    rights = {"GET": Right.WEBHOOKS}

    @extend_schema(
        operation_id="list_deliveries",
        parameters=[
            OpenApiParameter("cursor", UUID, description="The delivery after which to go on."),
            OpenApiParameter("limit", int, description=f"1 to {MAX_PAGE}; 50 unless told."),
            OpenApiParameter("status", str, enum=DeliveryStatus.values),
        ],
        responses={200: DeliveryPage, **READ_REFUSALS},
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """What was and is to be sent to it, the newest first, with every attempt; for 90 days."""
        webhook = own_webhook(self.key(request), webhook_id)
        rows = own_deliveries(self.key(request), webhook)
        status = request.query_params.get("status")
        if status is not None and status not in DeliveryStatus.values:
            detail = f"status is one of: {', '.join(DeliveryStatus.values)}."
            raise Problem(400, "Bad query", detail)
        found = rows.filter(status=status) if status else rows
        cursor, limit = request.query_params.get("cursor"), Page.limit_of(request)
        if cursor is not None:
            try:
                # Its own status may be another by now
                found = found.older_than(rows.get(pk=UUID(cursor)))
            except (ValueError, Delivery.DoesNotExist) as error:
                detail = "cursor is the id of one of these deliveries."
                raise Problem(400, "Bad query", detail) from error
        shown = list(found.order_by("-created_at", "-pk")[:limit])
        following = Page.link(request, str(shown[-1].pk)) if len(shown) == limit else None
        return Response({"items": [delivery_json(one) for one in shown], "next": following})


class ReplayView(UserView):
    rights = {"POST": Right.WEBHOOKS}

    @extend_schema(
        operation_id="replay_delivery", request=None, responses={202: DeliveryOut, **NO_BODY}
    )
    def post(self, request: Request, webhook_id: UUID, delivery_id: UUID) -> Response:
        """Send what was sent once more, word for word, as a delivery of its own."""
        webhook = own_webhook(self.key(request), webhook_id)
        delivery = own_delivery(self.key(request), webhook, delivery_id)
        try:
            made = replay(delivery=delivery, actor=self.key(request), now=timezone.now())
        except Ended as error:
            raise _ended() from error
        except StillWaiting as error:
            detail = "It waits, and is tried again by itself."
            raise Problem(409, "Not in this state", detail) from error
        return Response(delivery_json(made), status=202)


def _ended() -> Problem:
    return Problem(409, "The webhook has ended", "Make a new one.")
