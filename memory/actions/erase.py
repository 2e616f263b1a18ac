"""Erase one person: asked for by one admin, confirmed by another, recorded for good.

What is left says nothing of them: the entries of their chains without bodies and salts, so that
these can still be verified, a row without a name to hold the heads, the audit, and the erasure.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User as Staff
from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django_q.models import Task

from memory import access, audit
from memory.belongings import Belonging, belongings
from memory.forgetting import forget_erased
from memory.models import (
    Baseline,
    Blob,
    CodeVersion,
    Erasure,
    ErasureReason,
    ErasureStatus,
    Fact,
    Job,
    MemoryUser,
    Message,
    Proposal,
    Reading,
    Tree,
)
from memory.rights import Right

KEPT: tuple[type[Model], ...] = (Message, Fact, Reading, Erasure)
"""What stays of somebody erased: links of chains, and that they were erased."""


class AlreadyAsked(Exception):
    """Somebody has asked for this person's erasure, and it is not decided yet."""


class NotAsked(Exception):
    """The erasure is not, or no longer, there to be decided."""


class SameHand(Exception):
    """Whoever asked for an erasure may not confirm it."""


@transaction.atomic
def ask_erasure(
    *, user_id: UUID, actor: access.Somebody, reason: ErasureReason, now: datetime
) -> Erasure:
    """Ask for a person's erasure. Raises PermissionDenied, access.NotFound and AlreadyAsked."""
    staff = access.staff(actor, Right.ADMINISTER)
    user = access.memory_user(staff, user_id, Right.ADMINISTER, lock=True)
    try:
        with transaction.atomic():
            erasure = Erasure.objects.create(user=user, reason=reason, asked_by=staff, asked_at=now)
    except IntegrityError:
        raise AlreadyAsked(user_id) from None
    _audit("erasure.ask", erasure, staff, now)
    return erasure


@transaction.atomic
def withdraw_erasure(*, erasure_id: UUID, actor: access.Somebody, now: datetime) -> Erasure:
    """Call an erasure off. Raises PermissionDenied and NotAsked."""
    staff = access.staff(actor, Right.ADMINISTER)
    erasure = _asked(erasure_id)
    _decide(erasure, ErasureStatus.WITHDRAWN, staff, now, {})
    _audit("erasure.withdraw", erasure, staff, now)
    return erasure


def confirm_erasure(*, erasure_id: UUID, actor: access.Somebody, now: datetime) -> Erasure:
    """Erase the person, all of it or nothing.

    Afterwards this process and its sandboxes forget what they keep in memory, and SQLite's file is
    written anew. Raises PermissionDenied, NotAsked and SameHand.
    """
    staff = access.staff(actor, Right.ADMINISTER)
    with transaction.atomic():
        erasure = _asked(erasure_id)
        if erasure.asked_by_id == staff.pk:
            raise SameHand(erasure_id)
        user = MemoryUser.objects.select_for_update().get(pk=erasure.user_id)
        _erase(user, erasure, staff, now)
    forget_erased()
    return erasure


def _asked(erasure_id: UUID) -> Erasure:
    found = Erasure.objects.select_for_update(of=("self",)).select_related("asked_by")
    erasure = found.filter(pk=erasure_id, status=ErasureStatus.ASKED).first()
    if erasure is None:
        raise NotAsked(erasure_id)
    return erasure


def _erase(user: MemoryUser, erasure: Erasure, staff: Staff, now: datetime) -> None:
    """From the moment the erasure is done, triggers let the person's rows go."""
    tables = [one for one in belongings() if one.model not in KEPT]
    trees = _trees_of(user)
    _lock_code()
    _decide(erasure, ErasureStatus.DONE, staff, now, _counts(tables, user))
    jobs = Job.objects.filter(user=user).values_list("name", "pk")
    Task.objects.filter(name__in=[f"{name}-{pk}"[:100] for name, pk in jobs]).delete()
    for one in tables:
        one.rows(user.pk)._raw_delete(connection.alias)
    of_people = ContentType.objects.get_for_model(MemoryUser)
    LogEntry.objects.filter(content_type=of_people, object_id=str(user.pk)).delete()
    MemoryUser.objects.filter(pk=user.pk).update(
        external_id=f"erased {user.pk}",
        display_name="",
        timezone="UTC",
        tree="",
        baseline="",
        foresees_since=None,
        erased_at=now,
    )
    _drop_code(trees)
    _audit("erasure.confirm", erasure, staff, now)


def _counts(tables: Iterable[Belonging], user: MemoryUser) -> dict[str, int]:
    counts = {one.name: one.rows(user.pk).count() for one in tables}
    return {name: count for name, count in counts.items() if count}


def _decide(
    erasure: Erasure, status: ErasureStatus, staff: Staff, now: datetime, erased: dict[str, int]
) -> None:
    erasure.status, erasure.decided_by, erasure.decided_at = status, staff, now
    erasure.erased = erased
    erasure.save(update_fields=["status", "decided_by", "decided_at", "erased"])


def _trees_of(user: MemoryUser) -> set[str]:
    """Every project the person has had, or that was proposed for them."""
    trees = {user.tree, user.baseline} - {""}
    for model in (CodeVersion, Proposal):
        for row in model._base_manager.filter(user=user).values_list("tree", "baseline"):
            trees |= {*row}
    return trees


def _lock_code() -> None:
    """Wait until nobody is about to use a text that this erasure may drop. SQLite: one writer."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE memory_tree, memory_blob IN ACCESS EXCLUSIVE MODE")


def _drop_code(trees: set[str]) -> None:
    """Drop the projects that are nobody else's, and the texts that no other project has."""
    used = {*Baseline.objects.values_list("tree_id", flat=True)}
    for model in (CodeVersion, Proposal):
        for column in ("tree", "baseline"):
            rows = model._base_manager.filter(**{f"{column}__in": trees})
            used |= {*rows.values_list(column, flat=True)}
    for column in ("tree", "baseline"):
        people = MemoryUser.everybody.filter(**{f"{column}__in": trees})
        used |= {*people.values_list(column, flat=True)}
    dropped = Tree.objects.filter(pk__in=trees - used)
    blobs = {blob for files in dropped.values_list("files", flat=True) for blob in files.values()}
    dropped._raw_delete(connection.alias)
    for files in Tree.objects.values_list("files", flat=True).iterator():
        blobs -= {*files.values()}
    Blob.objects.filter(pk__in=blobs)._raw_delete(connection.alias)


def _audit(action: str, erasure: Erasure, staff: Staff, now: datetime) -> None:
    audit.record(
        action,
        actor=staff,
        now=now,
        person=erasure.user_id,
        of="erasure",
        object_id=erasure.pk,
    )
