"""That nobody has acknowledged an alert is an alert of its own, until somebody does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.actions import acknowledge_alert
from alerts.escalation.policies import Manner, set_manner
from alerts.models import Alert, AlertEvent, Severity
from alerts.tasks import sweep_behind
from memory.actions.teams import create_team, place_person
from memory.audit import CONSOLE
from memory.models import MemoryUser
from memory.rights import Role
from tests.api_client import HOST, Api
from tests.facts import medication, note
from tests.queue import deliver_all
from tests.staff import new_staff

After = Callable[..., list[Any]]
MakeManner = Callable[..., None]


@pytest.fixture
def boss(transactional_db: None) -> Staff:
    """An admin, who sees nobody."""
    made = new_staff("boss", Role.ADMIN, in_team=False)
    Staff.objects.filter(pk=made.pk).update(email="boss@example.org")
    return made


def _unanswered() -> Alert:
    return Alert.objects.get(origin="unanswered")


def test_after_its_minutes_it_is_opened_once_and_told_to_team_and_admins(
    nurse: Staff, boss: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    assert after(29) == []
    sent = after(30)
    found = _unanswered()
    assert (found.about, found.severity, found.status) == (alert, "critical", "open")
    assert found.summary == "For 30 minutes nobody has acknowledged a critical alert"
    assert found.evidence == alert.evidence
    assert sorted(one.to for one in sent) == [["boss@example.org"], ["nurse@example.org"]]
    for one in sent:
        assert "moxicillin" not in one.body
    assert after(31) == after(300) == []
    assert Alert.objects.filter(origin="unanswered").count() == 1


def test_each_team_of_the_person_is_told_when_its_own_minutes_have_passed(
    nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    by: dict[str, Any] = {"actor": CONSOLE, "now": timezone.now()}
    night = create_team(name="Night", **by)
    place_person(user=alert.user, team=night, **by)
    watch = new_staff("watch", Role.CAREGIVER, team=night)
    Staff.objects.filter(pk=watch.pk).update(email="watch@example.org")
    manner(unanswered_minutes=30)
    set_manner(team=night, manner=Manner("UTC", unanswered_minutes=40), **by)
    assert [one.to for one in after(31)] == [["nurse@example.org"]]
    assert [one.to for one in after(41)] == [["watch@example.org"]]
    assert Alert.objects.filter(origin="unanswered").count() == 1


def test_an_admin_never_reads_what_an_alert_says(
    nurse: Staff, boss: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30, tells_summary=True)
    told = {one.to[0]: one.body for one in after(30)}
    assert _unanswered().summary in told["nurse@example.org"]
    assert _unanswered().summary not in told["boss@example.org"]


def test_it_is_over_when_somebody_acknowledges_the_alert(
    nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    after(30)
    acknowledge_alert(alert=alert, actor=nurse, now=timezone.now())
    after(31)
    found = _unanswered()
    assert found.status == "resolved"
    events = AlertEvent.objects.filter(alert=found).order_by("pk")
    assert [event.kind for event in events] == ["opened", "cleared"]
    assert Alert.objects.get(pk=alert.pk).status == "acknowledged"


def test_it_is_over_when_the_cause_is_gone(
    api: Api, person: MemoryUser, nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    after(30)
    api.append(person, medication("Amoxicillin", status="stopped"))
    after(31)
    assert Alert.objects.get(pk=alert.pk).status in ("cleared", "resolved")
    assert _unanswered().status == "resolved"


def test_evaluations_leave_it_alone(
    api: Api, person: MemoryUser, nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    after(30)
    api.append(person, note("Anything"), medication("Ibuprofen"))
    sweep_behind(now=timezone.now())
    deliver_all()
    assert _unanswered().status == "open"


def test_it_is_for_its_severity_and_graver(
    nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    Alert.objects.update(severity=Severity.WARNING)
    after(60)
    assert not Alert.objects.filter(origin="unanswered").exists()


def test_it_is_not_escalated_itself(
    nurse: Staff, manner: MakeManner, step: Callable[..., Any], alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    after(30)
    step(31)
    after(600)
    assert not AlertEvent.objects.filter(alert=_unanswered(), kind="escalated").exists()


def test_it_stands_on_the_dashboard_and_in_the_api(
    api: Api, person: MemoryUser, nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    after(30)
    page = Client(SERVER_NAME=HOST)
    page.force_login(nurse)
    assert "nobody has acknowledged a critical alert" in page.get("/").content.decode()
    shown = page.get(f"/alerts/{_unanswered().pk}/panel").content.decode()
    assert f'href="/alerts/{alert.pk}"' in shown
    (told,) = api.get(f"users/{person.pk}/alerts", origin="unanswered").json()["items"]
    assert told["about"] == alert.pk


def test_it_is_not_proved_as_if_a_rule_had_found_it(
    api: Api, person: MemoryUser, nurse: Staff, manner: MakeManner, alert: Alert, after: After
) -> None:
    manner(unanswered_minutes=30)
    after(30)
    refused = api.post(f"users/{person.pk}/alerts/{_unanswered().pk}/prove", {})
    assert refused.status_code == 409
    assert "the clock opened it" in refused.json()["detail"]
