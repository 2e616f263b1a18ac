"""Adopt the baseline that ships with a new release: one approval for everybody."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from memory import access, audit
from memory.actions.baseline import baseline_in_force
from memory.code import store_project
from memory.models import Baseline, MemoryUser
from memory.project.tree import Project
from memory.rights import Right


class NothingToAdopt(Exception):
    """The project is the baseline in force already."""


@transaction.atomic
def adopt_baseline(*, project: Project, actor: access.Somebody, now: datetime) -> Baseline:
    """Put a project in force as the baseline; people are brought over one by one, by jobs.

    Raises PermissionDenied, NothingToAdopt, and ProjectError for one whose files contradict one
    another.
    """
    staff = access.staff(actor, Right.PROPOSALS_DECIDE)
    current = baseline_in_force(now=now)
    if current.tree_id == project.digest:
        raise NothingToAdopt(project.digest)
    _ = project.kinds
    # Who was recorded before trees were noted stands on the baseline that was in force till now.
    unsettled = MemoryUser.objects.filter(tree="", reading_seq__gt=0)
    unsettled.update(tree=current.tree_id, baseline=current.tree_id)
    adopted = Baseline.objects.create(
        number=current.number + 1,
        tree=store_project(project),
        adopted_at=now,
        adopted_by=staff,
    )
    audit.record("baseline.adopt", actor=staff, now=now, of="baseline", object_id=adopted.number)
    return adopted
