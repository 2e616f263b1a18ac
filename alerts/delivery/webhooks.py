"""Make, rotate, test and end webhooks, and send again what was sent: each one verb, audited."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max

from alerts.delivery.bodies import trial_body
from alerts.delivery.own import own_webhooks
from alerts.delivery.signing import secret_of
from alerts.delivery.targets import checked_url
from alerts.delivery.wake import wake
from alerts.models import (
    AlertEvent,
    Channel,
    Delivery,
    DeliveryStatus,
    EventKind,
    Severity,
    Webhook,
)
from memory import access, audit
from memory.access import NotFound
from memory.actions.entitled import Administrator, check_entitled
from memory.models import AppKey, MemoryUser, Team
from memory.rights import Right

KINDS = tuple(
    kind
    for kind in EventKind
    if kind not in (EventKind.ESCALATED, EventKind.DISMISSED, EventKind.SENT)
)
"""What may be subscribed to: what happens to alerts; a step of escalation names its webhook."""
USUAL = (EventKind.OPENED, EventKind.RECURRED, EventKind.REOPENED, EventKind.CLEARED)
MOST_OF_AN_OWNER = 20


class TooMany(Exception):
    """A key or a team has as many webhooks as it may have."""


class Ended(Exception):
    """The webhook has been ended: make a new one."""


class StillWaiting(Exception):
    """The delivery waits and will be tried: nothing is there to be sent again."""


@dataclass(frozen=True)
class Wishes:
    """What a webhook is told of: kinds of events, severity, whom; `people` of none is all."""

    url: str
    kinds: Collection[EventKind]
    least: Severity
    tells_summary: bool = False
    people: Collection[UUID] = ()


@transaction.atomic
def subscribe(*, key: AppKey, wishes: Wishes, now: datetime) -> tuple[Webhook, str]:
    """A webhook of an app for the people of its key, and its secret, which is shown only now.

    Raises targets.BadTarget, TooMany, PermissionDenied without the scope to read alerts, and
    access.NotFound for people who are not in the key's reach.
    """
    if not (key.may(Right.WEBHOOKS) and key.may(Right.ALERTS_READ)):
        raise PermissionDenied
    reached = access.memory_users(key, Right.ALERTS_READ).filter(pk__in=wishes.people)
    if {*reached.values_list("pk", flat=True)} != {*wishes.people}:
        raise NotFound
    AppKey.objects.select_for_update().get(pk=key.pk)
    webhook = _create(wishes, now, key=key)
    audit.record("webhook.create", actor=key, now=now, of="webhook", object_id=webhook.pk)
    return webhook, secret_of(webhook.pk, webhook.secret_number)


@transaction.atomic
def add_team_webhook(
    *, team: Team, wishes: Wishes, actor: Administrator, now: datetime
) -> tuple[Webhook, str]:
    """A webhook of a team, for its people, and its secret. Raises targets.BadTarget, TooMany."""
    check_entitled(actor)
    Team.objects.select_for_update().get(pk=team.pk)
    webhook = _create(wishes, now, team=team)
    audit.record("webhook.create", actor=actor, now=now, of="webhook", object_id=webhook.pk)
    return webhook, secret_of(webhook.pk, webhook.secret_number)


def _create(
    wishes: Wishes, now: datetime, *, key: AppKey | None = None, team: Team | None = None
) -> Webhook:
    url = checked_url(wishes.url, private=settings.WEBHOOK_PRIVATE_TARGETS)
    own = Webhook.objects.filter(team=team) if key is None else own_webhooks(key)
    if own.active().count() >= MOST_OF_AN_OWNER:
        raise TooMany(MOST_OF_AN_OWNER)
    webhook = Webhook.objects.create(
        key=key,
        team=team,
        url=url,
        kinds=[kind.value for kind in KINDS if kind in wishes.kinds],
        least=wishes.least,
        tells_summary=wishes.tells_summary,
        narrowed=bool(wishes.people),
        since_event=AlertEvent.objects.aggregate(last=Max("pk"))["last"] or 0,
        created_at=now,
    )
    webhook.people.set(MemoryUser.objects.filter(pk__in=wishes.people))
    return webhook


@transaction.atomic
def rotate_secret(
    *, webhook: Webhook, actor: AppKey | Administrator, now: datetime
) -> tuple[Webhook, str]:
    """A new secret, shown only now; the one before signs beside it for two days. Raises Ended."""
    held = Webhook.objects.active().select_for_update(of=("self",)).filter(pk=webhook.pk).first()
    if held is None:
        raise Ended(webhook.pk)
    number = held.secret_number + 1
    Webhook.objects.filter(pk=webhook.pk).update(secret_number=number, rotated_at=now)
    webhook.refresh_from_db()
    audit.record("webhook.rotate", actor=actor, now=now, of="webhook", object_id=webhook.pk)
    return webhook, secret_of(webhook.pk, number)


@transaction.atomic
def end_webhook(*, webhook: Webhook, actor: AppKey | Administrator, now: datetime) -> bool:
    """Tell an address nothing more, not even what waits; False where it had ended."""
    if not _end(webhook, "ended", now):
        return False
    audit.record("webhook.end", actor=actor, now=now, of="webhook", object_id=webhook.pk)
    return True


@transaction.atomic
def end_gone(*, webhook: Webhook, now: datetime) -> bool:
    """End a webhook whose endpoint answered 410: it wants no more, ever."""
    if not _end(webhook, "gone", now):
        return False
    audit.record("webhook.gone", actor=None, now=now, of="webhook", object_id=webhook.pk)
    return True


def _end(webhook: Webhook, why: str, now: datetime) -> bool:
    active = Webhook.objects.active().filter(pk=webhook.pk)
    if not active.update(ended_at=now, ended_why=why):
        return False
    waiting = Delivery.objects.filter(webhook=webhook, status=DeliveryStatus.WAITING)
    waiting.update(status=DeliveryStatus.DROPPED, ended_at=now, error="webhook_ended")
    return True


@transaction.atomic
def send_test(*, webhook: Webhook, actor: AppKey | Administrator, now: datetime) -> Delivery:
    """Send something about nobody, to see whether it arrives. Raises Ended."""
    if webhook.ended_at is not None:
        raise Ended(webhook.pk)
    delivery = Delivery(
        id=uuid4(), channel=Channel.WEBHOOK, webhook=webhook, created_at=now, next_at=now
    )
    delivery.body = trial_body(delivery_id=delivery.pk, now=now)
    delivery.save(force_insert=True)
    audit.record("webhook.test", actor=actor, now=now, of="webhook", object_id=webhook.pk)
    transaction.on_commit(lambda: wake(now=now))
    return delivery


@transaction.atomic
def replay(*, delivery: Delivery, actor: AppKey | Administrator, now: datetime) -> Delivery:
    """Send what a webhook was sent once more, word for word. Raises Ended and StillWaiting."""
    if delivery.webhook is None or delivery.webhook.ended_at is not None:
        raise Ended(delivery.pk)
    if delivery.status == DeliveryStatus.WAITING:
        raise StillWaiting(delivery.pk)
    again = Delivery.objects.create(
        event_id=delivery.event_id,
        user_id=delivery.user_id,
        channel=Channel.WEBHOOK,
        webhook=delivery.webhook,
        body=delivery.body,
        created_at=now,
        next_at=now,
        replay_of_id=delivery.replay_of_id or delivery.pk,
    )
    audit.record(
        "delivery.replay",
        actor=actor,
        now=now,
        person=delivery.user_id,
        of="delivery",
        object_id=again.pk,
    )
    transaction.on_commit(lambda: wake(now=now))
    return again
