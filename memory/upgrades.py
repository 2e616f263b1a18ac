"""Who is on which baseline, and the jobs that bring people over at a bounded rate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from memory.actions.bring_over import bring_over
from memory.actions.jobs import enqueue
from memory.models import Baseline, Job, JobStatus, MemoryUser, Proposal, ProposalStatus
from memory.tasks import handles

JOB = "bring over"
AT_ONCE = 200
"""Jobs of this kind in the queue at most: each sweep fills up to it, so that evaluations of what
people say now never stand behind more."""
STANDING = (ProposalStatus.OPEN, ProposalStatus.FAILED, ProposalStatus.REJECTED)


@dataclass(frozen=True)
class Progress:
    """People with records: how many, and how many are on the baseline in force.

    Of the others, `proposed` have a proposal that somebody decides, decided against or must mend,
    and the jobs of `failed` were given up.
    """

    people: int
    done: int
    proposed: int
    failed: int

    @property
    def left(self) -> int:
        """Those for whom a job is still to run."""
        return self.people - self.done - self.proposed - self.failed


@handles(JOB)
def run_bring_over(job: Job) -> None:
    """Bring the job's person over."""
    assert job.user_id is not None
    bring_over(job=job, user_id=job.user_id, now=timezone.now())


def sweep_upgrades() -> None:
    """Every minute: queue some of those who are not on the baseline in force."""
    queue_upgrades(now=timezone.now())


def queue_upgrades(*, now: datetime) -> int:
    """Fill the queue up with people to bring over; how many were added."""
    newest = Baseline.objects.order_by("-number").first()
    if newest is None:
        return 0
    queued = Job.objects.filter(name=JOB, status__in=(JobStatus.QUEUED, JobStatus.RUNNING))
    room = max(AT_ONCE - queued.count(), 0)
    waiting = behind(newest).exclude(pk__in=queued.values("user_id")).order_by("pk")[:room]
    users = list(waiting)
    for user in users:
        with transaction.atomic():
            enqueue(name=JOB, user=user, now=now)
    return len(users)


def behind(newest: Baseline) -> QuerySet[MemoryUser]:
    """The people still to be brought over: nobody has to decide, and no job has been given up."""
    others = MemoryUser.objects.exclude(baseline__in=("", newest.tree_id))
    return others.exclude(Exists(_proposals(newest))).exclude(Exists(_given_up(newest)))


def progress(newest: Baseline) -> Progress:
    """How far the baseline in force has come."""
    people = MemoryUser.objects.exclude(baseline="")
    others = people.exclude(baseline=newest.tree_id)
    open_to_jobs = others.exclude(Exists(_proposals(newest)))
    return Progress(
        people=people.count(),
        done=people.filter(baseline=newest.tree_id).count(),
        proposed=others.filter(Exists(_proposals(newest))).count(),
        failed=open_to_jobs.filter(Exists(_given_up(newest))).count(),
    )


def _proposals(newest: Baseline) -> QuerySet[Proposal]:
    """The proposals that would bring a person over from the tree they have."""
    return Proposal.objects.filter(
        user=OuterRef("pk"),
        parent=OuterRef("tree"),
        baseline_id=newest.tree_id,
        status__in=STANDING,
    )


def _given_up(newest: Baseline) -> QuerySet[Job]:
    return Job.objects.filter(
        user=OuterRef("pk"), name=JOB, status=JobStatus.FAILED, queued_at__gte=newest.adopted_at
    )
