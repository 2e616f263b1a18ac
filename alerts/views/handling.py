"""What staff do with alerts and concerns; answered with the panel, the dashboard or the queue."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.models import User as Staff
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from alerts import access
from alerts.actions import (
    AlertNotOpen,
    ConcernNotOpen,
    acknowledge_alert,
    dismiss_concern,
    override_alert,
    reopen_alert,
    resolve_alert,
    send_concern,
    shelve_alert,
)
from alerts.models import EARLY, Alert, OverrideReason
from alerts.views.dashboard import ActForm, address_of, by_script, dashboard_page, panel_page
from alerts.views.forms import DismissForm, OverrideForm, ShelveForm
from memory.access import staff
from memory.rights import Right
from memory.views.back import from_queue, to_queue
from memory.views.pages import staff_page

TOO_LATE = {
    "open": "It is open again: the rules found more since. Look at it and decide anew.",
    "acknowledged": "Somebody else has acknowledged this alert meanwhile. Nothing more is needed.",
    "shelved": "Somebody else has put this alert aside meanwhile. Their reason is below.",
    "overridden": "Somebody else has overridden this alert meanwhile. Their reason is below.",
    "cleared": "The rules have cleared this alert meanwhile: its cause no longer holds.",
    "resolved": "This alert is over: its cause no longer holds, and the history says who saw it.",
    "superseded": "Newer code has taken the place of this alert meanwhile: the history says how.",
}
CHANGED = "It says something else than when you saw it. Look at it and decide anew."
TOO_LATE_FOR_CONCERN = {
    "acknowledged": "Somebody else has asked for a rule meanwhile. Nothing more is needed.",
    "overridden": "Somebody else has dismissed this meanwhile. What they said is below.",
    "resolved": "This was closed meanwhile: the history below says why.",
}


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def acknowledge(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Acknowledge an alert."""
    found, actor = _to_handle(request, alert_id)
    act = partial(acknowledge_alert, alert=found, actor=actor, now=timezone.now())
    return _acted(request, found, act, "Acknowledged: others see that you take care of it.")


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def override(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Override an alert with a coded reason."""
    found, actor = _to_handle(request, alert_id)
    form = OverrideForm(request.POST)
    if not form.is_valid():
        return _again(request, found, form)
    reason = OverrideReason(form.cleaned_data["reason"])
    act = partial(
        override_alert,
        alert=found,
        actor=actor,
        reason=reason,
        comment=form.cleaned_data["comment"],
        now=timezone.now(),
    )
    if reason == OverrideReason.WRONG_FACT:
        words = "Overridden. Now say which fact is wrong: correct it below."
    else:
        words = "Overridden: it stays away unless it says something else."
    return _acted(request, found, act, words)


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def shelve(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Put an alert aside for a time, with a reason."""
    found, actor = _to_handle(request, alert_id)
    form, now = ShelveForm(request.POST, severity=found.severity), timezone.now()
    if not form.is_valid():
        return _again(request, found, form)
    act = partial(
        shelve_alert,
        alert=found,
        actor=actor,
        until=form.until(now),
        comment=form.cleaned_data["comment"],
        now=now,
    )
    words = "Put aside: it opens again by itself when the time has passed."
    return _acted(request, found, act, words)


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def reopen(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Take back what was done to an alert."""
    found, actor = _to_handle(request, alert_id)
    act = partial(reopen_alert, alert=found, actor=actor, now=timezone.now())
    return _acted(request, found, act, "Open again: it asks for somebody's attention.")


@require_POST
@staff_page(Right.ALERTS_HANDLE)
def resolve(request: HttpRequest, alert_id: int) -> HttpResponse:
    """Say that a cleared alert was seen."""
    found, actor = _to_handle(request, alert_id)
    act = partial(resolve_alert, alert=found, actor=actor, now=timezone.now())
    words = "Seen: this alert is over. If its cause comes back, it counts on."
    return _acted(request, found, act, words)


@require_POST
@staff_page(Right.CONCERNS_DECIDE)
def dismiss(request: HttpRequest, concern_id: int) -> HttpResponse:
    """Dismiss a concern."""
    found = access.concern(request.user, concern_id)
    form = DismissForm(request.POST)
    if not form.is_valid():
        return _again(request, found, form)
    act = partial(
        dismiss_concern,
        alert=found,
        actor=staff(request.user, Right.CONCERNS_DECIDE),
        comment=form.cleaned_data["comment"],
        now=timezone.now(),
    )
    return _acted(request, found, act, "Dismissed: the same concern does not come back.")


@require_POST
@staff_page(Right.CONCERNS_DECIDE)
def send(request: HttpRequest, concern_id: int) -> HttpResponse:
    """Ask for a rule about a concern."""
    found = access.concern(request.user, concern_id)
    actor = staff(request.user, Right.CONCERNS_DECIDE)
    act = partial(send_concern, alert=found, actor=actor, now=timezone.now())
    words = "Asked for: a rule that is proposed comes to a reviewer first."
    return _acted(request, found, act, words)


def _to_handle(request: HttpRequest, alert_id: int) -> tuple[Alert, Staff]:
    """An alert, and the member of staff who may do something to it."""
    found = access.alert(request.user, alert_id, Right.ALERTS_HANDLE)
    return found, staff(request.user, Right.ALERTS_HANDLE)


def _acted(
    request: HttpRequest, found: Alert, act: Callable[[], object], words: str
) -> HttpResponse:
    """Do it and say so, unless somebody or the rules came first.

    A form says in `seen` what the alert said on the page that it was sent from.
    """
    if request.POST.get("seen", found.fingerprint) != found.fingerprint:
        return _too_late(request, found, CHANGED)
    try:
        act()
    except (AlertNotOpen, ConcernNotOpen):
        return _too_late(request, found)
    return _done(request, found, words)


def _done(request: HttpRequest, found: Alert, words: str) -> HttpResponse:
    if _in_queue(request):
        messages.success(request, words)
        return to_queue(request)
    if by_script(request):
        current = access.alert_or_early_word(request.user, found.pk)
        return panel_page(request, current, notice=words)
    messages.success(request, words)
    return redirect(address_of(found))


def _too_late(request: HttpRequest, found: Alert, why: str = "") -> HttpResponse:
    """Somebody, or the rules, came first: say so and show how the alert stands now."""
    if _in_queue(request):
        found.refresh_from_db()
        messages.warning(request, why or _why_too_late(found))
        return to_queue(request)
    current = access.alert_or_early_word(request.user, found.pk)
    words = why or _why_too_late(current)
    if by_script(request):
        return panel_page(request, current, notice=words, status=409)
    messages.warning(request, words)
    return redirect(address_of(current))


def _why_too_late(current: Alert) -> str:
    return (TOO_LATE_FOR_CONCERN if current.origin in EARLY else TOO_LATE)[current.status]


def _again(request: HttpRequest, found: Alert, form: ActForm) -> HttpResponse:
    if _in_queue(request):
        messages.error(request, " ".join(map(str, form.errors.get("comment", ()))))
        return to_queue(request)
    if by_script(request):
        return panel_page(request, found, form=form, status=422)
    return dashboard_page(request, found, form=form, status=422)


def _in_queue(request: HttpRequest) -> bool:
    """Whether a concern was decided in the review queue, or by who may see no panel."""
    return from_queue(request) or Right.ALERTS_READ not in request.rights  # type: ignore[attr-defined]
