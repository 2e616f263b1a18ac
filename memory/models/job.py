"""Work for the queue, each taking effect once however often it is delivered."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q

from memory.models.memory_user import MemoryUser

REST = timedelta(hours=1)
"""How long work on a person's log that failed is left alone, unless it is asked for."""


class JobStatus(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


UNDER_WAY = (JobStatus.QUEUED, JobStatus.RUNNING)


class JobQuerySet(models.QuerySet["Job"]):
    def under_way(self) -> JobQuerySet:
        """Jobs that wait or run."""
        return self.filter(status__in=UNDER_WAY)

    def in_the_way(self, name: str, now: datetime) -> JobQuerySet:
        """Jobs for people that wait or run, or failed within `REST`: not to be asked for again."""
        just_failed = Q(status=JobStatus.FAILED, finished_at__gt=now - REST)
        return self.filter(Q(status__in=UNDER_WAY) | just_failed, name=name, user__isnull=False)

    def claimable(self, now: datetime) -> JobQuerySet:
        """Jobs that wait, or whose worker was lost (its lease has run out)."""
        return self.filter(
            Q(status=JobStatus.QUEUED) | Q(status=JobStatus.RUNNING, lease_until__lt=now)
        )


class Job(models.Model):
    """A unit of background work; the queue carries only its id."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    user = models.ForeignKey(MemoryUser, null=True, on_delete=models.PROTECT, related_name="+")
    arguments = models.JSONField(default=dict)
    status = models.CharField(max_length=10, choices=JobStatus.choices, default=JobStatus.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    token = models.UUIDField(null=True, help_text="Who holds the claim.")
    lease_until = models.DateTimeField(null=True)
    queued_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, help_text="Last put on the queue.")
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    error = models.TextField(blank=True)
    stage = models.CharField(
        max_length=40,
        blank=True,
        default="",
        db_default="",
        help_text="What it is doing, in a word or two.",
    )
    done = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Of `total`, in this stage."
    )
    total = models.PositiveIntegerField(default=0, db_default=0)
    request_id = models.CharField(
        max_length=32,
        blank=True,
        default="",
        db_default="",
        help_text="The request that asked for it first, empty for a sweep's.",
    )
    cancel_at = models.DateTimeField(null=True, help_text="When somebody asked for its end.")

    objects = JobQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name", "user"],
                condition=Q(status=JobStatus.QUEUED, user__isnull=False),
                name="job_one_waiting_per_user",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "lease_until"], name="job_status"),
            models.Index(
                fields=["finished_at"], condition=Q(finished_at__isnull=False), name="job_finished"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.status}"
