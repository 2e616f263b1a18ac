"""`/metrics`: for nobody without the token, true to the database, and without a person in it."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User as Staff
from django.db import OperationalError, connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from alerts.actions import override_alert
from alerts.models import Alert, OverrideReason
from memory.models import CircuitStatus, Job, JobStatus, MemoryUser, ModelEndpoint
from tests.alerts.page import Page
from tests.api_client import HOST, Api
from tests.facts import allergy, medication, note
from tests.people import new_person
from tests.proposals import bought
from tests.queue import deliver_all
from tests.shipped_copy import ShippedCopy
from uac_site.env import BASE_DIR
from uac_site.operations.figures.all import FIGURES, RULES
from uac_site.operations.figures.rules import OWN

FAILS = '''"""Fails."""

from datetime import date

from domains.notes.state import notes
from uac import Alert


def check(today: date) -> list[Alert]:
    return [notes[99]]
'''
TOKEN = "a-token-that-nobody-guesses"
Sample = dict[tuple[str, ...], float]


@pytest.fixture
def collector(settings: Settings) -> Client:
    """Who collects the figures, with the token."""
    settings.METRICS_TOKEN = TOKEN
    return Client(SERVER_NAME="10.1.2.3", headers={"Authorization": f"Bearer {TOKEN}"})


def _read(collector: Client) -> dict[str, Sample]:
    """Each figure by name, its samples by the values of their labels in the order of names."""
    for kept in (FIGURES, RULES):
        kept.forget()
    found: dict[str, Sample] = {}
    for family in text_string_to_metric_families(_text(collector)):
        for sample in family.samples:
            labels = tuple(value for _, value in sorted(sample.labels.items()))
            found.setdefault(sample.name, {})[labels] = sample.value
    return found


def _text(collector: Client) -> str:
    answer = collector.get("/metrics")
    assert answer.status_code == 200
    return answer.content.decode()


def test_without_a_token_in_the_settings_there_is_nothing(transactional_db: None) -> None:
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize("sent", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"{TOKEN}"])
def test_who_brings_another_is_refused(settings: Settings, sent: str, db: None) -> None:
    settings.METRICS_TOKEN = TOKEN
    answer = Client().get("/metrics", headers={"Authorization": sent})
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_an_admin_has_no_other_right_to_it(settings: Settings, transactional_db: None) -> None:
    settings.METRICS_TOKEN = TOKEN
    client = Client(SERVER_NAME=HOST)
    client.force_login(Staff.objects.create_superuser("admin"))
    assert client.get("/metrics").status_code == 401


def test_jobs_are_counted_by_kind(collector: Client, transactional_db: None, now: datetime) -> None:
    for status, attempts, error in (
        (JobStatus.QUEUED, 0, ""),
        (JobStatus.QUEUED, 2, "KeyError"),
        (JobStatus.RUNNING, 1, ""),
        (JobStatus.DONE, 1, ""),
    ):
        Job.objects.create(
            name="read",
            status=status,
            attempts=attempts,
            error=error,
            queued_at=now - timedelta(seconds=90),
            finished_at=now if status == JobStatus.DONE else None,
        )
    long_ago = now - timedelta(hours=25)
    for at in (now, long_ago):
        Job.objects.create(name="evaluate", status="failed", queued_at=at, finished_at=at)
    for lease in (now - timedelta(seconds=1), now + timedelta(minutes=1)):  # one worker is lost
        Job.objects.create(
            name="foresee", status="running", attempts=1, queued_at=now, lease_until=lease
        )
    Job.objects.create(name="edit", status="running", attempts=2, queued_at=now, lease_until=lease)
    found = _read(collector)
    assert found["uac_jobs"][("read", "queued")] == 2
    assert found["uac_jobs"][("read", "running")] == 1
    assert found["uac_jobs_retried"] == {
        ("read",): 1, ("evaluate",): 0, ("foresee",): 1, ("edit",): 1,
    }  # fmt: skip
    assert found["uac_jobs_ended_24h"][("evaluate", "failed")] == 1
    assert found["uac_jobs_ended_24h"][("read", "done")] == 1
    assert 90 <= found["uac_job_oldest_queued_seconds"][("read",)] < 120


def test_the_lag_is_that_of_the_oldest_fact_the_rules_have_not_seen(
    collector: Client, api: Api, person: MemoryUser, settings: Settings, now: datetime
) -> None:
    api.append(person, note("seen"))
    assert _read(collector)["uac_evaluation_lag_seconds"] == {(): 0}
    settings.EVALUATION_INLINE_FACTS = 1
    api.append(person, allergy("latex"), allergy("penicillin"))
    other = new_person(name="Never evaluated")
    api.append(other, allergy("latex"), allergy("penicillin"))
    found = _read(collector)
    assert found["uac_evaluation_behind_people"] == {(): 2}
    lag = found["uac_evaluation_lag_seconds"][()]
    assert 0 < lag < 60
    deliver_all()
    found = _read(collector)
    assert found["uac_evaluation_behind_people"] == found["uac_evaluation_lag_seconds"] == {(): 0}


def test_what_waits_is_counted_with_its_age(
    collector: Client, api: Api, person: MemoryUser
) -> None:
    assert api.post_facts(person, {"text": "Plain words"}).status_code == 201
    api.append(person, bought("a lamp"))
    found = _read(collector)
    assert found["uac_waiting"][("fact to be read",)] == 1
    assert found["uac_waiting"][("reading without a kind",)] == 1
    assert 0 < found["uac_waiting_oldest_seconds"][("fact to be read",)] < 60
    assert found["uac_waiting_oldest_seconds"][("proposal",)] == 0


def test_rules_are_counted_and_only_those_that_ship_are_named(
    collector: Client,
    api: Api,
    person: MemoryUser,
    caregiver: Staff,
    now: datetime,
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    alert = Alert.objects.get()
    override_alert(
        alert=alert, actor=caregiver, reason=OverrideReason.TOLERATED, comment="", now=now
    )
    found = _read(collector)
    assert found["uac_rule_fired_total"] == {("drug_allergy",): 1}
    assert found["uac_rule_overridden_total"] == {("drug_allergy",): 1}
    assert found["uac_alerts"] == {("warning", "overridden"): 1}
    Alert.objects.filter(pk=alert.pk).update(rule="ada_and_her_secret")
    text = _text(collector) + str(_read(collector))
    assert _read(collector)["uac_rule_fired_total"] == {(OWN,): 1}
    assert "her_secret" not in text


def test_a_rule_that_fails_is_counted(
    collector: Client, api: Api, person: MemoryUser, code: ShippedCopy
) -> None:
    code.rule("drug_unknown", FAILS)
    api.append(person, note("anything"))
    assert _read(collector)["uac_rule_failing"][("drug_unknown",)] == 1


def test_the_circuit_breaker_and_the_budget_are_told(
    collector: Client, settings: Settings, transactional_db: None, now: datetime
) -> None:
    url = "http://models.test/v1"
    settings.MODEL = {
        **settings.MODEL,
        "base_url": url,
        "models": {"": "m"},
        "daily_budget": 3,
    }
    ModelEndpoint.objects.create(url=url, status=CircuitStatus.OPEN, failures=7, retry_at=now)
    found = _read(collector)
    assert found["uac_model_configured"] == {(): 1}
    assert found["uac_model_circuit"] == {("closed",): 0, ("open",): 1, ("half_open",): 0}
    assert found["uac_model_failures_in_a_row"] == {(): 7}
    assert found["uac_model_budget_left_today"] == {(): 3}


def test_requests_are_counted_by_the_template_of_their_address(
    collector: Client, api: Api, person: MemoryUser
) -> None:
    def count(route: str, status: str) -> float:
        return _read(collector)["uac_http_requests_total"].get(("GET", route, status), 0)

    one = "/api/v1/users/<uuid:user_id>"
    before, unknown = count(one, "200"), count("api:unknown", "404")
    api.get(f"users/{person.pk}")
    api.get("canarycillin")
    assert count(one, "200") == before + 1
    assert count("api:unknown", "404") == unknown + 1
    assert _read(collector)["uac_http_request_seconds_count"][("GET", one)] >= 1


def test_sockets_and_the_way_of_an_event_to_a_page_are_measured(
    collector: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, allergy("penicillin"))
    before = _read(collector)
    during: list[dict[str, Sample]] = []

    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            during.append(await sync_to_async(_read)(collector))
            await sync_to_async(api.append)(person, medication("Amoxicillin"))
            await page.events(1)

    async_to_sync(scenario)()
    after = _read(collector)
    opened = before["uac_sockets_open"][()]
    assert during[0]["uac_sockets_open"] == {(): opened + 1}
    assert after["uac_sockets_open"] == {(): opened}
    name = "uac_event_push_seconds_count"
    assert after[name][()] == before[name][()] + 1


def test_no_person_is_in_any_of_it(
    collector: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), note("canarycillin"))
    page = Client(SERVER_NAME=HOST)
    page.force_login(caregiver)
    page.get(f"/people/{person.pk}?tab=facts")
    page.get("/tables?q=canarycillin")
    page.get(f"/alerts/{Alert.objects.get().pk}")
    text = _text(collector).lower()
    for word in ("canarycillin", "amoxicillin", str(person.pk), person.external_id.lower(), "ada"):
        assert word not in text.replace("database", ""), word


def test_without_the_database_the_processes_still_tell_their_own(
    collector: Client, transactional_db: None
) -> None:
    def gone(*anything: Any) -> None:
        raise OperationalError

    with connection.execute_wrapper(gone):
        found = _read(collector)
    assert found["uac_database_up"] == {(): 0}
    assert "uac_jobs" not in found
    assert found["uac_http_requests_total"]


PROCESS = """
import os, sys, django
django.setup()
from django.test import Client
from uac_site.operations.instruments import SOCKETS
for _ in range(int(sys.argv[1])):
    assert Client().get("/healthz").status_code == 200
SOCKETS.inc()
os._exit(9)  # killed with its socket open
"""
READ = """
import django
django.setup()
from prometheus_client import generate_latest
from uac_site.operations.instruments import SOCKETS, registry
SOCKETS.inc()
print(generate_latest(registry()).decode())
"""


def test_processes_that_share_a_folder_answer_for_one_another(tmp_path: Path) -> None:
    environment = {
        "PATH": "/usr/bin:/bin",
        "DJANGO_SETTINGS_MODULE": "uac_site.settings",
        "DATABASE_URL": "sqlite://:memory:",
        "UAC_METRICS_DIR": str(tmp_path / "metrics"),
    }

    def start(*command: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", *command],
            cwd=BASE_DIR,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    for count in ("2", "3"):
        start(PROCESS, count)
    text = start(READ)
    assert 'uac_http_requests_total{method="GET",route="/healthz",status="200"} 5.0' in text
    assert "uac_sockets_open 1.0" in text
