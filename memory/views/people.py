"""The list of people."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.db.models import Q, Value
from django.db.models.functions import Coalesce, Lower, NullIf
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from memory import access
from memory.rights import Right
from memory.views.pages import staff_page

PAGE = 50
LONGEST_SEARCH = 200
BY_NAME = Lower(Coalesce(NullIf("display_name", Value("")), "external_id"))


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.USERS_READ)
def people(request: HttpRequest) -> HttpResponse:
    """The people somebody may see, by name.

    A search of names and ids comes by POST, its later pages too: no name stands in an address.
    """
    sought = request.POST.get("q", "").replace("\0", "").strip()[:LONGEST_SEARCH]
    found = access.memory_users(request.user, Right.USERS_READ).order_by(BY_NAME, "pk")
    if sought:
        found = found.filter(Q(display_name__icontains=sought) | Q(external_id__icontains=sought))
    page = Paginator(found, PAGE).get_page(request.POST.get("page") or request.GET.get("page"))
    return render(request, "memory/people.html", {"page": page, "sought": sought})
