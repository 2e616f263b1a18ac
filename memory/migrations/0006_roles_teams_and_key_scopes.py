"""Roles, teams, who cares for whom, and what a key may do to whom."""

import django.db.models.deletion
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


EVERY_SCOPE = (
    'users:read', 'users:write', 'facts:read', 'facts:write', 'messages:read', 'messages:write',
    'state:read', 'query', 'alerts:read', 'code:read',
)


def every_scope():
    """Keys that were there keep what they could do."""
    return list(EVERY_SCOPE)


def a_year_from_now():
    return timezone.now() + timedelta(days=365)


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0005_sweep_upgrades'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CarePlacement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='RoleGrant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('role', models.CharField(choices=[('caregiver', 'Caregiver: sees and handles the alerts of the people of their teams'), ('reviewer', 'Reviewer: judges proposed code for the people of their teams'), ('admin', 'Admin: people, teams, keys, settings; no personal content'), ('auditor', 'Auditor: reads the audit; no personal content')], max_length=10)),
            ],
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=80, unique=True)),
                ('created_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='TeamMembership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='appkey',
            name='expires_at',
            field=models.DateTimeField(default=a_year_from_now),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='appkey',
            name='people',
            field=models.ManyToManyField(blank=True, help_text='With a reach of listed.', related_name='+', to='memory.memoryuser'),
        ),
        migrations.AddField(
            model_name='appkey',
            name='reach',
            field=models.CharField(choices=[('all', 'all people'), ('listed', 'the people listed'), ('own', 'the people its app has created')], default='all', max_length=6),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='appkey',
            name='replaces',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaced_by', to='memory.appkey'),
        ),
        migrations.AddField(
            model_name='appkey',
            name='requests_per_minute',
            field=models.PositiveIntegerField(blank=True, help_text='Empty: as UAC_REQUESTS_PER_MINUTE has it.', null=True),
        ),
        migrations.AddField(
            model_name='appkey',
            name='scopes',
            field=models.JSONField(default=every_scope, help_text='What it may do: a list of `memory.rights.SCOPES`.'),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='memoryuser',
            name='external_id',
            field=models.CharField(db_index=True, max_length=200),
        ),
        migrations.AddConstraint(
            model_name='appkey',
            constraint=models.CheckConstraint(condition=models.Q(('reach__in', ['all', 'listed', 'own'])), name='key_reach_known'),
        ),
        migrations.AddConstraint(
            model_name='memoryuser',
            constraint=models.UniqueConstraint(fields=('created_by', 'external_id'), name='memory_user_of_app'),
        ),
        migrations.AddConstraint(
            model_name='memoryuser',
            constraint=models.UniqueConstraint(condition=models.Q(('created_by', None)), fields=('external_id',), name='memory_user_of_no_app'),
        ),
        migrations.AddField(
            model_name='careplacement',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='memory.memoryuser'),
        ),
        migrations.AddField(
            model_name='rolegrant',
            name='staff',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='role_grants', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='careplacement',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placements', to='memory.team'),
        ),
        migrations.AddField(
            model_name='app',
            name='team',
            field=models.ForeignKey(blank=True, help_text='The team that cares for people whom the app introduces from now on; without one nobody sees their alerts until an admin places them.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='memory.team'),
        ),
        migrations.AddField(
            model_name='teammembership',
            name='staff',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_memberships', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='teammembership',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='memory.team'),
        ),
        migrations.AddConstraint(
            model_name='rolegrant',
            constraint=models.UniqueConstraint(condition=models.Q(('ends_at', None)), fields=('staff', 'role'), name='role_granted_once'),
        ),
        migrations.AddConstraint(
            model_name='rolegrant',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['caregiver', 'reviewer', 'admin', 'auditor'])), name='role_known'),
        ),
        migrations.AddConstraint(
            model_name='rolegrant',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at', None), ('ends_at__gte', models.F('starts_at')), _connector='OR'), name='role_ends_after_start'),
        ),
        migrations.AddIndex(
            model_name='careplacement',
            index=models.Index(fields=['team', 'user'], name='placement_team'),
        ),
        migrations.AddConstraint(
            model_name='careplacement',
            constraint=models.UniqueConstraint(condition=models.Q(('ends_at', None)), fields=('user', 'team'), name='placement_once'),
        ),
        migrations.AddConstraint(
            model_name='careplacement',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at', None), ('ends_at__gte', models.F('starts_at')), _connector='OR'), name='placement_ends_after_start'),
        ),
        migrations.AddConstraint(
            model_name='teammembership',
            constraint=models.UniqueConstraint(condition=models.Q(('ends_at', None)), fields=('staff', 'team'), name='membership_once'),
        ),
        migrations.AddConstraint(
            model_name='teammembership',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at', None), ('ends_at__gte', models.F('starts_at')), _connector='OR'), name='membership_ends_after_start'),
        ),
    ]
