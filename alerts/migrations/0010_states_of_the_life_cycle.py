"""The database holds alerts to the states of their lives: one current for each dedupe key."""

from django.db import migrations, models

CURRENT = ("open", "acknowledged", "shelved", "overridden", "cleared")
PAST = ("resolved", "superseded")


class Migration(migrations.Migration):
    dependencies = [("alerts", "0009_lives_so_far")]

    operations = [
        migrations.AlterField(
            model_name="alert",
            name="first_opened_at",
            field=models.DateTimeField(),
        ),
        migrations.AlterField(
            model_name="alert",
            name="status_at",
            field=models.DateTimeField(),
        ),
        migrations.RemoveConstraint(model_name="alert", name="alert_one_active"),
        migrations.RemoveConstraint(model_name="alert", name="alert_status_known"),
        migrations.AddIndex(
            model_name="alert",
            index=models.Index(
                condition=models.Q(("status__in", PAST)),
                fields=["user", "dedupe_key"],
                name="alert_past",
            ),
        ),
        migrations.AddIndex(
            model_name="alert",
            index=models.Index(
                condition=models.Q(("until__isnull", False)), fields=["until"], name="alert_until"
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status__in", CURRENT)),
                fields=("user", "dedupe_key"),
                name="alert_one_active",
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", [*CURRENT, *PAST])), name="alert_status_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="alert",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "shelved"), _negated=True),
                    ("until__isnull", False),
                    _connector="OR",
                ),
                name="alert_shelved_until",
            ),
        ),
    ]
