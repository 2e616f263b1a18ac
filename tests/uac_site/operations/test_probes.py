"""`/healthz` and `/readyz`: whether the process lives, and whether it can do its work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from django_q.models import Task
from pytest_django import Settings

from memory.models import Job, JobStatus
from memory.sandbox import Limits
from uac_site.operations import checks
from uac_site.operations.checks import READY

NAMES = ["database", "migrations", "channel layer", "worker", "sandbox"]


@pytest.fixture
def probe(settings: Settings) -> Client:
    """A balancer: it comes by a bare address and over plain HTTP."""
    settings.SECURE_SSL_REDIRECT = True
    return Client(SERVER_NAME="10.1.2.3", raise_request_exception=False)


def _ended(at: datetime) -> None:
    """A delivery that a worker ended."""
    Task.objects.create(id="1", name="sweep", func="x", started=at, stopped=at, success=True)


@pytest.fixture
def heard(transactional_db: None, now: datetime) -> None:
    """A worker was heard a minute ago."""
    _ended(now - timedelta(minutes=1))


def _missing(probe: Client) -> list[str]:
    READY.forget()
    answer = probe.get("/readyz")
    assert answer.status_code == 503
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["status"] == 503
    assert body["request_id"] == answer["X-Request-ID"]
    assert [one["name"] for one in body["checks"]] == NAMES
    missing = [one["name"] for one in body["checks"] if not one["ok"]]
    assert body["detail"] == f"Missing: {', '.join(missing)}."
    return missing


def test_who_asks_whether_it_lives_needs_no_database(probe: Client) -> None:
    # This test asks for no database, so that any query would fail it
    answer = probe.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer["Cache-Control"] == "no-store"
    assert probe.post("/healthz").status_code == 405


def test_ready_names_everything_that_was_tried(probe: Client, heard: None, now: datetime) -> None:
    answer = probe.get("/readyz")
    assert answer.status_code == 200, answer.content
    body = answer.json()
    assert body["status"] == "ready"
    assert [(one["name"], one["ok"]) for one in body["checks"]] == [(name, True) for name in NAMES]
    told = {one["name"]: one["detail"] for one in body["checks"]}["worker"]
    seconds = int(told.removeprefix("heard ").removesuffix(" s ago"))
    assert 60 <= seconds <= 61 + (timezone.now() - now).total_seconds()


def test_without_a_worker_ever_heard_it_is_not_ready(probe: Client, transactional_db: None) -> None:
    assert _missing(probe) == ["worker"]


def test_a_worker_that_fell_silent_is_missed_and_one_that_holds_a_job_is_not(
    probe: Client, transactional_db: None, now: datetime, settings: Settings
) -> None:
    settings.WORKER_SILENT_SECONDS = 200
    _ended(now - timedelta(seconds=300))
    assert _missing(probe) == ["worker"]
    job = Job.objects.create(
        name="structure",
        status=JobStatus.RUNNING,
        queued_at=now,
        lease_until=now + timedelta(minutes=5),
    )
    READY.forget()
    assert probe.get("/readyz").status_code == 200
    Job.objects.filter(pk=job.pk).update(lease_until=now - timedelta(seconds=1))
    assert _missing(probe) == ["worker"]


def test_a_migration_that_is_not_applied_is_counted(probe: Client, heard: None) -> None:
    applied = MigrationRecorder.Migration.objects.filter(app="alerts", name="0001_initial")
    row = applied.get()
    applied.delete()
    try:
        assert _missing(probe) == ["migrations"]
        assert b"1 not applied: run manage.py migrate" in probe.get("/readyz").content
    finally:
        row.save(force_insert=True)


def test_without_the_database_nothing_that_needs_it_is_there(probe: Client, heard: None) -> None:
    def gone(*anything: Any) -> None:
        raise OperationalError("no route to canarycillin")

    with connection.execute_wrapper(gone):
        assert _missing(probe) == ["database", "migrations", "worker"]
        assert b"canarycillin" not in probe.get("/readyz").content
        assert probe.get("/healthz").status_code == 200


def test_a_channel_layer_that_does_not_answer_is_named(
    probe: Client, heard: None, settings: Settings
) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:1/0"]},
        }
    }
    assert _missing(probe) == ["channel layer"]


def test_open_pages_that_listen_do_not_hide_the_channel_layer(probe: Client, heard: None) -> None:
    with listening():
        READY.forget()
        answer = probe.get("/readyz")
    assert answer.status_code == 200, answer.content


@contextmanager
def listening() -> Iterator[None]:
    """A page's socket waits on the channel layer, in an event loop of another thread."""
    layer: Any = get_channel_layer()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def wait() -> asyncio.Task[Any]:
        channel = await layer.new_channel("page")
        return asyncio.create_task(layer.receive(channel))

    waiting = asyncio.run_coroutine_threadsafe(wait(), loop).result(10)

    async def end() -> None:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

    yield
    asyncio.run_coroutine_threadsafe(end(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_a_sandbox_without_time_is_named(
    probe: Client, heard: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "SANDBOX", Limits(total_seconds=0.0))
    assert _missing(probe) == ["sandbox"]


def test_who_asks_often_costs_little(probe: Client, heard: None) -> None:
    assert probe.get("/readyz").status_code == 200
    Task.objects.all().delete()
    assert probe.get("/readyz").status_code == 200  # as it was found a moment ago
    assert _missing(probe) == ["worker"]
