"""`users/{id}/jobs`: the background work for a person, how far it is, and its end."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory import access
from memory.actions.progress import JobOver, NotCancellable, cancel_job
from memory.api.base import READ_REFUSALS, Page, UserView, refusals
from memory.api.fields import MAX_PAGE, Strict
from memory.api.problems import Problem
from memory.models import Job, MemoryUser
from memory.models.job import JobQuerySet
from memory.rights import Right


class JobOut(Strict):
    """A piece of background work, such as `read`, `structure` or `evaluate`."""

    id: UUID
    name: str
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    cancelling: bool
    stage: str
    done: int
    total: int
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: str


class JobPage(Strict):
    items: list[JobOut]
    next: str | None


def job_json(job: Job) -> dict[str, Any]:
    """A job as the API shows it."""
    stored = JobOut.model_fields.keys() - {"cancelling"}
    cancelling = job.cancel_at is not None and job.finished_at is None
    return {**{name: getattr(job, name) for name in stored}, "cancelling": cancelling}


class JobsView(UserView):
    rights = {"GET": Right.STATE_READ}

    @extend_schema(
        operation_id="list_jobs",
        parameters=[
            OpenApiParameter("cursor", UUID, description="The job after which the page starts."),
            OpenApiParameter("limit", int, description=f"1 to {MAX_PAGE}; 50 unless told."),
        ],
        responses={200: JobPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The person's jobs, newest first: `done` of `total` messages and facts are accounted for.

        `stage` says what a running one is at; `cancelling`, that its end was asked for.
        """
        user = self.memory_user(request, user_id)
        limit = Page.limit_of(request)
        jobs = self._after(request, user).order_by("-queued_at", "-pk")
        rows = list(jobs[:limit])
        full = len(rows) == limit
        return Response(
            {
                "items": [job_json(row) for row in rows],
                "next": Page.link(request, str(rows[-1].pk)) if full else None,
            }
        )

    def _after(self, request: Request, user: MemoryUser) -> JobQuerySet:
        """The jobs queued before that of the cursor. Raises Problem (400)."""
        jobs, cursor = Job.objects.filter(user=user), request.query_params.get("cursor")
        if cursor is None:
            return jobs
        try:
            last = jobs.get(pk=UUID(cursor))
        except (ValueError, Job.DoesNotExist) as error:
            raise Problem(400, "Bad query", "cursor is the id of one of these jobs.") from error
        return jobs.filter(
            Q(queued_at__lt=last.queued_at) | Q(queued_at=last.queued_at, pk__lt=last.pk)
        )


class CancelJobView(UserView):
    rights = {"POST": Right.JOBS_CANCEL}

    @extend_schema(
        operation_id="cancel_job",
        request=None,
        responses={200: JobOut, **refusals(401, 403, 404, 409, 429)},
    )
    def post(self, request: Request, user_id: UUID, job_id: UUID) -> Response:
        """End a `read` or `structure` job, and those of its name that wait for the person.

        One that waits ends at once, one that runs within a second or so; it stores nothing. What it
        was to do goes on waiting until something new is posted or a member of staff asks for it.
        """
        user = self.memory_user(request, user_id)
        if access.job(self.key(request), job_id, self.right(request)).user_id != user.pk:
            raise access.NotFound
        try:
            job = cancel_job(job_id=job_id, actor=self.key(request), now=timezone.now())
        except NotCancellable as error:
            raise Problem(409, "Not cancellable", f"{error}; only read and structure.") from error
        except JobOver as error:
            raise Problem(409, "The job has ended", "List the jobs to see what runs.") from error
        return Response(job_json(job))
