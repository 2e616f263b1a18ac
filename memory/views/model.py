"""The language model, for admins: whether it answers, what it is asked for, what that costs."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from memory import access
from memory.actions.model_calls import retry_endpoint
from memory.checkpointer.model.config import model_config
from memory.checkpointer.model.status import model_status
from memory.rights import Right
from memory.views.pages import staff_page


@require_safe
@staff_page(Right.ADMINISTER)
def model(request: HttpRequest) -> HttpResponse:
    """The endpoint's state, today's calls by stage, budgets, and what failed last."""
    config, now = model_config(), timezone.now()
    context = {
        "url": config.base_url,
        "budget": config.daily_budget,
        "budget_per_person": config.daily_budget_per_person,
        "now": now,
        "status": model_status(config, now),
    }
    return render(request, "memory/model.html", context)


@require_POST
@staff_page(Right.ADMINISTER)
def retry_model(request: HttpRequest) -> HttpResponse:
    """Let the next call try an endpoint that is left alone, instead of waiting."""
    staff = access.staff(request.user, Right.ADMINISTER)
    if retry_endpoint(url=model_config().base_url, actor=staff, now=timezone.now()):
        messages.success(request, "The next call tries the endpoint.")
    else:
        messages.warning(request, "Calls pass, or one is trying the endpoint at this moment.")
    return redirect("model")
