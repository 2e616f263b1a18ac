"""Take due deliveries, and record what came of them: each by one worker at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from alerts.delivery.answered import Answered
from alerts.delivery.backoff import wait_after
from alerts.models import Channel, Delivery, DeliveryStatus
from memory.project.chain import moment

LEASE = timedelta(seconds=60)
"""How long an attempt may take; a worker that is lost leaves it due after this."""
LOOKED_AT = 2  # due ones looked at for each that is taken: another worker may have been quicker


@transaction.atomic
def claim(
    *,
    channel: Channel,
    most: int,
    now: datetime,
    lease: timedelta = LEASE,
    staff: int | None = None,
) -> list[Delivery]:
    """Take due deliveries for an attempt; of each webhook one, so that none holds up the others.

    With `staff` only what is for that one. Each counts its attempt, and is due again when the lease
    is over.
    """
    due = Delivery.objects.due(now).filter(channel=channel)
    if staff is not None:
        due = due.filter(staff=staff)
    if channel == Channel.WEBHOOK:
        due = due.one_of_each_webhook()
    looked_at = list(due.values_list("pk", flat=True)[: most * LOOKED_AT])
    found = Delivery.objects.due(now).filter(pk__in=looked_at)
    found = found.select_related("webhook__key", "staff", "event__alert")
    taken: list[Delivery] = []
    for delivery in found:
        if len(taken) < most and _take(delivery, now + lease):
            taken.append(delivery)
    return taken


def _take(delivery: Delivery, lease: datetime) -> bool:
    due = Delivery.objects.filter(
        pk=delivery.pk, status=DeliveryStatus.WAITING, next_at=delivery.next_at
    )
    won = due.update(next_at=lease, attempts=delivery.attempts + 1)
    delivery.next_at, delivery.attempts = lease, delivery.attempts + 1
    return bool(won)


def record(
    delivery: Delivery, answered: Answered, *, now: datetime, random: Callable[[], float]
) -> bool:
    """Keep what came of an attempt; False where its lease was over and another one runs."""
    entry = {
        "at": moment(now),
        "ms": round(1_000 * answered.seconds),
        "status": answered.status,
        "error": answered.error,
    }
    outcome: dict[str, Any] = {
        "log": [*delivery.log, entry],
        "http_status": answered.status,
        "error": answered.error,
    }
    if answered.ok:
        outcome |= {"status": DeliveryStatus.DELIVERED, "ended_at": now}
    else:
        wait = wait_after(delivery.attempts, random=random, asked=answered.retry_after)
        if wait is None or answered.gone:
            outcome |= {"status": DeliveryStatus.FAILED, "ended_at": now}
        else:
            outcome |= {"next_at": now + wait}
    return bool(_held(delivery).update(**outcome))


def drop(deliveries: Sequence[Delivery], why: str, *, now: datetime) -> None:
    """End deliveries that are not for their address any more."""
    for delivery in deliveries:
        _held(delivery).update(status=DeliveryStatus.DROPPED, ended_at=now, error=why)


def _held(delivery: Delivery) -> Any:
    """The delivery, as long as the attempt at hand is the one that holds it."""
    return Delivery.objects.filter(
        pk=delivery.pk, status=DeliveryStatus.WAITING, next_at=delivery.next_at
    )
