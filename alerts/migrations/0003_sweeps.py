"""The queue's timetable: the sweep every minute, new days every quarter of an hour."""

from django.db import migrations

SCHEDULES = (
    ("sweep", "alerts.tasks.sweep", 1),
    ("sweep dates", "alerts.tasks.sweep_dates", 15),
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
    dependencies = [("alerts", "0002_append_only"), ("django_q", "0018_task_success_index")]
    operations = [migrations.RunPython(add, remove)]
