"""Send what is due: several webhooks at the same time, since each may be slow."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from django.conf import settings

from alerts.delivery.answered import Answered
from alerts.delivery.claims import claim, drop, record
from alerts.delivery.door import SECONDS, post
from alerts.delivery.mail import send_mails
from alerts.delivery.reach import in_reach
from alerts.delivery.signing import headers_of
from alerts.delivery.targets import look_up
from alerts.delivery.webhooks import end_gone
from alerts.models import Channel, Delivery

logger = logging.getLogger(__name__)

AT_ONCE = 8
Clock = Callable[[], datetime]


def send_due(*, clock: Clock, ends: float) -> None:
    """Try everything that is due, until nothing is or `ends` (of `time.monotonic`) is near.

    A mail server that does not answer takes no more than half of the time.
    """
    send_mails(clock=clock, ends=(time.monotonic() + ends) / 2)
    while time.monotonic() + SECONDS < ends:
        batch = claim(channel=Channel.WEBHOOK, most=AT_ONCE, now=clock())
        if not batch:
            return
        _send(batch, clock)


def _send(batch: Sequence[Delivery], clock: Clock) -> None:
    """Send these; the threads do nothing but HTTP, the database is this one's."""
    now = clock()
    allowed = [one for one in batch if _may_have(one, now)]
    drop([one for one in batch if one not in allowed], "not_in_reach", now=now)
    if not allowed:
        return
    with ThreadPoolExecutor(max_workers=len(allowed)) as pool:
        answers = list(pool.map(_exchange, allowed, [now] * len(allowed)))
    for delivery, answered in zip(allowed, answers, strict=True):
        record(delivery, answered, now=clock(), random=random.random)
        if answered.gone and delivery.webhook is not None:
            end_gone(webhook=delivery.webhook, now=clock())


def _may_have(delivery: Delivery, now: datetime) -> bool:
    webhook = delivery.webhook
    assert webhook is not None
    if webhook.ended_at is not None:
        return False
    return delivery.user_id is None or bool(in_reach(webhook, [delivery.user_id], now))


def _exchange(delivery: Delivery, now: datetime) -> Answered:
    webhook = delivery.webhook
    assert webhook is not None
    body = delivery.body.encode()
    headers = headers_of(
        webhook.pk,
        webhook.secret_numbers(now),
        delivery_id=delivery.pk,
        timestamp=int(now.timestamp()),
        body=body,
    )
    private = settings.WEBHOOK_PRIVATE_TARGETS
    try:
        return post(webhook.url, body, headers, look_up=look_up(private=private))
    except Exception:
        # A fault of ours with one address must not keep the others from being told
        logger.exception("delivery %s could not be tried", delivery.pk)
        return Answered(error="fault_of_ours")
