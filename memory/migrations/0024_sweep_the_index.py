"""The queue's timetable: every five minutes people are looked for of whom much is not indexed."""

from django.db import migrations

NAME = "index what was said"
FUNCTION = "memory.retrieval.tasks.sweep_index"


def add(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME,
        defaults={"func": FUNCTION, "schedule_type": "I", "minutes": 5, "repeats": -1},
    )


def remove(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0023_word_index"),
        ("django_q", "0018_task_success_index"),
    ]
    operations = [migrations.RunPython(add, remove)]
