"""Put a person on the baseline in force when their first fact comes."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from memory.code import store_project
from memory.models import Baseline, MemoryUser
from memory.project import shipped

SETTLED = ("tree", "baseline")


def settle(user: MemoryUser, now: datetime) -> bool:
    """Give a locked person without a tree the baseline in force; whether they had none.

    The caller then saves the columns `SETTLED`.
    From then on the person's project is told by their own row, and a new baseline reaches them in
    a transaction of its own.
    """
    if user.tree:
        return False
    user.tree = user.baseline = baseline_in_force(now=now).tree_id
    return True


def baseline_in_force(*, now: datetime) -> Baseline:
    """The baseline adopted last; the one that ships is adopted where there is none."""
    while True:
        newest = Baseline.objects.order_by("-number").first()
        if newest is not None:
            return newest
        tree = store_project(shipped.baseline())
        try:
            with transaction.atomic():
                return Baseline.objects.create(number=1, tree=tree, adopted_at=now)
        except IntegrityError:
            continue
