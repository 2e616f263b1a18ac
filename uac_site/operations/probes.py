"""`/healthz`, `/readyz`, `/metrics`: for balancers, supervisors and collectors of figures."""

from __future__ import annotations

from hmac import compare_digest
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client.exposition import choose_encoder

from memory.correlation import current
from uac_site.operations.checks import checks
from uac_site.operations.exposition import exposed

PROBLEM = "application/problem+json"


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process lives; nothing else is asked, no database."""
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether all that is needed is there, each thing by name; 503 where something is missing."""
    found = checks()
    told = [{"name": one.name, "ok": one.ok, "detail": one.detail} for one in found]
    missing = [one.name for one in found if not one.ok]
    if not missing:
        return JsonResponse({"status": "ready", "checks": told})
    return _problem(503, "Not ready", f"Missing: {', '.join(missing)}.", checks=told)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, for who brings the token of the settings; without one for nobody."""
    token: str = settings.METRICS_TOKEN
    if not token:
        return _problem(404, "Not found", "Set UAC_METRICS_TOKEN to have figures here.")
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not compare_digest(given.strip().encode(), token.encode()):
        refused = _problem(401, "Not authenticated", "Send the token as `Authorization: Bearer …`.")
        refused["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return refused
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(exposed()), content_type=content_type)


def _problem(status: int, title: str, detail: str, **more: Any) -> HttpResponse:
    body = {
        **{"type": "about:blank", "title": title, "status": status, "detail": detail},
        **{"request_id": current(), **more},
    }
    return JsonResponse(body, status=status, content_type=PROBLEM)
