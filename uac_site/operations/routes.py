"""The template of a request's address, by which is counted: no id or word of anybody is in it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

NOWHERE = "(no such address)"
STATIC = str(settings.STATIC_URL)


def route_of(request: HttpRequest) -> str:
    """`/people/<uuid:user_id>`; for a pattern that is not plain, the view's name."""
    match = request.resolver_match
    if match is None:
        return STATIC if request.path_info.startswith(STATIC) else NOWHERE
    route = str(match.route)
    return match.view_name if "(" in route or "\\" in route else f"/{route}"
