"""The only way from somebody and an id to an alert; `memory.access` decides over people."""

from __future__ import annotations

from alerts.models import Alert, AlertEvent, AlertEventQuerySet, AlertQuerySet
from memory import audit
from memory.access import NotFound, Somebody, memory_users
from memory.rights import Right


def alerts(somebody: Somebody, right: Right = Right.ALERTS_READ) -> AlertQuerySet:
    """The alerts of the people to whom somebody has the right."""
    return Alert.objects.filter(user__in=memory_users(somebody, right))


def early_words(somebody: Somebody) -> AlertQuerySet:
    """Early words about the people whose alerts somebody may see; `alerts` has none of them."""
    return everything(somebody).early()


def everything(somebody: Somebody, right: Right = Right.ALERTS_READ) -> AlertQuerySet:
    """Alerts and early words, to be told apart by whoever asks."""
    return Alert.every.filter(user__in=memory_users(somebody, right))


def alert(somebody: Somebody, alert_id: int, right: Right = Right.ALERTS_READ) -> Alert:
    """One alert with its person. Raises NotFound."""
    return _one(alerts(somebody, right), alert_id)


def concerns(somebody: Somebody) -> AlertQuerySet:
    """The concerns that somebody may dismiss or send on."""
    return everything(somebody, Right.CONCERNS_DECIDE).concerns()


def concern(somebody: Somebody, alert_id: int) -> Alert:
    """One concern with its person, to be dismissed or sent on. Raises NotFound."""
    return _one(concerns(somebody), alert_id)


def alert_or_early_word(somebody: Somebody, alert_id: int) -> Alert:
    """Whichever of the two has this id, to be shown as what it is. Raises NotFound."""
    return _one(everything(somebody), alert_id)


def _one(those: AlertQuerySet, alert_id: int) -> Alert:
    found = those.select_related("user").filter(pk=alert_id).first()
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
