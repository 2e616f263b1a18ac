"""End what a model is doing for a person, or have it read what waits."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from memory import access
from memory.actions.progress import JobOver, NotCancellable, cancel_job
from memory.actions.to_read import read_now
from memory.rights import Right
from memory.views.pages import staff_page

CANCELLED = "Cancelled. What was not done waits until something new is said or somebody asks."


@require_POST
@staff_page(Right.JOBS_CANCEL)
def cancel(request: HttpRequest, user_id: UUID, job_id: UUID) -> HttpResponse:
    """End a job and those that would follow it."""
    job = access.job(request.user, job_id, Right.JOBS_CANCEL)
    if job.user_id != user_id:
        raise access.NotFound
    try:
        cancel_job(job_id=job_id, actor=request.user, now=timezone.now())
    except JobOver:
        messages.warning(request, "It had ended already; look whether another one runs.")
    except NotCancellable:
        messages.error(request, "This cannot be cancelled.")
    else:
        messages.success(request, CANCELLED)
    page = "person" if access.may(request.user, Right.STATE_READ) else "person_reading"
    return redirect(page, user_id)


@require_POST
@staff_page(Right.READINGS_CONFIRM)
def read(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Have a model read now what waits."""
    if read_now(user_id=user_id, actor=request.user, now=timezone.now()):
        messages.success(request, "It is being read.")
    else:
        messages.warning(request, "Nothing can be read: nothing waits, or no model is configured.")
    return redirect("person_reading", user_id)
