"""Who may administer: the check that every action on people, teams, roles and keys begins with."""

from __future__ import annotations

from django.contrib.auth.models import User as Staff

from memory import access
from memory.audit import Actor
from memory.rights import Right

Administrator = Staff | Actor
"""An admin, or the operator at the console (`memory.audit.CONSOLE`)."""


def check_entitled(actor: Administrator) -> None:
    """Raises PermissionDenied for a member of staff who is no admin."""
    if not isinstance(actor, Actor):
        access.staff(actor, Right.ADMINISTER)
