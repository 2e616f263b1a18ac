"""A team with an escalation, and an alert that waits."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from alerts.delivery.mail import send_mails
from alerts.delivery.tasks import tell
from alerts.escalation.policies import Manner, NewStep, add_step, set_manner
from alerts.models import Alert, EscalationPolicy, EscalationStep, Severity
from memory.audit import CONSOLE
from memory.models import MemoryUser
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.staff import ward


@pytest.fixture(autouse=True)
def _mail(settings: Settings) -> None:
    """A mail server is set up."""
    settings.EMAIL_CONFIGURED = True
    settings.SITE_URL = "https://uac.example.org"


@pytest.fixture
def nurse(caregiver: Staff) -> Staff:
    """The caregiver, with an address."""
    Staff.objects.filter(pk=caregiver.pk).update(email="nurse@example.org")
    caregiver.refresh_from_db()
    return caregiver


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """An alert that waits."""
    api.append(person, allergy("penicillin", severity="severe"), medication("Amoxicillin"))
    found = Alert.objects.get()
    assert found.severity == Severity.CRITICAL
    return found


@pytest.fixture
def manner() -> Callable[..., None]:
    """Set how the ward's escalation behaves."""

    def set_(**more: Any) -> None:
        manner = Manner(**{"timezone": "UTC", **more})
        set_manner(team=ward(), manner=manner, actor=CONSOLE, now=timezone.now())

    return set_


@pytest.fixture
def step() -> Callable[..., EscalationStep]:
    """Add a step to the ward's escalation: everybody by e-mail, for every severity, unless told."""

    def add(minutes: int, **more: Any) -> EscalationStep:
        wanted = {"least": Severity.INFO, "by_email": "webhook" not in more, **more}
        new = NewStep(minutes, **wanted)
        return add_step(team=ward(), step=new, actor=CONSOLE, now=timezone.now())

    return add


@pytest.fixture
def after(alert: Alert) -> Callable[..., list[Any]]:
    """What the worker does so many minutes after the alert came; the e-mails sent by that."""

    def work(minutes: float, *, since: datetime | None = None) -> list[Any]:
        begun = EscalationPolicy.objects.values_list("in_force_since", flat=True).first()
        since = since or max(alert.status_at, begun or alert.status_at)
        now = since + timedelta(minutes=minutes, seconds=1)
        before = len(mail.outbox)
        tell(now=now)
        send_mails(clock=lambda: now, ends=math.inf)
        return mail.outbox[before:]

    return work
