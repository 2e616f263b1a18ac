"""Alerts, their lives, who is told of them, and how far each person has been evaluated."""

from __future__ import annotations

from alerts.models.alert import (
    ACTIVE,
    CURRENT,
    EARLY,
    ORDINARY,
    PAST,
    RULED,
    STANDING,
    Alert,
    AlertQuerySet,
    Origin,
    Severity,
    Status,
)
from alerts.models.delivery import (
    Channel,
    Delivery,
    DeliveryCursor,
    DeliveryQuerySet,
    DeliveryStatus,
)
from alerts.models.escalation import Escalation, EscalationPolicy, EscalationStep, Told
from alerts.models.event import (
    EVENT_LOCK,
    AlertEvent,
    AlertEventQuerySet,
    EventKind,
    OverrideReason,
)
from alerts.models.watermark import Watermark
from alerts.models.webhook import OVERLAP, Webhook, WebhookQuerySet

__all__ = [
    "ACTIVE",
    "CURRENT",
    "EARLY",
    "EVENT_LOCK",
    "ORDINARY",
    "OVERLAP",
    "PAST",
    "RULED",
    "STANDING",
    "Alert",
    "AlertEvent",
    "AlertEventQuerySet",
    "AlertQuerySet",
    "Channel",
    "Delivery",
    "DeliveryCursor",
    "DeliveryQuerySet",
    "DeliveryStatus",
    "Escalation",
    "EscalationPolicy",
    "EscalationStep",
    "EventKind",
    "Origin",
    "OverrideReason",
    "Severity",
    "Status",
    "Told",
    "Watermark",
    "Webhook",
    "WebhookQuerySet",
]
