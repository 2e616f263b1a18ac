"""The page of figures: what it counts, over whom, and at what cost."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.contrib.auth.models import User as Staff
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from alerts import access
from alerts.actions import acknowledge_alert, override_alert, reopen_alert
from alerts.figures.counts import WAITS, by_wait, opened_by_day, override_rates, waits
from alerts.figures.page import day_chart
from alerts.models import Alert, OverrideReason
from memory.models import MemoryUser, Team
from memory.rights import Role
from memory.views.stacks import HEIGHT, stacked
from tests.alerts.staff_pages import critical_alert, logged_in, text_of
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.staff import new_staff


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    return critical_alert(api, person)


def test_alerts_are_counted_by_day_and_severity(alert: Alert, caregiver: Staff) -> None:
    days = opened_by_day(access.events(caregiver), days=7, now=timezone.now())
    assert len(days) == 7
    assert [day.total for day in days] == [0, 0, 0, 0, 0, 0, 1]
    assert days[-1].counts == {"info": 0, "warning": 0, "critical": 1}
    later = opened_by_day(access.events(caregiver), days=7, now=timezone.now() + timedelta(days=7))
    assert sum(day.total for day in later) == 0


def test_the_wait_is_from_when_it_last_asked_for_attention(alert: Alert, caregiver: Staff) -> None:
    opened = alert.opened_at
    acknowledge_alert(alert=alert, actor=caregiver, now=opened + timedelta(minutes=3))
    reopen_alert(alert=alert, actor=caregiver, now=opened + timedelta(minutes=30))
    acknowledge_alert(alert=alert, actor=caregiver, now=opened + timedelta(minutes=32))
    found = waits(access.events(caregiver), days=7, now=timezone.now())
    assert found == [timedelta(minutes=2), timedelta(minutes=3)]


def test_a_rule_is_rated_by_what_became_of_its_alerts(
    api: Api, alert: Alert, caregiver: Staff
) -> None:
    critical_other = new_person(name="Tom")
    api.append(critical_other, *_conflict())
    override_alert(
        alert=alert,
        actor=caregiver,
        reason=OverrideReason.TOLERATED,
        comment="",
        now=timezone.now(),
    )
    (rate,) = override_rates(access.events(caregiver), days=30, now=timezone.now())
    assert (rate.rule, rate.fired, rate.overridden, rate.percent) == ("drug_allergy", 2, 1, 50)
    text = text_of(logged_in(caregiver), "/figures")
    assert "drug allergy" in text
    assert 'aria-label="Override rate by rule as a table"' in text


def _conflict() -> list[dict[str, object]]:
    return [allergy("penicillin"), medication("Amoxicillin")]


def test_who_has_other_people_in_their_care_sees_none_of_it(alert: Alert, now: datetime) -> None:
    elsewhere = Team.objects.create(name="Elsewhere", created_at=now)
    far = new_staff("far", Role.CAREGIVER, team=elsewhere)
    text = text_of(logged_in(far), "/figures")
    assert "No alert opened in these days." in text
    assert "Nobody acknowledged an alert in these days." in text
    assert "No rule opened an alert in these days." in text
    reviewer = logged_in(new_staff("reviewer", Role.REVIEWER))
    assert reviewer.get("/figures").status_code == 403


@pytest.mark.parametrize("asked", ["", "7", "30", "90", "365", "-1", "x", "90000000000000"])
def test_whatever_time_is_asked_for_the_page_is_there(
    alert: Alert, caregiver: Staff, asked: str
) -> None:
    answer = logged_in(caregiver).get("/figures", {"days": asked})
    assert answer.status_code == 200
    assert answer.context["days"] == (int(asked) if asked in ("7", "30", "90") else 30)
    assert "<script" not in answer.content.decode().split("<main")[1]


def test_ten_alerts_cost_no_more_queries_than_one(api: Api, alert: Alert, caregiver: Staff) -> None:
    pages = logged_in(caregiver)
    first = _queries(pages)
    for number in range(9):
        api.append(new_person(name=f"Person {number}"), *_conflict())
    assert Alert.objects.count() == 10
    assert _queries(pages) <= first


def _queries(pages: Client) -> int:
    pages.get("/figures")
    with CaptureQueriesContext(connection) as seen:
        assert pages.get("/figures").status_code == 200
    return len(seen)


@given(st.lists(st.integers(0, 200_000), max_size=30))
def test_every_wait_is_counted_once_and_in_the_shortest_time_that_holds(
    seconds: list[int],
) -> None:
    waited = [timedelta(seconds=one) for one in seconds]
    counts = dict(by_wait(waited))
    assert list(counts) == [words for words, _ in WAITS]
    assert sum(counts.values()) == len(waited)
    reached = 0
    for words, most in WAITS:
        reached += counts[words]
        assert reached == sum(one <= most for one in waited)


SORTS = ("info", "warning", "critical")


@given(st.dictionaries(st.sampled_from(SORTS), st.integers(0, 10_000)), st.integers(0, 10_000))
def test_bars_stand_on_each_other_inside_the_picture(counts: dict[str, int], more: int) -> None:
    every = {sort: counts.get(sort, 0) for sort in SORTS}
    most = sum(every.values()) + more
    bars = stacked(0, every, SORTS, most)
    assert [bar.sort for bar in bars] == [sort for sort in SORTS if every[sort]]
    for bar in bars:
        assert 0 <= bar.y <= HEIGHT
        assert bar.height > 0
    for lower, upper in pairwise(bars):
        assert upper.y <= lower.y


@pytest.mark.parametrize("days", [7, 30, 90])
def test_a_day_is_named_often_enough_and_the_last_one_always(
    days: int, alert: Alert, caregiver: Staff
) -> None:
    chart = day_chart(opened_by_day(access.events(caregiver), days=days, now=timezone.now()))
    named = [column.name for column in chart.columns if column.name]
    assert chart.columns[-1].name
    assert 5 <= len(named) <= 8
    assert chart.most == 1
