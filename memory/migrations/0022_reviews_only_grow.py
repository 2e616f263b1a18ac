"""What a reviewer said stays as it was said: it goes with its person alone."""

from django.db import migrations

from memory.migrations._append_only import append_only
from memory.migrations._erasable import may_go

TABLES = ("memory_approval", "memory_linecomment", "memory_commentresolution")


class Migration(migrations.Migration):
    dependencies = [("memory", "0021_review_by_hand")]
    operations = [
        *(append_only(table, ("id",)) for table in TABLES),
        *(may_go(table) for table in TABLES),
    ]
