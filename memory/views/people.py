"""The list of people."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, Lower, NullIf
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory import access
from memory.views.pages import staff_page

PAGE = 50
LONGEST_SEARCH = 200
BY_NAME = Lower(Coalesce(NullIf("display_name", Value("")), "external_id"))


@require_safe
@staff_page
def people(request: HttpRequest) -> HttpResponse:
    """The people somebody may see, by name; `?q=` searches names and ids."""
    access.staff(request.user)
    sought = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    found = access.memory_users(request.user).order_by(BY_NAME, "pk")
    if sought:
        found = found.filter(Q(display_name__icontains=sought) | Q(external_id__icontains=sought))
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    return render(request, "memory/people.html", {"page": page, "sought": sought})
