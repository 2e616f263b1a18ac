"""What was approved stays as it was: the database refuses to update or delete code."""

from django.db import migrations

from memory.migrations._append_only import append_only

KEYS = {
    "blob": ("digest",),
    "tree": ("digest",),
    "baseline": ("number",),
    "codeversion": ("user_id", "number"),
}


class Migration(migrations.Migration):
    dependencies = [("memory", "0003_code_and_proposals")]
    operations = [append_only(f"memory_{table}", key) for table, key in KEYS.items()]
