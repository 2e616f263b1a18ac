"""Admins say whom a team's alerts are told to, and look after webhooks and deliveries."""

from __future__ import annotations

import re
from datetime import datetime, time
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from alerts.models import Delivery, EscalationPolicy, EscalationStep, Webhook
from memory.actions.teams import add_member, create_team
from memory.audit import CONSOLE
from memory.models import AuditEvent, Team
from memory.rights import Role
from tests.queue import deliver_all
from tests.uac_site.accounts.conftest import staff_called
from tests.uac_site.accounts.door import enrolled
from tests.webhook_server import receiver, status


@pytest.fixture
def office(transactional_db: None) -> Client:
    """The browser of an admin who has enrolled."""
    staff_called("admin", Role.ADMIN)
    return enrolled("admin")[0]


@pytest.fixture
def night(office: Client, now: datetime) -> Team:
    """A team with a nurse."""
    team = create_team(name="Night", actor=CONSOLE, now=now)
    nurse = staff_called("nurse", Role.CAREGIVER)
    add_member(team=team, staff=nurse, actor=CONSOLE, now=now)
    return team


def _post(office: Client, team: Team, path: str, **form: Any) -> Any:
    return office.post(f"/office/teams/{team.pk}/{path}", form)


def _text(office: Client, path: str) -> str:
    answer = office.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_steps_are_added_shown_and_removed(office: Client, night: Team) -> None:
    nurse = Staff.objects.get(username="nurse")
    form = {"minutes": "5", "least": "warning", "told": "team", "by_email": "on"}
    assert _post(office, night, "escalation/steps", **form).status_code == 302
    form = {"minutes": "15", "least": "critical", "told": f"staff-{nurse.pk}", "by_browser": "on"}
    assert _post(office, night, "escalation/steps", **form).status_code == 302
    first, second = EscalationStep.objects.order_by("minutes")
    assert (first.told, first.by_email, first.by_browser) == ("team", True, False)
    assert (second.told, second.staff, second.least) == ("staff", nurse, "critical")
    text = _text(office, f"/office/teams/{night.pk}/escalation")
    assert "15 min" in text
    assert "dashboard, browser notification" in text
    _post(office, night, f"escalation/steps/{first.pk}/remove")
    assert EscalationStep.objects.get() == second
    assert _post(office, night, f"escalation/steps/{first.pk}/remove").status_code == 404
    actions = AuditEvent.objects.filter(action__startswith="escalation.").order_by("pk")
    assert [one.action for one in actions] == [
        *("escalation.add_step", "escalation.add_step", "escalation.remove_step"),
    ]


@pytest.mark.parametrize(
    "form",
    [
        {"minutes": "-1", "least": "critical", "told": "team"},
        {"minutes": "5", "least": "grave", "told": "team"},
        {"minutes": "5", "least": "critical", "told": "staff-999999"},
        {"minutes": "x", "least": "critical", "told": "team"},
    ],
)
def test_a_step_that_makes_no_sense_is_refused(
    office: Client, night: Team, form: dict[str, str]
) -> None:
    assert _post(office, night, "escalation/steps", **form).status_code == 422
    assert not EscalationStep.objects.exists()


def test_who_is_not_in_the_team_is_not_told(office: Client, night: Team) -> None:
    other = staff_called("other", Role.CAREGIVER)
    form = {"minutes": "5", "least": "critical", "told": f"staff-{other.pk}"}
    assert _post(office, night, "escalation/steps", **form).status_code == 422


def test_quiet_hours_are_for_no_critical_alert_unless_that_is_ticked(
    office: Client, night: Team
) -> None:
    form: dict[str, Any] = {
        "timezone": "Europe/Berlin",
        "quiet_from": "22:00",
        "quiet_until": "07:00",
        "quiet_severities": ["warning", "info"],
        "unanswered_minutes": "30",
        "unanswered_least": "critical",
    }
    _post(office, night, "escalation/set", **form)
    policy = EscalationPolicy.objects.get()
    assert (policy.quiet_from, policy.quiet_until) == (time(22), time(7))
    assert policy.quiet_severities == ["warning", "info"]
    assert (policy.unanswered_minutes, policy.tells_summary) == (30, False)
    smuggled = {**form, "quiet_severities": ["critical"]}
    assert _post(office, night, "escalation/set", **smuggled).status_code == 422
    _post(office, night, "escalation/set", **form, quiet_critical="on")
    assert EscalationPolicy.objects.get().quiet_severities == ["warning", "info", "critical"]
    text = _text(office, f"/office/teams/{night.pk}/escalation")
    assert 'value="22:00"' in text
    assert "Europe/Berlin" in text


