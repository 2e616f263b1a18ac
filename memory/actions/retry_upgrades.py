"""Try again to bring people over to the baseline in force, once what kept them has been mended."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from memory import audit
from memory.actions.jobs import deliver
from memory.models import Baseline, Job, JobStatus, Proposal, ProposalStatus


@transaction.atomic
def retry_upgrades(*, name: str, newest: Baseline, now: datetime) -> int:
    """Forget that checks failed on the way to this baseline, and deliver given-up jobs again.

    `name` is that of the jobs. How many people there were; the next sweep queues those whose checks
    had failed.
    """
    failed = Proposal.objects.filter(status=ProposalStatus.FAILED, baseline=newest.tree_id)
    count = failed.update(status=ProposalStatus.SUPERSEDED, decided_at=now)
    given_up = Job.objects.filter(
        name=name, status=JobStatus.FAILED, queued_at__gte=newest.adopted_at
    )
    for job in given_up.select_for_update():
        Job.objects.filter(pk=job.pk).update(status=JobStatus.QUEUED, attempts=0, error="")
        deliver(job, now=now)
        count += 1
    audit.record(
        "baseline.retry", actor=audit.CONSOLE, now=now, of="baseline", object_id=newest.number
    )
    return count
