"""The only way from somebody and an id to an alert; `memory.access` decides over people."""

from __future__ import annotations

from alerts.models import Alert, AlertEvent, AlertEventQuerySet, AlertQuerySet
from memory import audit
from memory.access import NotFound, Somebody, memory_users
from memory.rights import Right


def alerts(somebody: Somebody, right: Right = Right.ALERTS_READ) -> AlertQuerySet:
    """The alerts of the people to whom somebody has the right."""
    return Alert.objects.filter(user__in=memory_users(somebody, right))


def alert(somebody: Somebody, alert_id: int, right: Right = Right.ALERTS_READ) -> Alert:
    """One alert with its person. Raises NotFound."""
    found = alerts(somebody, right).select_related("user").filter(pk=alert_id).first()
    if found is None:
        raise NotFound
    audit.saw(found.user_id)
    return found


def events(somebody: Somebody) -> AlertEventQuerySet:
    """What happened to the alerts that somebody may see."""
    return AlertEvent.objects.filter(user__in=memory_users(somebody, Right.ALERTS_READ))


def last_event_id(somebody: Somebody) -> int:
    """The id of the newest event that somebody may see, 0 where there is none."""
    return events(somebody).order_by("-pk").values_list("pk", flat=True).first() or 0
