"""The only way from somebody and an id to an alert; `memory.access` decides over people."""

from __future__ import annotations

from django.db.models import QuerySet

from alerts.models import Alert
from memory.access import NotFound, Somebody, memory_users


def alerts(somebody: Somebody) -> QuerySet[Alert]:
    """The alerts of the people somebody may see."""
    return Alert.objects.filter(user__in=memory_users(somebody))


def alert(somebody: Somebody, alert_id: int) -> Alert:
    """One alert with its person. Raises NotFound."""
    found = alerts(somebody).select_related("user").filter(pk=alert_id).first()
    if found is None:
        raise NotFound
    return found
