"""Make a project the one that is active for a person."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User as Staff
from django.db.models import Max

from memory.actions.jobs import enqueue
from memory.actions.place_waiting import place_waiting
from memory.actions.rebuild_state import render_again
from memory.code import code_of, load_project, overlay_of
from memory.models import CodeVersion, MemoryUser, Waiting
from memory.refit import changed_kinds

ACTIVATED = ("reading_seq", "reading_head", "tree", "baseline")


def activate(*, user: MemoryUser, tree: str, baseline: str, now: datetime) -> int:
    """Move a locked person to another tree; how many waiting readings found their place.

    Records of kinds that changed are folded anew, what waits and fits now is placed, and an
    evaluation is queued; what goes on waiting is structured anew.
    """
    before = code_of(user).project
    user.tree, user.baseline = tree, baseline
    after = code_of(user).project
    render_again(user=user, kinds=after.kinds, changed=changed_kinds(before, after))
    placed = place_waiting(user=user, now=now)
    user.save(update_fields=ACTIVATED)
    enqueue(name="evaluate", user=user, now=now)
    if Waiting.objects.filter(user=user).exists():
        enqueue(name="structure", user=user, now=now)  # with this code it may be given a place
    return placed


def record_version(
    *,
    user: MemoryUser,
    tree: str,
    baseline: str,
    summary: str,
    approved_by: Staff,
    now: datetime,
) -> CodeVersion:
    """Number the tree that a locked person is about to get as their next version."""
    last = CodeVersion.objects.filter(user=user).aggregate(last=Max("number"))["last"]
    return CodeVersion.objects.create(
        user=user,
        number=(last or 0) + 1,
        tree_id=tree,
        baseline_id=baseline,
        parent=code_of(user).project.digest,
        overlay=list(overlay_of(load_project(tree), load_project(baseline))),
        summary=summary,
        approved_at=now,
        approved_by=approved_by,
    )
