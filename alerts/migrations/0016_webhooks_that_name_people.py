"""The webhooks that name people are narrowed to them."""

from django.db import migrations


def narrow(apps, schema_editor):
    named = apps.get_model("alerts", "Webhook").people.through.objects.values("webhook")
    apps.get_model("alerts", "Webhook").objects.filter(pk__in=named).update(narrowed=True)


class Migration(migrations.Migration):
    dependencies = [("alerts", "0015_narrowed_webhooks")]
    operations = [migrations.RunPython(narrow, migrations.RunPython.noop)]
