"""What open pages rest on: the roles, teams and people of whoever looks at them.

`announce_change` tells this process, once the transaction has committed, that somebody's access is
another one; who keeps pages open listens to `access_changed` and compares standings.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction
from django.db.models import Count, Q
from django.dispatch import Signal
from django.utils import timezone

from memory.models import CarePlacement, RoleGrant, TeamMembership

access_changed = Signal()


@dataclass(frozen=True)
class Standing:
    """What somebody's access rests on; `care` counts, for each team, placements past and present.

    Nobody who is not active has any.
    """

    roles: frozenset[str] = frozenset()
    teams: frozenset[UUID] = frozenset()
    care: Mapping[UUID, tuple[int, int]] = field(default_factory=dict)

    def has_lost(self, before: Standing) -> bool:
        """Whether a role or a team of an earlier standing is gone."""
        return not (before.roles <= self.roles and before.teams <= self.teams)


def standings(staff: Collection[int]) -> dict[int, Standing]:
    """The standing of each of these members of staff; those who are not active are left out.

    At most four queries, however many they are.
    """
    if not staff:
        return {}
    now = timezone.now()
    active = Staff.objects.filter(pk__in=staff, is_active=True, is_staff=True)
    supers = dict(active.values_list("pk", "is_superuser"))
    roles: dict[int, set[str]] = {pk: {"superuser"} if one else set() for pk, one in supers.items()}
    teams: dict[int, set[UUID]] = {pk: set() for pk in supers}
    grants = RoleGrant.objects.at(now).filter(staff__in=supers)
    for pk, role in grants.values_list("staff", "role"):
        roles[pk].add(role)
    memberships = TeamMembership.objects.at(now).filter(staff__in=supers)
    for pk, team in memberships.values_list("staff", "team"):
        teams[pk].add(team)
    care = _care(set().union(*teams.values()), now)
    return {
        pk: Standing(
            frozenset(roles[pk]),
            frozenset(teams[pk]),
            {team: care.get(team, (0, 0)) for team in teams[pk]},
        )
        for pk in supers
    }


def _care(teams: Collection[UUID], now: object) -> dict[UUID, tuple[int, int]]:
    if not teams:
        return {}
    rows = CarePlacement.objects.filter(team__in=teams, starts_at__lte=now).values_list("team")
    counted = rows.annotate(all=Count("pk"), past=Count("pk", filter=Q(ends_at__lte=now)))
    return {team: (count, past) for team, count, past in counted}


def announce_change() -> None:
    """Once the transaction has committed, tell those who keep pages open."""
    transaction.on_commit(lambda: access_changed.send(sender=None))