@pytest.mark.parametrize(
    "wrong",
    [
        {"timezone": "Mars/Olympus"},
        {"quiet_from": "22:00"},
        {"quiet_from": "22:00", "quiet_until": "07:00"},
        {"quiet_from": "22:00", "quiet_until": "22:00", "quiet_severities": "warning"},
        {"unanswered_minutes": "0"},
    ],
)
def test_a_manner_that_makes_no_sense_is_refused(
    office: Client, night: Team, wrong: dict[str, str]
) -> None:
    form = {"timezone": "UTC", "unanswered_least": "critical", **wrong}
    assert _post(office, night, "escalation/set", **form).status_code == 422
    assert not EscalationPolicy.objects.exists()


def test_a_webhook_of_a_team_shows_its_secret_once(office: Client, night: Team) -> None:
    form = {"url": "https://hooks.example.org/x", "least": "warning", "kinds": ["opened"]}
    text = _post(office, night, "webhooks", **form).content.decode()
    found = re.search(r'id="secret">(uacwh_[\w-]+)<', text)
    assert found is not None
    webhook = Webhook.objects.get()
    assert (webhook.team, webhook.kinds, webhook.least) == (night, ["opened"], "warning")
    for path in (f"/office/teams/{night.pk}/escalation", "/office/deliveries"):
        assert found[1] not in _text(office, path)
        assert "hooks.example.org" in _text(office, path)
    again = office.post(f"/office/webhooks/{webhook.pk}/rotate").content.decode()
    assert found[1] not in again
    assert "uacwh_" in again
    assert found[1] not in str(office.session.items())


@pytest.mark.parametrize(
    "url", ["http://x.org/", "https://10.0.0.1/", "https://[::1]/", "nonsense"]
)
def test_a_webhook_that_leads_inside_is_refused(office: Client, night: Team, url: str) -> None:
    answer = _post(office, night, "webhooks", url=url, least="info")
    assert answer.status_code == 422
    assert "Refused" in answer.content.decode()
    assert not Webhook.objects.exists()


def test_a_test_is_sent_seen_and_sent_again(
    office: Client, night: Team, settings: Settings
) -> None:
    settings.WEBHOOK_PRIVATE_TARGETS = True
    with receiver() as hook:
        _post(office, night, "webhooks", url=hook.url, least="info")
        webhook = Webhook.objects.get()
        hook.answer(status(500), status(200))
        office.post(f"/office/webhooks/{webhook.pk}/test")
        deliver_all()
        text = _text(office, "/office/deliveries")
        assert "failed" in text
        assert "500" in text
        assert "Send again" not in text  # it waits, and is tried by itself
        Delivery.objects.update(status="failed", ended_at=timezone.now())
        office.post(f"/office/deliveries/{Delivery.objects.get().pk}/again")
        deliver_all()
        assert len(hook.received) == 2
    assert Delivery.objects.filter(status="delivered").count() == 1
    assert "again" in _text(office, f"/office/deliveries?webhook={webhook.pk}")
    office.post(f"/office/webhooks/{webhook.pk}/end")
    assert Webhook.objects.get().ended_why == "ended"
    assert "Send again" not in _text(office, "/office/deliveries")


def test_somebody_gets_an_address_and_is_missed_until_then(office: Client, night: Team) -> None:
    nurse = Staff.objects.get(username="nurse")
    page = f"/office/teams/{night.pk}/escalation"
    assert "Without an e-mail address" in _text(office, page)
    office.post(f"/office/staff/{nurse.pk}/email", {"email": "nonsense"})
    assert Staff.objects.get(pk=nurse.pk).email == ""
    office.post(f"/office/staff/{nurse.pk}/email", {"email": "nurse@example.org"})
    assert Staff.objects.get(pk=nurse.pk).email == "nurse@example.org"
    assert "Without an e-mail address" not in _text(office, page)
    assert AuditEvent.objects.filter(action="staff.set_email").count() == 1
    assert mail.outbox == []


def test_a_caregiver_administers_none_of_it(office: Client, night: Team) -> None:
    nurse = Client()
    nurse.force_login(Staff.objects.get(username="nurse"))
    assert nurse.get("/office/deliveries").status_code == 403
    assert nurse.get(f"/office/teams/{night.pk}/escalation").status_code == 404
