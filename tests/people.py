"""Make people of the memory, in the care of the team that every test has."""

from __future__ import annotations

from itertools import count

from django.utils import timezone

from memory.actions.users import get_or_create_user
from memory.models import CarePlacement, MemoryUser
from tests.staff import ward

_numbers = count(1)


def new_person(zone: str = "UTC", name: str = "", *, placed: bool = True) -> MemoryUser:
    """A person nobody has met before, with the team unless told."""
    now = timezone.now()
    person, _ = get_or_create_user(
        external_id=f"person-{next(_numbers)}",
        display_name=name,
        timezone=zone,
        actor=None,
        now=now,
    )
    if placed:
        CarePlacement.objects.create(team=ward(), user=person, starts_at=now)
    return person
