"""Admins look at what was told to whom, and after webhooks: ids and codes, no content."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from alerts.delivery.webhooks import (
    Ended,
    StillWaiting,
    end_webhook,
    replay,
    rotate_secret,
    send_test,
)
from alerts.models import Delivery, DeliveryStatus, Webhook
from memory.access import NotFound
from memory.rights import Right
from memory.views.pages import staff_page
from uac_site.accounts.office import admin_of
from uac_site.accounts.views.escalation import shown_secret

PAGE = 100
ENDED = "The webhook has ended: make a new one."


@require_safe
@staff_page(Right.ADMINISTER)
def deliveries(request: HttpRequest) -> HttpResponse:
    """The newest first; `?status=`, `?webhook=`, and `?before=` a delivery."""
    status, of = request.GET.get("status", ""), _id(request.GET.get("webhook"))
    rows = Delivery.objects.select_related("webhook", "webhook__team", "staff", "event")
    rows = rows.filter(status=status) if status in DeliveryStatus.values else rows
    rows = rows.filter(webhook=of) if of else rows
    before = _id(request.GET.get("before"))
    last = Delivery.objects.filter(pk=before).first() if before else None
    found = list((rows.older_than(last) if last else rows).order_by("-created_at", "-pk")[:PAGE])
    query = request.GET.copy()
    if len(found) == PAGE:
        query["before"] = str(found[-1].pk)
    active = Webhook.objects.select_related("key", "key__app", "team")
    context = {
        "rows": found,
        "statuses": DeliveryStatus.choices,
        "status": status,
        "of": of,
        "more": query.urlencode() if len(found) == PAGE else "",
        "webhooks": active.order_by("ended_at", "-created_at")[:PAGE],
    }
    return render(request, "accounts/office/deliveries.html", context)


@require_POST
@staff_page(Right.ADMINISTER)
def send_again(request: HttpRequest, delivery_id: UUID) -> HttpResponse:
    """Send what was sent once more."""
    delivery = Delivery.objects.select_related("webhook").filter(pk=delivery_id).first()
    if delivery is None:
        raise NotFound
    try:
        replay(delivery=delivery, actor=admin_of(request), now=timezone.now())
    except Ended:
        messages.warning(request, "Only what went to a webhook that there still is.")
    except StillWaiting:
        messages.warning(request, "It waits, and is tried again by itself.")
    else:
        messages.success(request, "It is on its way again.")
    return redirect("deliveries")


@require_POST
@staff_page(Right.ADMINISTER)
def rotate(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """A new secret, shown once; the one before signs beside it for two days."""
    try:
        made, secret = rotate_secret(
            webhook=_webhook(webhook_id), actor=admin_of(request), now=timezone.now()
        )
    except Ended:
        messages.warning(request, ENDED)
        return redirect("deliveries")
    return shown_secret(request, made, secret)


@require_POST
@staff_page(Right.ADMINISTER)
def end(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Tell an address nothing more."""
    webhook = _webhook(webhook_id)
    if end_webhook(webhook=webhook, actor=admin_of(request), now=timezone.now()):
        messages.success(request, "It is told nothing more.")
    else:
        messages.warning(request, "It had ended.")
    return _back(webhook)


@require_POST
@staff_page(Right.ADMINISTER)
def test(request: HttpRequest, webhook_id: UUID) -> HttpResponse:
    """Send something about nobody."""
    webhook = _webhook(webhook_id)
    try:
        send_test(webhook=webhook, actor=admin_of(request), now=timezone.now())
    except Ended:
        messages.warning(request, ENDED)
    else:
        messages.success(request, "A test is on its way; the deliveries tell what comes of it.")
    return redirect("deliveries")


def _back(webhook: Webhook) -> HttpResponse:
    return redirect("escalation", webhook.team_id) if webhook.team_id else redirect("deliveries")


def _webhook(webhook_id: UUID) -> Webhook:
    found = Webhook.objects.select_related("key", "team").filter(pk=webhook_id).first()
    if found is None:
        raise NotFound
    return found


def _id(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None
