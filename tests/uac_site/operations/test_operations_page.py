"""The operations page: what admins and auditors see of the site, and that no person is in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django_q.models import Task
from pytest_django import Settings

from memory.models import AuditEvent, Job, MemoryUser, ModelEndpoint
from memory.rights import Role
from memory.views.stacks import HEIGHT
from tests.api_client import HOST, Api
from tests.facts import allergy, medication
from tests.staff import new_staff
from uac_site.operations.charts import chart_of
from uac_site.operations.figures.hours import Day, Hour
from uac_site.operations.spans import span_words
from uac_site.operations.tiles import judged
from uac_site.operations.traffic import Latency

ADDRESSES = ("/office/operations", "/office/operations/now", "/admin/")


def _browser(name: str, *roles: Role) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(new_staff(name, *roles))
    return client


@pytest.fixture
def boss(transactional_db: None) -> Client:
    """An admin."""
    return _browser("boss", Role.ADMIN)


def _text(client: Client, address: str = "/office/operations") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_auditor_sees_it_and_a_caregiver_does_not(
    transactional_db: None, caregiver: Staff
) -> None:
    auditor = _browser("auditor", Role.AUDITOR)
    assert "Evaluator’s lag" in _text(auditor)
    assert "/office/model" not in _text(auditor)
    assert "/admin/" not in _text(auditor)
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert client.get("/office/operations").status_code == 403
    assert "/office/operations" not in _text(client, "/people")


def test_it_tells_what_stands_badly(
    boss: Client, api: Api, person: MemoryUser, now: datetime, settings: Settings
) -> None:
    Job.objects.create(name="read", status="failed", queued_at=now, finished_at=now)
    url = "http://models.test/v1"
    settings.MODEL = {**settings.MODEL, "base_url": url, "models": {"": "m"}}
    ModelEndpoint.objects.create(url=url, status="open", failures=7, retry_at=now)
    text = _text(boss)
    for words in ("never heard", "7 failures in a row", "worker missing", "fails"):
        assert words in text
    assert text.count('class="card tile critical"') == 3  # worker, failed job, model
    assert "1 failed" in text  # of the chart


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_person_is_in_it(boss: Client, api: Api, person: MemoryUser, address: str) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    text = _text(boss, address).lower()
    for word in (str(person.pk), person.external_id.lower(), "amoxicillin", "penicillin"):
        assert word not in text
    assert "drug_allergy" in text or address == "/admin/"


def test_looking_at_it_leaves_no_row_in_the_audit(boss: Client) -> None:
    before = AuditEvent.objects.count()
    for address in ADDRESSES:
        _text(boss, address)
    assert AuditEvent.objects.count() == before


def test_the_administration_begins_with_the_same_figures(boss: Client) -> None:
    text = _text(boss, "/admin/")
    for words in ("Jobs under way", "Evaluator’s lag", "Rules failing", "From event to page"):
        assert words in text
    assert "<style" not in text
    assert "theme.js" not in text


def test_the_administration_does_not_wait_for_what_it_does_not_show(
    boss: Client, now: datetime
) -> None:
    _text(boss, "/admin/")
    Task.objects.create(id="1", name="sweep", func="x", started=now, stopped=now, success=True)
    # Had the page tried everything that is needed, the worker would be missing for two seconds
    assert boss.get("/readyz").status_code == 200


def test_latencies_are_told_by_the_bucket_they_fall_into() -> None:
    some = Latency({0.1: 50.0, 1.0: 95.0, float("inf"): 100.0})
    assert (some.p50, some.p95, some.count) == (0.1, 1.0, 100)
    assert Latency({0.1: 0.0, float("inf"): 1.0}).p50 == float("inf")
    assert Latency().p95 is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (0.0052, "5 ms"),
        (1.54, "1.5 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (7_199, "1 h"),
        (90_000, "1 d"),
        (float("inf"), "longer"),
    ],
)
def test_spans_are_a_word_or_two(seconds: float, words: str) -> None:
    assert span_words(seconds) == words


def test_a_value_is_judged_by_its_bounds() -> None:
    assert [judged(value, (10, 20)) for value in (9, 10, 19, 20)] == [
        *("good", "warning", "warning", "critical"),
    ]


def test_columns_are_as_high_as_their_share_of_the_busiest_hour() -> None:
    begins = datetime(2026, 11, 22, tzinfo=UTC)
    hours = [Hour(begins + timedelta(hours=hour), {"done": 0, "failed": 0}) for hour in range(24)]
    hours[3] = Hour(hours[3].begins, {"done": 60, "failed": 40})
    hours[4] = Hour(hours[4].begins, {"done": 1, "failed": 0})
    chart = chart_of(Day("Jobs", ("done", "failed"), hours))
    busiest = chart.columns[3]
    assert sum(bar.height for bar in busiest.bars) == pytest.approx(HEIGHT, abs=0.2)
    assert busiest.bars[-1].y == pytest.approx(0, abs=0.2)
    assert busiest.words == "03:00 UTC: 60 done, 40 failed"
    assert chart.columns[4].bars[0].height == 2.0
    assert chart.columns[0].bars == []
    assert chart.totals == [("done", 61), ("failed", 40)]
    assert chart.most == 100
    assert [text for _, text in chart.marks] == ["00:00", "06:00", "12:00", "18:00"]


def test_a_day_without_anything_draws_nothing() -> None:
    begins = datetime(2026, 11, 22, tzinfo=UTC)
    chart = chart_of(Day("Jobs", ("done",), [Hour(begins, {"done": 0})]))
    assert (chart.most, chart.columns[0].bars) == (0, [])
