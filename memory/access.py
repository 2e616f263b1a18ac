"""The only way from somebody (staff, app) and an id to an object; absent and forbidden look alike.

`memory.rights` says what a role allows; here it is applied to people. A member of staff reaches the
people whom their teams care for at this moment, an app those in the reach of its key. Whoever is
neither, or lacks the right, reaches nobody.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.models import User as Staff
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, QuerySet
from django.utils import timezone

from memory import audit
from memory.models import (
    App,
    AppKey,
    CarePlacement,
    CodeEdit,
    HeldReading,
    Job,
    LineComment,
    MemoryUser,
    Need,
    Proposal,
    Reach,
    RoleGrant,
    Team,
    TeamMembership,
)
from memory.models.proposal import ProposalQuerySet
from memory.models.staff import DatedQuerySet
from memory.models.to_read import HeldReadingQuerySet
from memory.rights import EVERYBODY, NOBODY, RIGHTS, Right, Role, holders

Somebody = Staff | AnonymousUser | AppKey | App | None
"""Who asks. An app comes over HTTP with a key, never as an `App`: that is a command of the
operator's own acting in its name, such as the one that loads the examples."""


class NotFound(Exception):
    """There is no such object, or not for this somebody."""


def is_staff(somebody: object) -> bool:
    """Whether somebody is an active member of staff."""
    return isinstance(somebody, Staff) and somebody.is_active and somebody.is_staff


def rights_of(somebody: object) -> frozenset[Right]:
    """What somebody may do, to whomever it may be; one query for staff."""
    if isinstance(somebody, AppKey):
        return frozenset(right for right in Right if somebody.may(right))
    if not isinstance(somebody, Staff) or not is_staff(somebody):
        return frozenset()
    granted = RoleGrant.objects.at(timezone.now()).filter(staff=somebody)
    roles = {*granted.values_list("role", flat=True)}
    if somebody.is_superuser:
        roles.add(Role.ADMIN)
    return frozenset().union(*(RIGHTS[role] for role in roles))


def may(somebody: object, right: Right) -> bool:
    """Whether somebody has a right, to whomever it may be."""
    return somebody.may(right) if isinstance(somebody, AppKey) else right in rights_of(somebody)


def staff(somebody: object, right: Right) -> Staff:
    """Somebody as the member of staff with this right that they are. Raises PermissionDenied."""
    if isinstance(somebody, Staff) and may(somebody, right):
        return somebody
    raise PermissionDenied


def memory_users(somebody: Somebody, right: Right) -> QuerySet[MemoryUser]:
    """The people to whom somebody may do what the right says."""
    if isinstance(somebody, App):
        return MemoryUser.objects.all()
    if isinstance(somebody, AppKey):
        return _in_reach(somebody) if somebody.may(right) else MemoryUser.objects.none()
    if not isinstance(somebody, Staff) or not is_staff(somebody) or right in NOBODY:
        return MemoryUser.objects.none()
    if right in EVERYBODY:
        return MemoryUser.objects.all() if may(somebody, right) else MemoryUser.objects.none()
    return _of_their_teams(somebody, right)


def memory_user(
    somebody: Somebody, user_id: UUID, right: Right, *, lock: bool = False
) -> MemoryUser:
    """One person, with `lock` held until the transaction ends. Raises NotFound."""
    users = memory_users(somebody, right)
    try:
        found = (users.select_for_update(no_key=True) if lock else users).get(pk=user_id)
    except MemoryUser.DoesNotExist:
        raise NotFound from None
    audit.saw(found.pk)
    return found


def memory_user_called(somebody: Somebody, external_id: str, right: Right) -> MemoryUser | None:
    """The person somebody may reach by this id of an app's, one of their own app's first."""
    found = list(memory_users(somebody, right).filter(external_id=external_id))
    own = somebody.app_id if isinstance(somebody, AppKey) else getattr(somebody, "pk", None)
    nearest = min(
        found, key=lambda user: (user.created_by_id != own, user.created_at), default=None
    )
    if nearest is not None:
        audit.saw(nearest.pk)
    return nearest


def watchers(people: Collection[UUID], right: Right) -> dict[UUID, set[int]]:
    """For each of these people, the ids of the staff who may do this to them; one query.

    The same decision as `memory_users`, asked from the other side. Not for rights over everybody.
    """
    now = timezone.now()
    rows = CarePlacement.objects.at(now).filter(
        user__in=people,
        team__memberships__in=TeamMembership.objects.at(now),
        team__memberships__staff__is_active=True,
        team__memberships__staff__is_staff=True,
        team__memberships__staff__in=_granted(right).values("staff"),
    )
    found: dict[UUID, set[int]] = {person: set() for person in people}
    for person, member in rows.values_list("user", "team__memberships__staff"):
        found[person].add(member)
    return found


