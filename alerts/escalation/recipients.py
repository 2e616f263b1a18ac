"""Who may be told of an alert, decided at the moment of telling."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db.models import Q

from alerts.models import Alert, Delivery, EscalationPolicy, Origin
from memory.access import may, memory_users, watchers
from memory.models import CarePlacement, MemoryUser, RoleGrant, Team, TeamMembership
from memory.rights import Right, Role


def members_who_may(team: Team, person: MemoryUser, now: datetime) -> list[Staff]:
    """Everybody of a team who may handle a person's alerts at this moment."""
    ids = watchers([person.pk], Right.ALERTS_HANDLE)[person.pk]
    members = TeamMembership.objects.at(now).filter(team=team, staff__in=ids)
    return list(Staff.objects.filter(pk__in=members.values("staff")).order_by("pk"))


def admins(now: datetime) -> list[Staff]:
    """Everybody who administers, and may see to it that somebody is there."""
    granted = RoleGrant.objects.at(now).filter(role=Role.ADMIN)
    whoever = Q(pk__in=granted.values("staff")) | Q(is_superuser=True)
    return list(Staff.objects.filter(whoever, is_active=True, is_staff=True).order_by("pk"))


def who_may(staff: Staff, deliveries: Sequence[Delivery]) -> list[Delivery]:
    """Those of somebody's deliveries that they may still have.

    That nobody has acknowledged an alert may be told to an admin too: it says nothing of whom.
    """
    people = {one.user_id for one in deliveries if one.user_id is not None}
    theirs = memory_users(staff, Right.ALERTS_HANDLE).filter(pk__in=people)
    seen = {*theirs.values_list("pk", flat=True)}
    admin = may(staff, Right.ADMINISTER)
    return [one for one in deliveries if one.user_id in seen or (admin and _of_nobody(one))]


def _of_nobody(delivery: Delivery) -> bool:
    event = delivery.event
    return event is not None and event.alert.origin == Origin.UNANSWERED


def told_in_words(staff: Staff, alerts: Sequence[Alert], now: datetime) -> frozenset[int]:
    """The ids of the alerts whose words somebody's e-mail may hold.

    Where a team that cares for the person wants it so, and for who may see the person's alerts.
    """
    people = {one.user_id for one in alerts}
    seen = memory_users(staff, Right.ALERTS_READ).filter(pk__in=people)
    telling = EscalationPolicy.objects.filter(tells_summary=True).values("team")
    placed = CarePlacement.objects.at(now).filter(team__in=telling, user__in=seen)
    told = {*placed.values_list("user", flat=True)}
    return frozenset(one.pk for one in alerts if one.user_id in told)
