"""The console on a person's page: a query in Python, its answer or what is wrong with it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from memory import access
from memory.models import MemoryUser
from memory.querying.ask import NotNow, QueryFailed, ask
from memory.rights import Right
from memory.views.chart import chart_of
from memory.views.pages import staff_page
from memory.views.person import page_of
from memory.views.query_values import shown

LONGEST = 20_000
Context = dict[str, Any]


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.QUERY)
def query(request: HttpRequest, user_id: UUID) -> HttpResponse:
    """Run a query. A script gets the answer alone, a form the whole page with it.

    Who comes back to the address (from the login, say) finds the console.
    """
    someone = access.memory_user(request.user, user_id, Right.QUERY)
    if request.method != "POST":
        return redirect(f"{reverse('person', args=[someone.pk])}?tab=query")
    code = (request.POST.get("example") or request.POST.get("code", "")).replace("\r\n", "\n")
    result = {"person": someone, **_result(someone, code[: LONGEST + 1])}
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "memory/query_result.html", result)
    context = page_of(request, user_id, "query")
    return render(request, "memory/person.html", {**context, **result, "code": code})


def _result(someone: MemoryUser, code: str) -> Context:
    """The answer as the page shows it, or `failed`, or `not_now`."""
    if not code.strip():
        return {"not_now": "Write a query first; the examples are a beginning."}
    try:
        answer = ask(someone, code, now=timezone.now())
    except QueryFailed as failed:
        return {"failed": failed}
    except NotNow as error:
        return {"not_now": str(error)}
    return {
        "answer": answer,
        "shown": shown(answer.value, answer.kinds),
        "chart": chart_of(answer.value),
        "milliseconds": round(answer.seconds * 1_000),
    }
