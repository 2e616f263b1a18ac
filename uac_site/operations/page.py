"""The operations page: how the site is doing, for admins and auditors; no personal content."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memory.access import may
from memory.rights import Right
from memory.views.pages import staff_page
from uac_site.operations.charts import chart_of
from uac_site.operations.checks import checks
from uac_site.operations.figures.all import SLOW_SECONDS, figures
from uac_site.operations.figures.hours import day_figures
from uac_site.operations.figures.kept import Kept
from uac_site.operations.tiles import tiles_of
from uac_site.operations.traffic import Traffic, traffic

ROUTES_SHOWN = 15

DAYS = Kept(lambda: [chart_of(day) for day in day_figures(timezone.now())], SLOW_SECONDS)


@require_safe
@staff_page(Right.OPERATIONS_READ)
def operations(request: HttpRequest) -> HttpResponse:
    """Tiles, charts and tables, which stay live while the page is open."""
    return render(request, "operations/page.html", shown(request))


@require_safe
@staff_page(Right.OPERATIONS_READ)
def fragment(request: HttpRequest) -> HttpResponse:
    """The parts of the page that change."""
    return render(request, "operations/live.html", shown(request))


def shown(request: HttpRequest) -> dict[str, Any]:
    """What the page shows of the state at this moment."""
    counted = traffic()
    return {
        **in_tiles(request, counted),
        "charts": DAYS.get(),
        "checks": checks(),
        "routes": counted.routes[:ROUTES_SHOWN],
        "more_routes": max(0, len(counted.routes) - ROUTES_SHOWN),
    }


def in_tiles(request: HttpRequest, counted: Traffic) -> dict[str, Any]:
    """The figures that matter first."""
    found = figures()
    admin = may(request.user, Right.ADMINISTER)
    return {"found": found, "tiles": tiles_of(found, counted, admin=admin)}
