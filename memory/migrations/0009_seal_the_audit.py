"""The queue's timetable: every minute the new events of the audit are sealed."""

from django.db import migrations

SCHEDULES = (
    ("seal the audit", "memory.sealing.seal_new_events", 1),
    ("drop old events of the audit", "memory.sealing.drop_old_events", 24 * 60),
)


def add(apps, schema_editor):
    schedule = apps.get_model("django_q", "Schedule")
    for name, function, minutes in SCHEDULES:
        schedule.objects.update_or_create(
            name=name,
            defaults={"func": function, "schedule_type": "I", "minutes": minutes, "repeats": -1},
        )


def remove(apps, schema_editor):
    names = [name for name, _, _ in SCHEDULES]
    apps.get_model("django_q", "Schedule").objects.filter(name__in=names).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0008_audit_only_grows"),
        ("django_q", "0018_task_success_index"),
    ]
    operations = [migrations.RunPython(add, remove)]
