"""What others are told: what waits, for how long, and what failed; alerts that nobody answers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Min, Q

from alerts.models import STANDING, Alert, Delivery, DeliveryStatus, Origin
from uac_site.operations.figures.queue import seconds_since

LATELY = timedelta(hours=24)


@dataclass(frozen=True)
class DeliveryFigures:
    """`seconds` since the oldest that waits was made; `failed` in the last 24 hours."""

    waiting: int
    failed: int
    seconds: float
    unanswered: int


def delivery_figures(now: datetime) -> DeliveryFigures:
    """The outbox at a moment; three queries."""
    waiting = Delivery.objects.filter(status=DeliveryStatus.WAITING)
    found = waiting.aggregate(count=Count("pk"), oldest=Min("created_at"))
    since = Q(created_at__gte=now - LATELY)
    failed = Delivery.objects.filter(since, status=DeliveryStatus.FAILED).count()
    unanswered = Alert.objects.filter(origin=Origin.UNANSWERED, status__in=STANDING).count()
    return DeliveryFigures(found["count"], failed, seconds_since(found["oldest"], now), unanswered)
