"""The queue's worker, one delivery at a time, in the test's own process."""

from __future__ import annotations

from django.utils.module_loading import import_string
from django_q.models import OrmQ


def deliver_all() -> int:
    """Run everything the queue holds, as the worker would; how many deliveries there were."""
    count = 0
    while (package := OrmQ.objects.order_by("pk").first()) is not None:
        task = package.task
        package.delete()
        import_string(task["func"])(*task["args"], **task["kwargs"])
        count += 1
    return count
