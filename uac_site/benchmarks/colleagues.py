"""The staff of a benchmark: in the team that cares for the people whom its app makes."""

from __future__ import annotations

from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.actions.staff import grant_role
from memory.actions.teams import add_member
from memory.audit import CONSOLE
from memory.models import Team
from memory.rights import Role

TEAM = "Benchmark"


def colleague(name: str, role: Role) -> Staff:
    """A member of staff with this role in the benchmark's team, made if there is none."""
    staff, created = Staff.objects.get_or_create(username=name, is_staff=True)
    if created:
        now = timezone.now()
        grant_role(staff=staff, role=role, actor=CONSOLE, now=now)
        add_member(team=Team.objects.get(name=TEAM), staff=staff, actor=CONSOLE, now=now)
    return staff
