"""What is answered where something went wrong on our side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from memory.correlation import current

API = "/api/"


def server_error(request: HttpRequest) -> HttpResponse:
    """A problem document for apps, a page for people; both name the request, for the log."""
    if request.path.startswith(API):
        problem = {
            "type": "about:blank",
            "title": "Internal server error",
            "status": 500,
            "detail": "The fault is ours and has been noted. Ask again with the same "
            "Idempotency-Key: what was stored is not stored twice.",
            "request_id": current(),
        }
        return JsonResponse(problem, status=500, content_type="application/problem+json")
    return HttpResponse(render_to_string("500.html", {"request_id": current()}), status=500)
