"""The events of somebody's alerts go with an erasure of that person, and no other way."""

from django.db import migrations

from memory.migrations._erasable import may_go


class Migration(migrations.Migration):
    dependencies = [
        ("alerts", "0004_watermark_on_ground"),
        ("memory", "0008_audit_only_grows"),
    ]
    operations = [may_go("alerts_alertevent")]
