"""The dashboard, and what staff do on it. Pages work by HTTP alone; scripts fetch the fragments."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from alerts import access
from alerts.actions import (
    AlertNotOpen,
    ConcernNotOpen,
    acknowledge_alert,
    dismiss_concern,
    override_alert,
    send_concern,
)
from alerts.board import board_for
from alerts.early_panel import EarlyPanel, early_panel_of
from alerts.forms import DismissForm, OverrideForm
from alerts.models import EARLY, Alert, OverrideReason
from alerts.panel import Panel, panel_of
from memory.access import NotFound, staff
from memory.rights import Right
from memory.views.pages import number_of, staff_page

LAST_ID = 2**63
TOO_LATE = {
    "open": "It is open again: the rules found more since. Look at it and decide anew.",
    "acknowledged": "Somebody else has acknowledged this alert meanwhile. Nothing more is needed.",
    "overridden": "Somebody else has overridden this alert meanwhile. Their reason is below.",
    "resolved": "The rules have cleared this alert meanwhile: its cause no longer holds.",
}
TOO_LATE_FOR_CONCERN = {
    "acknowledged": "Somebody else has asked for a rule meanwhile. Nothing more is needed.",
    "overridden": "Somebody else has dismissed this meanwhile. What they said is below.",
    "resolved": "This was closed meanwhile: the history below says why.",
}


@require_safe
@staff_page(Right.ALERTS_READ)
def dashboard(request: HttpRequest) -> HttpResponse:
    """Alerts in lanes beside the one looked at: `?alert=`, else the gravest."""
    return _dashboard(request, _asked(request))


@require_safe
@staff_page(Right.ALERTS_READ)
def board(request: HttpRequest) -> HttpResponse:
    """The lanes and counts alone."""
    context = {"board": board_for(request.user), "now": timezone.now()}
    return render(request, "alerts/board.html", context | {"selected": _asked_id(request)})


@require_safe
@staff_page(Right.ALERTS_READ)
def alert(request: HttpRequest, alert_id: int) -> HttpResponse:
    """The lasting address of an alert: the dashboard with it open."""
    return redirect(_address(access.alert_or_early_word(request.user, alert_id)))


@require_safe
@staff_page(Right.ALERTS_READ)
def panel(request: HttpRequest, alert_id: int) -> HttpResponse:
    """One alert's panel alone."""
    return _panel(request, access.alert_or_early_word(request.user, alert_id))


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def acknowledge(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Acknowledge an alert."""
    found = access.alert(request.user, alert_id, Right.ALERTS_HANDLE)
    try:
        acknowledge_alert(
            alert=found, actor=staff(request.user, Right.ALERTS_HANDLE), now=timezone.now()
        )
    except AlertNotOpen:
        return _too_late(request, found)
    return _done(request, found, "Acknowledged: others see that you take care of it.")


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def override(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Override an alert with a coded reason."""
    found = access.alert(request.user, alert_id, Right.ALERTS_HANDLE)
    form = OverrideForm(request.POST)
    if not form.is_valid():
        return _again(request, found, form)
    try:
        override_alert(
            alert=found,
            actor=staff(request.user, Right.ALERTS_HANDLE),
            reason=OverrideReason(form.cleaned_data["reason"]),
            comment=form.cleaned_data["comment"],
            now=timezone.now(),
        )
    except AlertNotOpen:
        return _too_late(request, found)
    return _done(request, found, "Overridden: it stays away unless it becomes more severe.")


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def dismiss(request: HttpRequest, concern_id: int) -> HttpResponse:
    """Dismiss a concern."""
    found = access.concern(request.user, concern_id)
    form = DismissForm(request.POST)
    if not form.is_valid():
        return _again(request, found, form)
    actor, comment = staff(request.user, Right.ALERTS_HANDLE), form.cleaned_data["comment"]
    try:
        dismiss_concern(alert=found, actor=actor, comment=comment, now=timezone.now())
    except ConcernNotOpen:
        return _too_late(request, found)
    return _done(request, found, "Dismissed: the same concern does not come back.")


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def send(request: HttpRequest, concern_id: int) -> HttpResponse:
    """Ask for a rule about a concern."""
    found = access.concern(request.user, concern_id)
    try:
        send_concern(
            alert=found, actor=staff(request.user, Right.ALERTS_HANDLE), now=timezone.now()
        )
    except ConcernNotOpen:
        return _too_late(request, found)
    return _done(request, found, "Asked for: a rule that is proposed comes to a reviewer first.")


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


def _address(found: Alert) -> str:
    return f"{reverse('dashboard')}?alert={found.pk}"


def _by_script(request: HttpRequest) -> bool:
    return request.headers.get("X-Requested-With") == "fetch"


def _dashboard(
    request: HttpRequest,
    chosen: Alert | None,
    *,
    form: OverrideForm | DismissForm | None = None,
    status: int = 200,
) -> HttpResponse:
    listed = board_for(request.user)
    shown = chosen or listed.first
    if shown is not None and chosen is None:
        # Whole: rows leave out what they do not show
        shown = access.alert_or_early_word(request.user, shown.pk)
    context = {
        "board": listed,
        "panel": _panel_of(shown) if shown else None,
        "selected": shown.pk if shown else None,
        "chosen": chosen is not None,
        "form": form or _form_for(shown),
        "now": timezone.now(),
    }
    return render(request, "alerts/dashboard.html", context, status=status)


def _panel(
    request: HttpRequest,
    found: Alert,
    *,
    form: OverrideForm | DismissForm | None = None,
    notice: str = "",
    status: int = 200,
) -> HttpResponse:
    shown = _panel_of(found)
    context = {
        "panel": shown,
        "form": form or _form_for(found),
        "notice": notice,
        "late": status == 409,
        "now": timezone.now(),
    }
    return render(request, shown.template, context, status=status)


def _panel_of(found: Alert) -> Panel | EarlyPanel:
    return early_panel_of(found) if found.origin in EARLY else panel_of(found)


def _form_for(found: Alert | None) -> OverrideForm | DismissForm:
    return DismissForm() if found is not None and found.origin in EARLY else OverrideForm()


def _done(request: HttpRequest, found: Alert, words: str) -> HttpResponse:
    if _by_script(request):
        current = access.alert_or_early_word(request.user, found.pk)
        return _panel(request, current, notice=words)
    messages.success(request, words)
    return redirect(_address(found))


def _too_late(request: HttpRequest, found: Alert) -> HttpResponse:
    """Somebody, or the rules, came first: say so and show how the alert stands now."""
    current = access.alert_or_early_word(request.user, found.pk)
    words = (TOO_LATE_FOR_CONCERN if current.origin in EARLY else TOO_LATE)[current.status]
    if _by_script(request):
        return _panel(request, current, notice=words, status=409)
    messages.warning(request, words)
    return redirect(_address(current))


def _again(request: HttpRequest, found: Alert, form: OverrideForm | DismissForm) -> HttpResponse:
    if _by_script(request):
        return _panel(request, found, form=form, status=422)
    return _dashboard(request, found, form=form, status=422)
