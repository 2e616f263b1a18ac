"""Until now every member of staff saw everybody: they and all people there are become one team."""

from django.db import migrations
from django.utils import timezone

TEAM = "Everybody so far"
ROLES = ("caregiver", "reviewer")


def keep(apps, schema_editor):
    now = timezone.now()
    people = apps.get_model("memory", "MemoryUser")._base_manager.filter(erased_at=None)
    staff = apps.get_model("auth", "User").objects.filter(is_staff=True, is_active=True)
    if not (people.exists() and staff.exists()):
        return
    team = apps.get_model("memory", "Team").objects.create(name=TEAM, created_at=now)
    apps.get_model("memory", "App").objects.update(team=team)
    for model, name, rows in (
        ("TeamMembership", "staff", staff),
        ("CarePlacement", "user", people),
    ):
        model = apps.get_model("memory", model)
        model.objects.bulk_create(
            [model(team=team, starts_at=now, **{name: row}) for row in rows.iterator()],
            batch_size=500,
        )
    grants = apps.get_model("memory", "RoleGrant")
    grants.objects.bulk_create(
        [grants(staff=one, role=role, starts_at=now) for one in staff for role in ROLES]
    )


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0009_seal_the_audit"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(keep, migrations.RunPython.noop)]
