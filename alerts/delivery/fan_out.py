"""Make deliveries of events: the outbox is filled from the events themselves.

An event is written in the transaction of what happened, and events commit in the order of their
ids (`alerts.models.event`). Here they are read on from a cursor, and cursor and deliveries move in
one transaction: what was committed is told, whatever crashed in between, and nothing else is. The
transactions of posts and rules carry nothing for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import uuid4

from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.db.models import Max

from alerts.delivery.bodies import event_body
from alerts.delivery.reach import in_reach
from alerts.evaluation.engine import RANK
from alerts.models import (
    ORDINARY,
    AlertEvent,
    Channel,
    Delivery,
    DeliveryCursor,
    DeliveryStatus,
    EventKind,
    Webhook,
)

BATCH = 500


@transaction.atomic
def fan_out(*, now: datetime) -> int:
    """Make deliveries of the next events, for every webhook; how many events there were.

    Up to which event is read before who listens: a webhook that was there when something happened
    is told of it, however close together the two were.
    """
    DeliveryCursor.objects.get_or_create(pk=1)
    cursor = DeliveryCursor.objects.select_for_update().get(pk=1)
    newest = AlertEvent.objects.aggregate(last=Max("pk"))["last"] or 0
    if newest <= cursor.event_id:
        return 0
    webhooks = list(Webhook.objects.active().select_related("key"))
    if not webhooks:  # what happened so far is told to nobody
        _move(cursor, newest)
        return 0
    fresh = AlertEvent.objects.after(cursor.event_id).filter(pk__lte=newest)
    events = list(fresh.select_related("alert", "user")[:BATCH])
    for webhook in webhooks:
        Delivery.objects.bulk_create(_deliveries(webhook, events, now), ignore_conflicts=True)
    if events:
        _move(cursor, events[-1].pk)
    return len(events)


def _move(cursor: DeliveryCursor, event_id: int) -> None:
    DeliveryCursor.objects.filter(pk=cursor.pk).update(event_id=event_id)


def _deliveries(webhook: Webhook, events: Sequence[AlertEvent], now: datetime) -> list[Delivery]:
    wanted = [event for event in events if wants(webhook, event)]
    reached = in_reach(webhook, {event.user_id for event in wanted}, now) if wanted else set()
    return [delivery_of(webhook, event, now) for event in wanted if event.user_id in reached]


def wants(webhook: Webhook, event: AlertEvent) -> bool:
    """Whether a webhook asked for events such as this; steps of escalation have their own way."""
    return (
        event.pk > webhook.since_event
        and event.kind in webhook.kinds
        and event.kind != EventKind.ESCALATED
        and RANK[event.severity] <= RANK[webhook.least]
        and event.alert.origin in ORDINARY
    )


def delivery_of(
    webhook: Webhook, event: AlertEvent, now: datetime, *, minutes: int | None = None
) -> Delivery:
    """An event for a webhook, not stored yet. `minutes` are those of an escalation's step."""
    delivery = Delivery(
        id=uuid4(),
        event=event,
        user_id=event.user_id,
        channel=Channel.WEBHOOK,
        webhook=webhook,
        created_at=now,
        next_at=now,
    )
    delivery.body = event_body(
        event, delivery_id=delivery.pk, tells_summary=webhook.tells_summary, step=minutes
    )
    return delivery


def delivery_to(staff: Staff, event: AlertEvent, channel: Channel, now: datetime) -> Delivery:
    """An event for a member of staff, not stored yet.

    Open pages are handed it with the event: nothing is left to do.
    """
    handed = channel == Channel.BROWSER
    return Delivery(
        event=event,
        user_id=event.user_id,
        channel=channel,
        staff=staff,
        created_at=now,
        next_at=now,
        status=DeliveryStatus.DELIVERED if handed else DeliveryStatus.WAITING,
        ended_at=now if handed else None,
    )
