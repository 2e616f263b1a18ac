"""The last day to act on an alert, which its rule names."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0011_what_an_alert_was_found_in")]

    operations = [
        migrations.AddField(
            model_name="alert",
            name="due",
            field=models.DateField(help_text="The last day to act, where there is one.", null=True),
        ),
    ]
