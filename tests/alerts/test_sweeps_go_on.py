"""A part of a sweep that fails holds back none of the others, and is not passed over in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import OperationalError, connection
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import Settings

from alerts.actions import acknowledge_alert
from alerts.models import Alert, Status, Watermark
from alerts.tasks import SweepFailed, sweep, sweep_dates
from memory.models import Job, MemoryUser
from tests.api_client import Api
from tests.facts import allergy, medication


@contextmanager
def refusing(words: str) -> Iterator[None]:
    """A database that refuses every statement with these words in it."""

    def refuse(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if words in sql:
            raise OperationalError("the disk says canarycillin")
        return execute(sql, *rest)

    with connection.execute_wrapper(refuse):
        yield


@pytest.fixture
def much_to_do(
    api: Api, person: MemoryUser, caregiver: Staff, settings: Settings
) -> tuple[Alert, Job]:
    """An acknowledgement that is over, and a job that the queue lost."""
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    alert = Alert.objects.get()
    acknowledge_alert(alert=alert, actor=caregiver, now=timezone.now() - timedelta(days=9))
    settings.EVALUATION_INLINE_SECONDS = 0.0
    api.append(person, medication("Ibuprofen"))
    OrmQ.objects.all().delete()
    Job.objects.update(delivered_at=timezone.now() - timedelta(hours=1))
    return alert, Job.objects.get(name="evaluate")


@pytest.mark.parametrize(
    ("words", "failed"),
    [
        ('FROM "alerts_watermark"', "sweep_behind (OperationalError)"),
        ('FROM "alerts_delivery"', "sweep_deliveries (OperationalError)"),
    ],
)
def test_the_parts_after_one_that_fails_are_run(
    much_to_do: tuple[Alert, Job], words: str, failed: str, caplog: pytest.LogCaptureFixture
) -> None:
    alert, job = much_to_do
    with refusing(words), pytest.raises(SweepFailed) as raised:
        sweep()
    assert str(raised.value) == failed
    alert.refresh_from_db()
    assert alert.status == Status.OPEN
    assert (str(job.pk),) in [package.task["args"] for package in OrmQ.objects.all()]
    (said,) = [one for one in caplog.records if one.name == "alerts.tasks"]
    assert said.levelname == "ERROR"
    assert said.exc_info is not None


def test_every_part_that_fails_is_named(much_to_do: tuple[Alert, Job]) -> None:
    alert, _ = much_to_do
    with refusing("alerts_"), pytest.raises(SweepFailed) as raised:
        sweep()
    names = ("sweep_behind", "reopen_expired", "sweep_deliveries")
    assert str(raised.value) == ", ".join(f"{name} (OperationalError)" for name in names)
    alert.refresh_from_db()
    assert alert.status == Status.ACKNOWLEDGED
    assert OrmQ.objects.exists()
    sweep()
    alert.refresh_from_db()
    assert alert.status == Status.OPEN


def test_the_days_are_looked_at_where_old_deliveries_cannot_be_dropped(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"))
    Watermark.objects.update(local_date=date(2020, 1, 1))
    with refusing('"alerts_delivery"'), pytest.raises(SweepFailed, match="drop_old"):
        sweep_dates()
    assert Job.objects.filter(name="evaluate", user=person).exists()
