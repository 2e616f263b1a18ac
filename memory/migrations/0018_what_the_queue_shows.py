"""What the review queue sorts by and shows of a proposal, without reading its code."""

from django.db import migrations, models

from memory.migrations._renaming import renaming


class Migration(migrations.Migration):
    dependencies = [("memory", "0017_jobs_know_their_request")]

    operations = [
        renaming(checked=False),
        migrations.AddField(
            model_name="proposal",
            name="danger",
            field=models.PositiveSmallIntegerField(
                default=3, help_text="Rank of the gravest alert that its rules would raise now."
            ),
        ),
        migrations.AddField(
            model_name="proposal",
            name="outline",
            field=models.JSONField(
                default=dict,
                help_text='What a list shows: {"domains", "kinds", "rules"} as '
                '`memory.project.outline` has them, {"gained", "lost"}: alerts by severity.',
            ),
        ),
        migrations.AddField(
            model_name="proposal",
            name="tokens",
            field=models.PositiveIntegerField(
                default=0, help_text="Read and written by the model."
            ),
        ),
        migrations.AddIndex(
            model_name="proposal",
            index=models.Index(
                condition=models.Q(("status", "open")),
                fields=["danger", "-created_at"],
                name="proposal_queue",
            ),
        ),
        renaming(checked=True),
    ]
