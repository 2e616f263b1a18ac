"""Alerts that were there before: since when they stand, how often they came, who took them."""

from datetime import timedelta

from django.db import migrations
from django.db.models import F
from django.utils import timezone

# An acknowledgement of before counts from now on, as long as one of its severity lasts
HOURS = {"critical": 8, "warning": 72, "info": 336}
ORDINARY = ("finding", "failure")
BATCH = 1_000


def carry_over(apps, schema_editor):
    alerts = apps.get_model("alerts", "Alert")._base_manager
    alerts.update(first_opened_at=F("opened_at"), status_at=F("changed_at"))
    give_owners(apps, alerts)
    count_recurrences(alerts)


def give_owners(apps, alerts):
    events = apps.get_model("alerts", "AlertEvent").objects
    now = timezone.now()
    taken = alerts.filter(status="acknowledged", origin__in=ORDINARY).order_by("pk")
    for alert in taken.iterator(chunk_size=BATCH):
        event = events.filter(alert_id=alert.pk, kind="acknowledged").order_by("-pk").first()
        alerts.filter(pk=alert.pk).update(
            owner_id=event.actor_id if event else None,
            until=now + timedelta(hours=HOURS[alert.severity]),
        )


def count_recurrences(alerts):
    """Each alert counts those of its kind before it."""
    known = {}
    again = []
    rows = alerts.filter(origin__in=ORDINARY).order_by("user_id", "dedupe_key", "pk")
    for alert in rows.only("user_id", "dedupe_key", "opened_at").iterator(chunk_size=BATCH):
        key = (alert.user_id, alert.dedupe_key)
        count, first = known.get(key, (0, alert.opened_at))
        known = {key: (count + 1, first)}  # in order, so that one is enough
        if count:
            alert.recurrences, alert.first_opened_at = count, first
            again.append(alert)
    alerts.bulk_update(again, ["recurrences", "first_opened_at"], batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [("alerts", "0008_life_cycle")]
    operations = [migrations.RunPython(carry_over, migrations.RunPython.noop)]
