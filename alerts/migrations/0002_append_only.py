"""The history of alerts only grows."""

from django.db import migrations

from memory.migrations._append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("alerts", "0001_initial"), ("memory", "0002_append_only")]
    operations = [append_only("alerts_alertevent", ("id",))]
