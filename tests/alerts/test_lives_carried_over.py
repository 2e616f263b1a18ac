"""What the migration to the life cycle makes of alerts that were there before it."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User as Staff

from alerts.actions import acknowledge_alert, resolve_alert
from alerts.lifecycle import ACKNOWLEDGED_FOR
from alerts.models import Alert
from memory.models import MemoryUser
from tests.api_client import Api
from tests.facts import allergy, medication

carry_over = import_module("alerts.migrations.0009_lives_so_far").carry_over


@pytest.fixture
def lives(api: Api, person: MemoryUser, caregiver: Staff, now: datetime) -> list[Alert]:
    """Two alerts of one kind, the first over, the second acknowledged; and one of another."""
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    api.append(person, medication("Amoxicillin", "retract"))
    resolve_alert(alert=Alert.objects.get(), actor=caregiver, now=now)
    api.append(person, medication("Amoxicillin"), medication("Ampicillin"))
    again = Alert.objects.get(status="open", recurrences=1)
    acknowledge_alert(alert=again, actor=caregiver, now=now)
    return list(Alert.objects.order_by("pk"))


def test_lives_are_what_they_would_be_if_it_had_always_been_so(
    lives: list[Alert], caregiver: Staff
) -> None:
    Alert.objects.update(owner=None, until=None, recurrences=0, first_opened_at="2000-01-01T00:00Z")
    started = datetime.now(tz=lives[0].opened_at.tzinfo)
    carry_over(apps, None)
    for was in lives:
        now = Alert.objects.get(pk=was.pk)
        assert (now.recurrences, now.first_opened_at) == (was.recurrences, was.first_opened_at)
        assert (now.owner, now.status_at) == (was.owner, was.changed_at)
    held = Alert.objects.get(status="acknowledged")
    assert held.owner == caregiver
    assert held.until is not None
    lasts = ACKNOWLEDGED_FOR[held.severity]  # type: ignore[index]
    assert timedelta() <= held.until - lasts - started < timedelta(minutes=5)
