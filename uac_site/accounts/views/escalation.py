"""Admins look after a team's escalation: its steps, quiet hours, and webhooks."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User as Staff
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from alerts.delivery.webhooks import TooMany, add_team_webhook
from alerts.escalation.policies import (
    StepGone,
    TooManySteps,
    add_step,
    remove_step,
    set_manner,
)
from alerts.models import EscalationPolicy, EscalationStep, Severity, Webhook
from memory.access import NotFound
from memory.models import Team, TeamMembership
from memory.rights import Right
from memory.views.pages import staff_page
from uac_site.accounts.escalation_forms import (
    NOT_CRITICAL,
    MannerForm,
    StepForm,
    WebhookForm,
    manner_of,
)
from uac_site.accounts.office import admin_of, team_of


@require_safe
@staff_page(Right.ADMINISTER)
def escalation(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Whom a team's alerts are told to, by what, and after how long."""
    return _page(request, team_of(team_id))


@require_POST
@staff_page(Right.ADMINISTER)
def manner(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Set quiet hours, words, and when it is an alert that nobody has acknowledged one."""
    team, form = team_of(team_id), MannerForm(request.POST)
    if not form.is_valid():
        return _page(request, team, manner=form)
    set_manner(team=team, manner=form.manner(), actor=admin_of(request), now=timezone.now())
    messages.success(request, "Set. It holds for what waits now, too.")
    return redirect("escalation", team.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def new_step(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Add a step."""
    team = team_of(team_id)
    form = StepForm(request.POST, team=team)
    if form.is_valid():
        try:
            add_step(team=team, step=form.step(), actor=admin_of(request), now=timezone.now())
        except TooManySteps as error:
            form.add_error(None, f"A team has at most {error} steps; remove one.")
        else:
            messages.success(request, "The step is added.")
            return redirect("escalation", team.pk)
    return _page(request, team, step=form)


@require_POST
@staff_page(Right.ADMINISTER)
def drop_step(request: HttpRequest, team_id: UUID, step_id: int) -> HttpResponse:
    """Take a step out."""
    team = team_of(team_id)
    try:
        remove_step(team=team, step_id=step_id, actor=admin_of(request), now=timezone.now())
    except StepGone:
        raise NotFound from None
    messages.success(request, "The step is removed.")
    return redirect("escalation", team.pk)


@require_POST
@staff_page(Right.ADMINISTER)
def new_webhook(request: HttpRequest, team_id: UUID) -> HttpResponse:
    """Make a webhook of the team; its secret is shown once."""
    team, form = team_of(team_id), WebhookForm(request.POST)
    if form.is_valid():
        try:
            made, secret = add_team_webhook(
                team=team, wishes=form.wishes(), actor=admin_of(request), now=timezone.now()
            )
        except TooMany as error:
            form.add_error("url", f"A team has at most {error} webhooks; end one.")
        else:
            return shown_secret(request, made, secret)
    return _page(request, team, hook=form)


def shown_secret(request: HttpRequest, webhook: Webhook, secret: str) -> HttpResponse:
    """The secret, which no redirect, message or session keeps."""
    context = {"webhook": webhook, "secret": secret, "rotated": webhook.secret_number > 1}
    return render(request, "accounts/office/webhook_secret.html", context)


def _page(request: HttpRequest, team: Team, **forms: Any) -> HttpResponse:
    policy = EscalationPolicy.objects.filter(team=team).first()
    steps = EscalationStep.objects.filter(policy=team.pk).select_related("staff", "webhook")
    members = TeamMembership.objects.at(timezone.now()).filter(team=team)
    staff = Staff.objects.filter(pk__in=members.values("staff"), is_active=True)
    context = {
        "team": team,
        "policy": policy,
        "steps": steps.order_by("minutes", "pk"),
        "webhooks": Webhook.objects.filter(team=team).order_by("ended_at", "-created_at"),
        "without_email": staff.filter(email="").order_by("username"),
        "email_configured": settings.EMAIL_CONFIGURED,
        "severities": Severity.choices,
        "not_critical": NOT_CRITICAL,
        "manner": MannerForm(initial=manner_of(policy)),
        "step": StepForm(team=team),
        "hook": WebhookForm(),
        **forms,
    }
    status = 422 if forms else 200
    return render(request, "accounts/office/escalation.html", context, status=status)
