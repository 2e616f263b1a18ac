"""A question in words on a person's page: its answer, what that rests on, and the query to edit."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from memory import access
from memory.access import Somebody
from memory.answering.ask import ask as ask_model
from memory.answering.find import channels_of
from memory.answering.shape import LONGEST_QUESTION
from memory.checkpointer.model.errors import ModelError
from memory.models import MemoryUser
from memory.querying.remarks import NotNow
from memory.rights import Right
from memory.views.chart import chart_of
from memory.views.pages import staff_page
from memory.views.person import page_of
from memory.views.query_values import shown

Context = dict[str, Any]


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ASK)
def ask(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Ask. A script gets the answer alone, a form the whole page with it."""
    someone = access.memory_user(request.user, user_id, Right.ASK)
    if request.method != "POST":
        return redirect(f"{reverse('person', args=[someone.pk])}?tab=query")
    question = request.POST.get("question", "").replace("\r\n", "\n").replace("\0", "").strip()
    result = {"person": someone, **_result(request.user, someone, question)}
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "memory/ask_result.html", result)
    context = page_of(request, user_id, "query")
    answered = result.get("answered")
    more = {"question": question, "code": answered.code if answered else ""}
    return render(request, "memory/person.html", {**context, **result, **more})


def _result(somebody: Somebody, someone: MemoryUser, question: str) -> Context:
    """The answer as the page shows it, or `not_now`."""
    if not question:
        return _failed("Write a question first.")
    if len(question) > LONGEST_QUESTION:
        return _failed(f"A question has at most {LONGEST_QUESTION:,} characters; say it in fewer.")
    channels = channels_of(somebody)
    try:
        answered = ask_model(someone, question, channels=channels, now=timezone.now())
    except ModelError as error:
        return _failed(f"The model did not answer: {error}. The console below works without it.")
    except NotNow as error:
        return _failed(str(error))
    found: Context = {"answered": answered}
    if answered.answer is not None and answered.known:
        value = answered.answer.value
        found |= {"shown": shown(value, answered.answer.kinds), "chart": chart_of(value)}
    return found


def _failed(why: str) -> Context:
    return {"not_now": why, "ask_failed": True}
