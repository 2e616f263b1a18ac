"""The log only grows: the database itself refuses to update or delete what was appended."""

from django.db import migrations

from memory.migrations._append_only import append_only

TABLES = ("message", "messagebody", "fact", "factbody", "reading", "readingbody")


class Migration(migrations.Migration):
    dependencies = [("memory", "0001_initial")]
    operations = [append_only(f"memory_{table}", ("user_id", "seq")) for table in TABLES]
