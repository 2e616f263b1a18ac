"""The queue's timetable: every minute some of those who are not on the baseline in force."""

from django.db import migrations

NAME = "sweep upgrades"
FUNCTION = "memory.upgrades.sweep_upgrades"


def add(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME,
        defaults={"func": FUNCTION, "schedule_type": "I", "minutes": 1, "repeats": -1},
    )


def remove(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0004_code_is_append_only"),
        ("django_q", "0018_task_success_index"),
    ]
    operations = [migrations.RunPython(add, remove)]
