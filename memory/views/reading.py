"""What a model has read for a person, what it could not, and what it holds for a decision."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import access
from memory.actions.held import FitsNoMore, NotHeld, RecordMoved, confirm_held, refuse_held
from memory.actions.to_read import read_again
from memory.models import Job, ToRead
from memory.questions import open_questions
from memory.reading_counts import reading_of
from memory.rights import Right
from memory.views.back import from_queue, to_queue
from memory.views.held_rows import held_rows
from memory.views.pages import number_of, staff_page

SHOWN = 50
DECIDED = "Somebody has decided it meanwhile; nothing was changed."
MOVED = "The record has changed since this page was made. Look at it as it is now."


@require_safe
@staff_page(Right.READINGS_CONFIRM)
def person_reading(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """What is held, stuck and doubtful, with how much has been read."""
    person = access.memory_user(request.user, user_id, Right.READINGS_CONFIRM)
    waiting = ToRead.objects.waiting().filter(user=person).exclude(reason="")
    context = {
        "person": person,
        "reading": reading_of(person),
        "reading_now": Job.objects.under_way().filter(user=person, name="read").exists(),
        "why": waiting.values_list("reason", flat=True).first(),
        "held": held_rows(access.held_readings(request.user).held().filter(user=person)[:SHOWN]),
        "stuck": ToRead.objects.stuck().filter(user=person).order_by("stream", "seq")[:SHOWN],
        "questions": open_questions(person)[:SHOWN],
        "now": timezone.now(),
    }
    return render(request, "memory/person_reading.html", context)


@require_POST
@staff_page(Right.READINGS_CONFIRM)
def confirm(request: HttpRequest, held_id: int) -> HttpResponse:
    """Let a held reading change its record; bound to the record that the page had shown."""
    held = access.held_reading(request.user, held_id)
    seen = number_of(request.POST.get("seen"))
    try:
        confirm_held(
            held_id=held_id,
            seen=-1 if seen is None else seen,
            actor=access.staff(request.user, Right.READINGS_CONFIRM),
            now=timezone.now(),
        )
    except NotHeld:
        messages.warning(request, DECIDED)
    except RecordMoved:
        messages.warning(request, MOVED)
    except FitsNoMore as error:
        messages.error(request, f"It fits the records no more: {error}")
    else:
        messages.success(request, "Confirmed: the record is changed, and the rules run.")
    return _back(request, held.user_id)


@require_POST
@staff_page(Right.READINGS_CONFIRM)
def refuse(request: HttpRequest, held_id: int) -> HttpResponse:
    """Leave the record as it is."""
    held = access.held_reading(request.user, held_id)
    try:
        refuse_held(
            held_id=held_id,
            actor=access.staff(request.user, Right.READINGS_CONFIRM),
            now=timezone.now(),
        )
    except NotHeld:
        messages.warning(request, DECIDED)
    else:
        messages.success(request, "Refused: the record stays as it is.")
    return _back(request, held.user_id)


@require_POST
@staff_page(Right.READINGS_CONFIRM)
def again(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Let the model try once more what is stuck."""
    count = read_again(user_id=user_id, actor=request.user, now=timezone.now())
    if count:
        messages.success(request, f"{count} to be read once more.")
    else:
        messages.warning(request, "Nothing is stuck.")
    return redirect("person_reading", user_id)


def _back(request: HttpRequest, user_id: UUID) -> HttpResponse:
    return to_queue(request) if from_queue(request) else redirect("person_reading", user_id)
