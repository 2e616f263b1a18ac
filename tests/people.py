"""Make people of the memory, and empty their alerts."""

from __future__ import annotations

from itertools import count

from django.utils import timezone

from memory.actions.users import get_or_create_user
from memory.models import MemoryUser

_numbers = count(1)


def new_person(zone: str = "UTC", name: str = "") -> MemoryUser:
    """A person nobody has met before."""
    person, _ = get_or_create_user(
        external_id=f"person-{next(_numbers)}",
        display_name=name,
        timezone=zone,
        actor=None,
        now=timezone.now(),
    )
    return person