def own_teams(somebody: Somebody) -> QuerySet[Team]:
    """The teams that somebody belongs to at this moment."""
    if not isinstance(somebody, Staff) or not is_staff(somebody):
        return Team.objects.none()
    mine = TeamMembership.objects.at(timezone.now()).filter(staff=somebody)
    return Team.objects.filter(pk__in=mine.values("team"))


def proposals(somebody: Somebody, right: Right = Right.PROPOSALS_DECIDE) -> ProposalQuerySet:
    """The proposals for the people to whom somebody has the right."""
    if not is_staff(somebody):
        return Proposal.objects.none()
    return Proposal.objects.filter(user__in=memory_users(somebody, right))


def proposal(somebody: Somebody, proposal_id: UUID) -> Proposal:
    """One proposal that somebody may decide. Raises NotFound."""
    try:
        found = (
            proposals(somebody).select_related("user", "decided_by", "author").get(pk=proposal_id)
        )
    except Proposal.DoesNotExist:
        raise NotFound from None
    audit.saw(found.user_id)
    return found


def line_comment(somebody: Somebody, comment_id: int) -> LineComment:
    """One comment on a proposal that somebody may decide. Raises NotFound."""
    comments = LineComment.objects.select_related("proposal__user")
    found = comments.filter(proposal__in=proposals(somebody), pk=comment_id).first()
    if found is None:
        raise NotFound
    audit.saw(found.user_id)
    return found


def code_edit(somebody: Somebody, edit_id: UUID, *, lock: bool = False) -> CodeEdit:
    """An edit of somebody's own, of a person whose code they may decide. Raises NotFound."""
    if not isinstance(somebody, Staff):
        raise NotFound
    people = memory_users(somebody, Right.PROPOSALS_DECIDE)
    own = CodeEdit.objects.filter(author=somebody, user__in=people)
    rows = own.select_related("user", "author", "follows")
    found = (rows.select_for_update(of=("self",)) if lock else rows).filter(pk=edit_id).first()
    if found is None:
        raise NotFound
    audit.saw(found.user_id)
    return found


def held_readings(somebody: Somebody) -> HeldReadingQuerySet:
    """The held readings of the people whose readings somebody may confirm."""
    if not is_staff(somebody):
        return HeldReading.objects.none()
    return HeldReading.objects.filter(user__in=memory_users(somebody, Right.READINGS_CONFIRM))


def held_reading(somebody: Somebody, held_id: int) -> HeldReading:
    """One reading that somebody may confirm or refuse. Raises NotFound."""
    try:
        found = held_readings(somebody).select_related("user").get(pk=held_id)
    except HeldReading.DoesNotExist:
        raise NotFound from None
    audit.saw(found.user_id)
    return found


def job(somebody: Somebody, job_id: UUID, right: Right) -> Job:
    """One job for a person to whom somebody has the right. Raises NotFound."""
    jobs = Job.objects.filter(user__in=memory_users(somebody, right)).select_related("user")
    try:
        found = jobs.get(pk=job_id)
    except Job.DoesNotExist:
        raise NotFound from None
    if found.user_id is not None:
        audit.saw(found.user_id)
    return found


def need(somebody: Somebody, need_id: int) -> Need:
    """One need of a person whose readings somebody may confirm. Raises NotFound."""
    people = memory_users(somebody, Right.READINGS_CONFIRM)
    found = Need.objects.filter(user__in=people, pk=need_id).first()
    if found is None:
        raise NotFound
    audit.saw(found.user_id)
    return found


def _granted(right: Right) -> DatedQuerySet:
    return RoleGrant.objects.at(timezone.now()).filter(role__in=holders(right))


def _of_their_teams(member: Staff, right: Right) -> QuerySet[MemoryUser]:
    now = timezone.now()
    teams = TeamMembership.objects.at(now).filter(staff=member)
    placed = CarePlacement.objects.at(now).filter(team__in=teams.values("team"))
    return MemoryUser.objects.filter(
        Exists(_granted(right).filter(staff=member)), pk__in=placed.values("user")
    )


def _in_reach(key: AppKey) -> QuerySet[MemoryUser]:
    if key.reach == Reach.ALL:
        return MemoryUser.objects.all()
    if key.reach == Reach.OWN:
        return MemoryUser.objects.filter(created_by=key.app_id)
    listed = AppKey.people.through.objects.filter(appkey=key.pk)
    return MemoryUser.objects.filter(pk__in=listed.values("memoryuser"))
