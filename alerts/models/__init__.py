"""Alerts, the events of their lives, and how far each person has been evaluated."""

from __future__ import annotations

from alerts.models.alert import (
    ACTIVE,
    EARLY,
    ORDINARY,
    Alert,
    AlertQuerySet,
    Origin,
    Severity,
    Status,
)
from alerts.models.event import (
    EVENT_LOCK,
    AlertEvent,
    AlertEventQuerySet,
    EventKind,
    OverrideReason,
)
from alerts.models.watermark import Watermark

__all__ = [
    "ACTIVE",
    "EARLY",
    "EVENT_LOCK",
    "ORDINARY",
    "Alert",
    "AlertEvent",
    "AlertEventQuerySet",
    "AlertQuerySet",
    "EventKind",
    "Origin",
    "OverrideReason",
    "Severity",
    "Status",
    "Watermark",
]
