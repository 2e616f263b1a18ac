"""The only way from an app's key and an id to a webhook or a delivery."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from alerts.delivery.reach import MOST_ROTATIONS
from alerts.models import Delivery, DeliveryQuerySet, Webhook, WebhookQuerySet
from memory.access import NotFound, memory_users
from memory.models import AppKey
from memory.rights import Right


def own_webhooks(key: AppKey) -> WebhookQuerySet:
    """Those that were made with this key, or with one that it was made in place of."""
    return Webhook.objects.filter(key__in=_lineage(key))


def own_webhook(key: AppKey, webhook_id: UUID) -> Webhook:
    """One of them. Raises NotFound."""
    found = own_webhooks(key).select_related("key").filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def own_deliveries(key: AppKey, webhook: Webhook) -> DeliveryQuerySet:
    """The deliveries of a webhook of its own, about people whose alerts the key may see."""
    reached = memory_users(key, Right.ALERTS_READ)
    return Delivery.objects.filter(Q(user=None) | Q(user__in=reached), webhook=webhook)


def own_delivery(key: AppKey, webhook: Webhook, delivery_id: UUID) -> Delivery:
    """One of them. Raises NotFound."""
    found = own_deliveries(key, webhook).select_related("webhook").filter(pk=delivery_id).first()
    if found is None:
        raise NotFound
    return found


def _lineage(key: AppKey) -> list[UUID]:
    """The key, and those before it."""
    found, before = [key.pk], key.replaces_id
    while before is not None and len(found) < MOST_ROTATIONS:
        found.append(before)
        before = AppKey.objects.values_list("replaces", flat=True).get(pk=before)
    return found
