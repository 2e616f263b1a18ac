"""Since when the rules of a person's open proposal are run beside the approved ones."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0015_what_a_model_may_propose")]

    operations = [
        migrations.AddField(
            model_name="memoryuser",
            name="foresees_since",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
