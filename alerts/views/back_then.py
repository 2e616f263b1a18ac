"""What would have fired on an earlier day, for staff: by the rules of then, or by those of now."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from alerts.rerun import BUSY, Busy
from alerts.rerun.back_then import back_then
from memory.access import memory_user
from memory.rights import Right
from memory.then import then
from memory.views.days import day_of, last_moment_of
from memory.views.pages import staff_page

NO_DAY = "Choose a day that has ended where the person is."


@require_safe
@staff_page(Right.ALERTS_READ)
def fired_then(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """The form, and what the rules say of what was known when the day ended; nothing is stored."""
    person, now = memory_user(request.user, user_id, Right.ALERTS_READ), timezone.now()
    asked, day = request.GET.get("on", ""), day_of(request.GET.get("on", ""))
    by_now = request.GET.get("rules") == "now"
    found, problem, status = None, "", 200
    if day is not None and (moment := last_moment_of(day, person)) < now:
        try:
            found = back_then(then(person, moment, now=now), "now" if by_now else "then")
        except Busy:
            problem, status = BUSY, 503
    elif asked:
        problem, status = NO_DAY, 400
    context = {"person": person, "day": day, "by_now": by_now, "found": found, "problem": problem}
    return render(request, "alerts/back_then.html", context, status=status)
