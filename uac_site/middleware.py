"""What every request and every response of the site carries."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

from memory.correlation import correlated, current, taken_over

HEADER = "X-Request-ID"

POLICIES = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
}


class RequestIdMiddleware:
    """Each request has an id: its own where it brings a good one. The answer names it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with correlated(taken_over(request.headers.get(HEADER, ""))):
            response = self.get_response(request)
            response[HEADER] = current()
        return response


class NoStoreMiddleware:
    """Personal pages and answers are kept by no cache, and nothing of them is anybody else's.

    Static files are served before this.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" not in response:
            add_never_cache_headers(response)
        for name, value in POLICIES.items():
            response.headers.setdefault(name, value)
        return response
