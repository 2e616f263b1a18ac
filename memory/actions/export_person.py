"""Hand out everything about one person."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from memory import access, audit
from memory.person_export import PersonBundle, bundle_of
from memory.rights import Right


def export_person(*, user_id: UUID, actor: access.Somebody, now: datetime) -> PersonBundle:
    """The person's bundle, recorded with the digest of its manifest before it is given away.

    Raises PermissionDenied and access.NotFound.
    """
    staff = access.staff(actor, Right.ADMINISTER)
    user = access.memory_user(staff, user_id, Right.ADMINISTER)
    bundle = bundle_of(user.pk, now=now)
    audit.record(
        "person.export",
        actor=staff,
        now=now,
        person=user.pk,
        of="bundle",
        object_id=bundle.digest,
    )
    return bundle
