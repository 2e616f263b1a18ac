"""What becomes of a concern: dismissed, sent on, or said by a rule."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0006_early_words")]

    operations = [
        migrations.AddField(
            model_name="alert",
            name="facts",
            field=models.JSONField(
                null=True,
                help_text="The seq of each fact that a concern's message was read as.",
            ),
        ),
        migrations.AddField(
            model_name="alertevent",
            name="said_by",
            field=models.ForeignKey(
                help_text="The alert that says what a concern said, where it was cleared for that.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="alerts.alert",
            ),
        ),
        migrations.AlterField(
            model_name="alertevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("opened", "Opened"),
                    ("changed", "Changed"),
                    ("acknowledged", "Acknowledged"),
                    ("overridden", "Overridden"),
                    ("dismissed", "dismissed: a concern that a person judges not to apply"),
                    ("sent", "sent: a person asked for a rule about a concern"),
                    ("cleared", "Cleared"),
                ],
                max_length=12,
            ),
        ),
    ]
