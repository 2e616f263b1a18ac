"""Who wrote code by hand, and what reviewers leave with a proposal."""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from memory.migrations._renaming import renaming


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0020_jobs_by_their_end'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        renaming(checked=False),
        migrations.AddField(
            model_name='proposal',
            name='author',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='proposal',
            name='hands',
            field=models.JSONField(default=list, help_text='The ids of all staff who wrote any of it by hand: none of them approves it.'),
        ),
        migrations.AlterField(
            model_name='proposal',
            name='origin',
            field=models.CharField(choices=[('inferred', 'inferred from payloads'), ('model', 'a language model'), ('upgrade', 'a new baseline'), ('person', 'a member of staff, by hand')], default='inferred', max_length=8),
        ),
        migrations.CreateModel(
            name='LineComment',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('digest', models.CharField(help_text='Of the proposed tree.', max_length=64)),
                ('path', models.CharField(max_length=300)),
                ('side', models.CharField(choices=[('old', 'before'), ('new', 'now')], max_length=3)),
                ('line', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='line_comments', to='memory.proposal')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.memoryuser')),
            ],
        ),
        migrations.CreateModel(
            name='CommentResolution',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.memoryuser')),
                ('comment', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='resolution', to='memory.linecomment')),
            ],
        ),
        migrations.CreateModel(
            name='Approval',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('digest', models.CharField(help_text='Of the tree that was approved.', max_length=64)),
                ('at', models.DateTimeField()),
                ('ticked', models.JSONField(default=list)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='approvals', to='memory.proposal')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.memoryuser')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('proposal', 'by'), name='approval_once_of_a_reviewer')],
            },
        ),
        migrations.CreateModel(
            name='CodeEdit',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('checking', 'Checking'), ('proposed', 'Proposed'), ('discarded', 'Discarded')], default='draft', max_length=9)),
                ('base', models.CharField(max_length=64)),
                ('parent', models.CharField(max_length=64)),
                ('files', models.JSONField(default=dict)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('summary', models.TextField(blank=True, help_text='What changes and why, by its author.')),
                ('drops_readings', models.BooleanField(default=False, help_text='Whether readings that fit the new code no more are left out.')),
                ('checks', models.JSONField(default=list, help_text='As of a proposal, of the last attempt.')),
                ('created_at', models.DateTimeField()),
                ('changed_at', models.DateTimeField()),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('follows', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='edits', to='memory.proposal')),
                ('proposal', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.proposal')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.memoryuser')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('status__in', ('draft', 'checking'))), fields=('user', 'author'), name='code_edit_one_of_an_author'), models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'checking', 'proposed', 'discarded'])), name='code_edit_status_known')],
            },
        ),
        migrations.AddConstraint(
            model_name='linecomment',
            constraint=models.CheckConstraint(condition=models.Q(('side__in', ['old', 'new'])), name='line_comment_side_known'),
        ),
        renaming(checked=True),
    ]
