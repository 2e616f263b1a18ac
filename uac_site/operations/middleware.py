"""What stands before everything else: requests are counted, probes are answered at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import resolve

from uac_site.operations.instruments import REQUESTS, SECONDS
from uac_site.operations.routes import route_of

logger = logging.getLogger("uac_site.requests")

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


class CountMiddleware:
    """Counts each answer and its time by method, route and status; logs it if wanted."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - began
        method = request.method if request.method in METHODS else "OTHER"
        route = route_of(request)
        REQUESTS.labels(method, route, str(response.status_code)).inc()
        SECONDS.labels(method, route).observe(seconds)
        if logger.isEnabledFor(logging.INFO):
            _log(str(method), route, response.status_code, round(1_000 * seconds, 1))
        return response


class ProbeMiddleware:
    """Answers who asks whether the process lives, before any check of host, scheme or session.

    They come by a bare address and over plain HTTP, from a balancer or a collector of figures.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info not in PROBES:
            return self.get_response(request)
        request.resolver_match = match = resolve(request.path_info)
        response: HttpResponse = match.func(request)
        response["Cache-Control"] = "no-store"
        return response


def _log(method: str, route: str, status: int, milliseconds: float) -> None:
    logger.info(
        "%s %s %s %s ms",
        *(method, route, status, milliseconds),
        extra={
            "fields": {"method": method, "route": route, "status": status, "ms": milliseconds},
        },
    )
