"""Create people, and change what may change about them."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import access, audit
from memory.actions.app_keys import app_of
from memory.models import App, AppKey, CarePlacement, MemoryUser, Reach
from memory.rights import Right


@transaction.atomic
def get_or_create_user(
    *,
    external_id: str,
    display_name: str,
    timezone: str,
    actor: AppKey | App | Staff | None,
    now: datetime,
) -> tuple[MemoryUser, bool]:
    """The person an app calls `external_id` and may reach, and whether they are new.

    Name and zone of a person who exists already stay as they are. Somebody new is placed with the
    app's team. Raises access.NotFound for a key that reaches listed people only, and not this one.
    """
    if isinstance(actor, AppKey):
        found = access.memory_user_called(actor, external_id, Right.USERS_WRITE)
        if found is not None:
            return found, False
        if actor.reach == Reach.LISTED:
            raise access.NotFound
    app = app_of(actor) if isinstance(actor, AppKey | App) else None
    user, created = MemoryUser.objects.get_or_create(
        external_id=external_id,
        created_by=app,
        defaults={"display_name": display_name, "timezone": timezone, "created_at": now},
    )
    if created and app is not None and app.team_id is not None:
        CarePlacement.objects.create(user=user, team_id=app.team_id, starts_at=now)
    if created:
        audit.record("person.create", actor=actor, now=now, person=user.pk)
    return user, created


@transaction.atomic
def change_user(
    *, user: MemoryUser, display_name: str, timezone: str, actor: Staff, now: datetime
) -> None:
    """Change a person's name and time zone, and nothing else: the heads of the log are not ours.

    A new zone may mean a new local date; the sweep for new days evaluates the person again.
    """
    MemoryUser.objects.filter(pk=user.pk).update(display_name=display_name, timezone=timezone)
    audit.record("person.change", actor=actor, now=now, person=user.pk)
