"""The dashboard and its parts. Pages work by HTTP alone; scripts fetch the fragments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from alerts import access
from alerts.models import EARLY, Alert
from alerts.views.board import board_for
from alerts.views.early_panel import EarlyPanel, early_panel_of
from alerts.views.forms import DismissForm, OverrideForm, ShelveForm
from alerts.views.panel import Panel, panel_of
from alerts.views.sought import SoughtForm
from memory.access import NotFound
from memory.rights import Right
from memory.views.pages import number_of, staff_page

ActForm = OverrideForm | ShelveForm | DismissForm
LAST_ID = 2**63


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ALERTS_READ)
def dashboard(request: HttpRequest) -> HttpResponse:
    """Alerts in lanes beside the one looked at: `?alert=`, else the gravest.

    What is sought comes by POST: no name stands in an address.
    """
    return dashboard_page(request, _asked(request))


@require_http_methods(["GET", "HEAD", "POST"])
@staff_page(Right.ALERTS_READ)
def board(request: HttpRequest) -> HttpResponse:
    """The lanes and counts alone."""
    sought = _seeking(request).sought()
    context = {"board": board_for(request.user, sought), "now": timezone.now()}
    return render(request, "alerts/board.html", context | {"selected": _asked_id(request)})


@require_safe
@staff_page(Right.ALERTS_READ)
def alert(request: HttpRequest, alert_id: int) -> HttpResponse:
    """The lasting address of an alert: the dashboard with it open."""
    return redirect(address_of(access.alert_or_early_word(request.user, alert_id)))


@require_safe
@staff_page(Right.ALERTS_READ)
def panel(request: HttpRequest, alert_id: int) -> HttpResponse:
    """One alert's panel alone."""
    return panel_page(request, access.alert_or_early_word(request.user, alert_id))


def _seeking(request: HttpRequest) -> SoughtForm:
    """The filters as they came, or none: the posts of actions have others."""
    came = request.method == "POST" and "sought" in request.POST
    return SoughtForm(request.POST if came else None, somebody=request.user)


def _asked_id(request: HttpRequest) -> int | None:
    return number_of(request.GET.get("alert"), below=LAST_ID)


def _asked(request: HttpRequest) -> Alert | None:
    """The alert of the query. Raises NotFound for one that is named and not there."""
    if "alert" not in request.GET:
        return None
    alert_id = _asked_id(request)
    if alert_id is None:
        raise NotFound
    return access.alert_or_early_word(request.user, alert_id)


def address_of(found: Alert) -> str:
    """Where the dashboard opens with this alert."""
    return f"{reverse('dashboard')}?alert={found.pk}"


def by_script(request: HttpRequest) -> bool:
    """Whether a script of ours asks, which takes fragments."""
    return request.headers.get("X-Requested-With") == "fetch"


def dashboard_page(
    request: HttpRequest,
    chosen: Alert | None,
    *,
    form: ActForm | None = None,
    more: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page, with an alert chosen or the gravest."""
    seeking = _seeking(request)
    listed = board_for(request.user, seeking.sought())
    shown = chosen or listed.first
    if shown is not None and chosen is None:
        # Whole: rows leave out what they do not show
        shown = access.alert_or_early_word(request.user, shown.pk)
    context = {
        "board": listed,
        "seeking": seeking,
        "panel": _panel_of(shown) if shown else None,
        "selected": shown.pk if shown else None,
        "chosen": chosen is not None,
        **_forms(shown, form),
        **(more or {}),
        "now": timezone.now(),
    }
    return render(request, "alerts/dashboard.html", context, status=status)


def panel_page(
    request: HttpRequest,
    found: Alert,
    *,
    form: ActForm | None = None,
    notice: str = "",
    more: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    """One alert\'s panel; with status 409 as one that somebody was quicker with."""
    shown = _panel_of(found)
    context = {
        "panel": shown,
        **_forms(found, form),
        "notice": notice,
        "late": status == 409,
        **(more or {}),
        "now": timezone.now(),
    }
    return render(request, shown.template, context, status=status)


def show_panel(request: HttpRequest, found: Alert, more: Mapping[str, Any]) -> HttpResponse:
    """An alert's panel with more in it, alone for a script and else on the dashboard."""
    if by_script(request):
        return panel_page(request, found, more=more)
    return dashboard_page(request, found, more=more)


def _panel_of(found: Alert) -> Panel | EarlyPanel:
    return early_panel_of(found) if found.origin in EARLY else panel_of(found)


def _forms(found: Alert | None, given: ActForm | None) -> dict[str, ActForm]:
    """The forms of an alert's panel, one of them as it was sent."""
    if found is None:
        return {}
    if found.origin in EARLY:
        return {"form": given or DismissForm()}
    shelving = given if isinstance(given, ShelveForm) else ShelveForm(severity=found.severity)
    overriding = given if isinstance(given, OverrideForm) else OverrideForm()
    return {"form": overriding, "shelving": shelving}
