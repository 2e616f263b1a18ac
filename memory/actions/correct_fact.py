"""Staff correct a fact: one is appended that says what is true, the old one stays as it was."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User as Staff
from django.db import transaction

from memory import access, audit
from memory.actions.app_keys import get_or_create_app
from memory.actions.append_facts import append_facts
from memory.actions.appended import Appended
from memory.actions.check_facts import NewFact, NewReading
from memory.models import Fact
from memory.rights import Right

BY_STAFF = "staff"
"""The app in whose name facts of staff are appended, and their source."""


@transaction.atomic
def correct_fact(
    *,
    user_id: UUID,
    seq: int,
    text: str,
    readings: Sequence[NewReading],
    actor: Staff,
    now: datetime,
) -> Appended:
    """Append what is true instead of a fact, as of when that was true.

    All that was read of the corrected fact is withdrawn, and these readings take its place; without
    any the words wait to be read. Raises access.NotFound and check_facts.FactsRefused.
    """
    access.memory_user(actor, user_id, Right.READINGS_CONFIRM, lock=True)
    corrected = Fact.objects.filter(user=user_id, seq=seq).first()
    if corrected is None:
        raise access.NotFound
    fact = NewFact(
        text=text,
        occurred_at=corrected.occurred_at,
        source=BY_STAFF,
        metadata={"by": actor.get_username()},
        corrects=seq,
        readings=tuple(readings),
    )
    app = get_or_create_app(name=BY_STAFF, now=now)
    appended = append_facts(user_id=user_id, facts=[fact], actor=app, now=now)
    audit.record(
        "fact.correct", actor=actor, now=now, person=user_id, of="fact", object_id=f"{seq}"
    )
    return appended
