"""A webhook for some people stays one for nobody else, whoever of them is erased."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alerts", "0014_events_by_kind_and_moment")]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="narrowed",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
