import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


def tree(**options):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.tree', **options)


def staff(**options):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, **options)


def person(**options):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='memory.memoryuser', **options)


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0002_append_only'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='memoryuser',
            name='tree',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name='memoryuser',
            name='baseline',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
        ),
        migrations.AddIndex(
            model_name='memoryuser',
            index=models.Index(fields=['baseline'], name='memory_user_baseline'),
        ),
        migrations.AddConstraint(
            model_name='memoryuser',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('baseline', ''), ('tree', '')), models.Q(('tree', ''), ('baseline', ''), _connector='OR', _negated=True), _connector='OR'), name='memory_user_tree_on_baseline'),
        ),
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('digest', models.CharField(help_text='SHA-256 of the UTF-8.', max_length=64, primary_key=True, serialize=False)),
                ('text', models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name='Tree',
            fields=[
                ('digest', models.CharField(help_text='`Project.digest` of the files.', max_length=64, primary_key=True, serialize=False)),
                ('files', models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name='Baseline',
            fields=[
                ('number', models.PositiveIntegerField(primary_key=True, serialize=False)),
                ('tree', tree()),
                ('adopted_at', models.DateTimeField()),
                ('adopted_by', staff(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='CodeVersion',
            fields=[
                ('pk', models.CompositePrimaryKey('user_id', 'number', blank=True, editable=False, primary_key=True, serialize=False)),
                ('user', person(db_index=False, related_name='+')),
                ('number', models.PositiveIntegerField(help_text='Counts from 1 for each person.')),
                ('tree', tree()),
                ('baseline', tree()),
                ('parent', models.CharField(max_length=64)),
                ('overlay', models.JSONField()),
                ('summary', models.TextField()),
                ('approved_at', models.DateTimeField()),
                ('approved_by', staff()),
            ],
        ),
        migrations.CreateModel(
            name='Proposal',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('user', person(related_name='proposals')),
                ('status', models.CharField(choices=[('open', 'Open'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('superseded', 'Superseded'), ('failed', 'Failed')], default='open', max_length=10)),
                ('parent', models.CharField(help_text="The person's tree that it changes.", max_length=64)),
                ('tree', tree()),
                ('baseline', tree()),
                ('summary', models.TextField(help_text='What changes, in plain words.')),
                ('reason', models.TextField(blank=True, help_text='Why: what asked for the change.')),
                ('checks', models.JSONField(default=list, help_text='[{"name", "ok", "detail", "seconds"}], in the order they ran.')),
                ('placements', models.JSONField(default=list, help_text='[{"reading", "kind", "id", "data"}]: what it would place now.')),
                ('renames', models.JSONField(default=dict, help_text='For each kind, the JSON names whose fields are called otherwise.')),
                ('readings', models.JSONField(default=list, help_text='The seq of each reading it was made from.')),
                ('created_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by', staff(null=True)),
                ('decision_reason', models.TextField(blank=True)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-created_at'], name='proposal_of_user'), models.Index(fields=['status', '-created_at'], name='proposal_status')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('user',), name='proposal_one_open_per_user'), models.CheckConstraint(condition=models.Q(('status__in', ['open', 'approved', 'rejected', 'superseded', 'failed'])), name='proposal_status_known')],
            },
        ),
        migrations.CreateModel(
            name='Waiting',
            fields=[
                ('pk', models.CompositePrimaryKey('user_id', 'reading_seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('user', person(db_index=False, related_name='+')),
                ('reading_seq', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=200)),
                ('reason', models.TextField(help_text='Why it waits, in words for a person.')),
            ],
        ),
    ]
