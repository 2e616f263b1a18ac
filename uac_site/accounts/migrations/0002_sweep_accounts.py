"""The queue's timetable: every day what is over is deleted."""

from django.db import migrations

NAME = "sweep accounts"
FUNCTION = "uac_site.accounts.tasks.sweep_accounts"


def add(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME, defaults={"func": FUNCTION, "schedule_type": "D", "repeats": -1}
    )


def remove(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_staff_sessions_and_second_factor"),
        ("django_q", "0018_task_success_index"),
    ]
    operations = [migrations.RunPython(add, remove)]
