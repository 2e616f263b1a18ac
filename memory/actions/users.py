"""Create people, and change what may change about them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from memory.models import App, MemoryUser


@transaction.atomic
def get_or_create_user(
    *, external_id: str, display_name: str, timezone: str, actor: App | None, now: datetime
) -> tuple[MemoryUser, bool]:
    """The person an app calls `external_id`, and whether they are new.

    Name and zone of a person who exists already stay as they are.
    """
    return MemoryUser.objects.get_or_create(
        external_id=external_id,
        defaults={
            "display_name": display_name,
            "timezone": timezone,
            "created_at": now,
            "created_by": actor,
        },
    )


def change_user(*, user: MemoryUser, display_name: str, timezone: str) -> None:
    """Change a person's name and time zone, and nothing else: the heads of the log are not ours.

    A new zone may mean a new local date; the sweep for new days evaluates the person again.
    """
    MemoryUser.objects.filter(pk=user.pk).update(display_name=display_name, timezone=timezone)
