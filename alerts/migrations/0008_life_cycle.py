"""What an alert's life needs: owner, until when, since when it stands so, and how often it came."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("alerts", "0007_what_becomes_of_concerns"),
        ("memory", "0016_foresight"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="alert",
            name="first_opened_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="alert",
            name="status_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="alert",
            name="owner",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="alert",
            name="until",
            field=models.DateTimeField(help_text="When it opens again by itself.", null=True),
        ),
        migrations.AddField(
            model_name="alert",
            name="recurrences",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="alertevent",
            name="app",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="memory.app",
            ),
        ),
        migrations.AddField(
            model_name="alertevent",
            name="until",
            field=models.DateTimeField(
                help_text="When what was done ends by itself.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="alert",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("acknowledged", "Acknowledged"),
                    ("shelved", "Shelved"),
                    ("overridden", "Overridden"),
                    ("cleared", "cleared, not acknowledged"),
                    ("resolved", "Resolved"),
                    ("superseded", "Superseded"),
                ],
                default="open",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="alertevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("opened", "Opened"),
                    (
                        "recurred",
                        "recurred: its cause came back before anybody had acknowledged it",
                    ),
                    ("changed", "Changed"),
                    ("reopened", "reopened: it asks for attention again"),
                    ("acknowledged", "Acknowledged"),
                    ("shelved", "Shelved"),
                    ("overridden", "Overridden"),
                    (
                        "expired",
                        "expired: what was acknowledged or shelved until then opens again",
                    ),
                    ("resolved", "resolved: somebody has seen that its cause is gone"),
                    ("superseded", "superseded: newer code says it otherwise, or not at all"),
                    ("dismissed", "dismissed: a concern that a person judges not to apply"),
                    ("sent", "sent: a person asked for a rule about a concern"),
                    ("cleared", "Cleared"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="alertevent",
            name="said_by",
            field=models.ForeignKey(
                help_text="The alert that says what this one said, where it gave way to that.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="alerts.alert",
            ),
        ),
    ]
