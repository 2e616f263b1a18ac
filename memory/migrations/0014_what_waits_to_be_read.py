"""What was posted before there was a reader waits for it too; every five minutes it is looked for."""

from django.db import migrations

NAME = "read what waits"
FUNCTION = "memory.tasks.sweep_unread"
PRESENT = "EXISTS (SELECT 1 FROM memory_memoryuser p WHERE p.id = said.user_id AND p.erased_at IS NULL)"
MESSAGES = f"""INSERT INTO memory_toread (user_id, stream, seq)
    SELECT said.user_id, 'message', said.seq FROM memory_message said WHERE {PRESENT}"""
FACTS = f"""INSERT INTO memory_toread (user_id, stream, seq)
    SELECT said.user_id, 'fact', said.seq FROM memory_fact said WHERE {PRESENT} AND NOT EXISTS (
        SELECT 1 FROM memory_reading r JOIN memory_readingbody b
            ON b.user_id = r.user_id AND b.seq = r.seq
        WHERE r.user_id = said.user_id AND r.fact_seq = said.seq
            AND b.canonical LIKE '%"origin":"app"%')"""


def fill(apps, schema_editor):
    for statement in (MESSAGES, FACTS):
        schema_editor.execute(statement, None)
    apps.get_model("django_q", "Schedule").objects.update_or_create(
        name=NAME,
        defaults={"func": FUNCTION, "schedule_type": "I", "minutes": 5, "repeats": -1},
    )


def remove(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0013_reading_by_a_model"),
        ("django_q", "0018_task_success_index"),
    ]
    operations = [migrations.RunPython(fill, remove)]
