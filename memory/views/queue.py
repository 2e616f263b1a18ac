"""The review queue: one list of what waits for somebody's decision, and the count of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from memory.project.danger import DANGERS
from memory.queue.asked import KINDS, ORDERS, STATUSES, asked_for
from memory.queue.choices import offered
from memory.queue.listing import lines_of, page_of
from memory.rights import DECIDING
from memory.views.pages import staff_page

DANGER_WORDS = {"critical": "critical", "warning": "warning", "info": "information", "none": "none"}


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(*DECIDING)
def queue(request: HttpRequest) -> HttpResponse:
    """The whole page. A search for a person comes by POST: no name stands in an address."""
    return render(request, "memory/queue.html", _context(request))


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(*DECIDING)
def queue_list(request: HttpRequest) -> HttpResponse:
    """The parts that change while the page is open."""
    return render(request, "memory/queue_live.html", _context(request))


@require_safe
@staff_page(*DECIDING)
def queue_count(request: HttpRequest) -> HttpResponse:
    """The count in the navigation alone, for pages that are open."""
    return render(request, "memory/queue_count.html")


def _context(request: HttpRequest) -> dict[str, Any]:
    asked = asked_for(request.POST or request.GET, request.POST.get("q", ""))
    now = timezone.now()
    page = page_of(request.user, asked, (request.POST or request.GET).get("page"))
    return {
        "asked": asked,
        "page": page,
        "lines": lines_of(page, now),
        "offered": offered(request.user, asked),
        "statuses": STATUSES.items(),
        "kinds": KINDS.items(),
        "dangers": [(name, DANGER_WORDS[name]) for name in DANGERS],
        "orders": ORDERS.items(),
        "now": now,
    }
