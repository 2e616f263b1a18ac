"""A team is told again of what nobody acknowledges: each step once, to whom may see it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core import mail
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from alerts.actions import acknowledge_alert, reopen_alert
from alerts.delivery.mail import send_mails
from alerts.delivery.tasks import tell
from alerts.delivery.webhooks import Wishes, add_team_webhook
from alerts.escalation import run
from alerts.escalation.policies import NewStep, add_step, remove_step
from alerts.models import (
    Alert,
    AlertEvent,
    Delivery,
    Escalation,
    EventKind,
    Severity,
)
from alerts.tasks import sweep
from memory.actions.teams import create_team, end_membership, end_placement, place_person
from memory.audit import CONSOLE
from memory.models import AuditEvent, CarePlacement, MemoryUser, TeamMembership
from memory.rights import Role
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.staff import new_staff, ward
from tests.webhook_server import receiver

After = Callable[..., list[Any]]
Step = Callable[..., Any]
MakeManner = Callable[..., None]


def _steps(alert: Alert) -> list[str]:
    events = AlertEvent.objects.filter(alert=alert, kind=EventKind.ESCALATED).order_by("pk")
    return [event.comment for event in events]


def test_after_its_minutes_a_step_is_taken_once(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(5)
    step(15)
    assert after(4) == []
    (sent,) = after(5)
    assert sent.to == ["nurse@example.org"]
    assert sent.subject == "A critical alert waits"
    assert f"https://uac.example.org/alerts/{alert.pk}" in sent.body
    assert after(5) == after(14) == []
    assert len(after(15)) == 1
    assert after(600) == []
    assert _steps(alert) == ["after 5 min: Ward by e-mail", "after 15 min: Ward by e-mail"]
    audited = AuditEvent.objects.filter(action="alert.escalated", person_id=alert.user_id)
    assert [event.actor_kind for event in audited] == ["system", "system"]


def test_an_e_mail_holds_no_word_of_the_alert_or_the_person(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(0)
    (sent,) = after(0)
    for word in ("moxicillin", "enicillin", "Ada", alert.user.external_id, alert.rule):
        assert word not in sent.subject + sent.body


def test_unless_the_team_wants_it_so(
    nurse: Staff, step: Step, manner: MakeManner, alert: Alert, after: After
) -> None:
    step(0)
    manner(tells_summary=True)
    (sent,) = after(0)
    assert alert.summary in sent.body


def test_what_somebody_acknowledged_goes_no_further(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(5)
    step(15)
    assert len(after(5)) == 1
    acknowledge_alert(alert=alert, actor=nurse, now=timezone.now())
    assert after(15) == []
    assert Escalation.objects.get().ended_at is not None


def test_what_opens_again_begins_anew(nurse: Staff, step: Step, alert: Alert, after: After) -> None:
    step(5)
    assert len(after(5)) == 1
    acknowledge_alert(alert=alert, actor=nurse, now=timezone.now())
    reopen_alert(alert=alert, actor=nurse, now=timezone.now())
    alert.refresh_from_db()
    assert after(4, since=alert.status_at) == []
    assert len(after(5, since=alert.status_at)) == 1
    assert len(_steps(alert)) == 2


def test_an_e_mail_that_waits_is_not_sent_when_somebody_has_answered(
    nurse: Staff, step: Step, alert: Alert, after: After, settings: Settings
) -> None:
    step(5)
    settings.EMAIL_CONFIGURED = False
    assert after(5) == []
    assert Delivery.objects.get().error == "no_email_set_up"
    acknowledge_alert(alert=alert, actor=nurse, now=timezone.now())
    settings.EMAIL_CONFIGURED = True
    assert after(60) == []
    assert (Delivery.objects.get().status, Delivery.objects.get().error) == ("dropped", "answered")


def test_several_alerts_are_one_e_mail(
    api: Api, nurse: Staff, person: MemoryUser, step: Step, alert: Alert, after: After
) -> None:
    api.append(person, medication("Penicillin V"))
    step(5)
    (sent,) = after(7)
    assert sent.subject == "2 alerts wait, 2 of them critical"
    assert sent.body.count("https://uac.example.org/alerts/") == 2


def test_an_e_mail_for_which_there_is_no_time_is_due_for_who_looks_next(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(0)
    now = alert.status_at + timedelta(hours=1)
    tell(now=now)
    send_mails(clock=lambda: now, ends=time.monotonic())
    assert mail.outbox == []
    assert list(Delivery.objects.due(now)) == [Delivery.objects.get()]
    send_mails(clock=lambda: now, ends=math.inf)
    assert len(mail.outbox) == 1


def test_a_step_is_for_its_severity_and_graver(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(5, least=Severity.CRITICAL)
    step(6, least=Severity.WARNING)
    Alert.objects.update(severity=Severity.WARNING)
    assert after(5) == []
    assert len(after(6)) == 1


def test_what_becomes_graver_while_it_waits_is_escalated_as_what_it_is(
    api: Api, nurse: Staff, person: MemoryUser, step: Step, alert: Alert, after: After
) -> None:
    api.append(person, allergy("penicillin", "update", severity="mild"))
    alert.refresh_from_db()
    assert (alert.severity, alert.status) == ("warning", "open")
    step(5, least=Severity.CRITICAL)
    assert after(10) == []
    assert Escalation.objects.get().next_at is None
    api.append(person, allergy("penicillin", "update", severity="severe"))
    alert.refresh_from_db()
    assert (alert.severity, alert.status) == ("critical", "open")
    assert len(after(11)) == 1
    assert _steps(alert) == ["after 5 min: Ward by e-mail"]


def test_one_of_the_team_is_told_and_nobody_else(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    other = new_staff("other", Role.CAREGIVER)
    Staff.objects.filter(pk=other.pk).update(email="other@example.org")
    step(5, staff=other)
    step(6)
    assert [one.to for one in after(5)] == [["other@example.org"]]
    assert sorted(one.to for one in after(6)) == [["nurse@example.org"], ["other@example.org"]]


def test_where_the_one_to_tell_is_not_of_the_team_any_more_all_of_it_is_told(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    other = new_staff("other", Role.CAREGIVER)
    step(5, staff=other)
    membership = TeamMembership.objects.get(staff=other)
    end_membership(membership=membership, actor=CONSOLE, now=timezone.now())
    assert [one.to for one in after(5)] == [["nurse@example.org"]]
    assert _steps(alert) == ["after 5 min: Ward (other may not be told any more) by e-mail"]


def test_who_may_not_see_the_person_is_not_told(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    for name, roles in (("auditor", [Role.AUDITOR]), ("boss", [Role.ADMIN])):
        Staff.objects.filter(pk=new_staff(name, *roles).pk).update(email=f"{name}@example.org")
    step(5)
    assert [one.to for one in after(5)] == [["nurse@example.org"]]


def test_who_left_the_team_meanwhile_is_not_told(
    nurse: Staff, step: Step, alert: Alert, after: After, settings: Settings
) -> None:
    step(5)
    settings.EMAIL_CONFIGURED = False
    after(5)
    membership = TeamMembership.objects.get(staff=nurse)
    end_membership(membership=membership, actor=CONSOLE, now=timezone.now())
    settings.EMAIL_CONFIGURED = True
    assert after(60) == []
    assert Delivery.objects.get().error == "not_in_reach"


def test_a_person_who_left_the_care_of_the_team_is_not_its_matter(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(5)
    after(1)
    placement = CarePlacement.objects.get(user=alert.user)
    end_placement(placement=placement, actor=CONSOLE, now=timezone.now())
    assert after(5) == []
    assert Escalation.objects.get().ended_at is not None


def test_a_person_who_is_back_in_the_care_of_the_team_is_its_matter_again(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(5)
    step(15)
    assert len(after(5)) == 1
    placement = CarePlacement.objects.get(user=alert.user)
    end_placement(placement=placement, actor=CONSOLE, now=timezone.now())
    assert after(15) == []
    place_person(user=alert.user, team=ward(), actor=CONSOLE, now=timezone.now())
    assert len(after(16)) == 1
    assert len(_steps(alert)) == 2


def test_what_only_ends_holds_up_no_step(
    api: Api,
    nurse: Staff,
    person: MemoryUser,
    step: Step,
    alert: Alert,
    after: After,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    api.append(person, medication("Penicillin V"))
    later = Alert.objects.latest("pk")
    step(5)
    after(1)
    acknowledge_alert(alert=alert, actor=nurse, now=timezone.now())
    Escalation.objects.filter(alert=alert).update(next_at=alert.status_at)
    monkeypatch.setattr("alerts.escalation.run.BATCH", 1)
    assert len(after(7)) == 1
    assert _steps(later) == ["after 5 min: Ward by e-mail"]


def test_a_step_that_cannot_be_taken_holds_up_no_other_and_is_tried_again(
    api: Api,
    nurse: Staff,
    person: MemoryUser,
    step: Step,
    alert: Alert,
    after: After,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    api.append(person, medication("Penicillin V"))
    later = Alert.objects.latest("pk")
    step(5)

    def fails(alert_: Alert, *more: Any) -> None:
        if alert_.pk == alert.pk:
            raise RuntimeError("a policy that cannot be read")
        take(alert_, *more)

    take = run._take
    with monkeypatch.context() as patch:
        patch.setattr(run, "_take", fails)
        after(7)
    assert (_steps(alert), len(_steps(later))) == ([], 1)
    after(11)
    assert _steps(alert) == []
    after(13)
    assert (len(_steps(alert)), len(_steps(later))) == (1, 1)


def test_two_teams_escalate_apart(nurse: Staff, step: Step, alert: Alert, after: After) -> None:
    night = create_team(name="Night", actor=CONSOLE, now=timezone.now())
    place_person(user=alert.user, team=night, actor=CONSOLE, now=timezone.now())
    step(5)
    late = NewStep(9, Severity.INFO, by_browser=True)
    add_step(team=night, step=late, actor=CONSOLE, now=timezone.now())
    assert Escalation.objects.count() == 0
    after(7)
    assert _steps(alert) == ["after 5 min: Ward by e-mail"]
    after(9)
    assert _steps(alert)[1:] == ["after 9 min: Night by browser"]
    rows = Escalation.objects.order_by("through").values_list("team__name", "through")
    assert list(rows) == [("Ward", 5), ("Night", 9)]


def test_alerts_from_before_the_policy_count_from_then(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    Alert.objects.update(status_at=alert.status_at - timedelta(days=3))
    step(5)
    now = timezone.now()
    assert after(0, since=now) == []
    assert len(after(6, since=now)) == 1


def test_a_step_that_is_added_or_removed_holds_for_what_waits(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    first = step(5)
    assert len(after(5)) == 1
    second = step(10)
    remove_step(team=ward(), step_id=first.pk, actor=CONSOLE, now=timezone.now())
    assert after(9) == []
    assert len(after(10)) == 1
    remove_step(team=ward(), step_id=second.pk, actor=CONSOLE, now=timezone.now())
    assert after(100) == []


def test_steps_missed_while_no_worker_ran_are_taken_each(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    for minutes in (1, 2, 3):
        step(minutes)
    (sent,) = after(60)  # one message, of one alert
    assert "A critical alert waits" in sent.subject
    assert len(_steps(alert)) == 3


def test_a_webhook_of_the_team_is_told_by_a_step(
    nurse: Staff, step: Step, alert: Alert, after: After, settings: Settings
) -> None:
    settings.WEBHOOK_PRIVATE_TARGETS = True
    with receiver() as hook:
        wishes = Wishes(url=hook.url, kinds=[], least=Severity.INFO)
        made, _ = add_team_webhook(team=ward(), wishes=wishes, actor=CONSOLE, now=timezone.now())
        step(5, webhook=made)
        after(5)
        (delivery,) = Delivery.objects.all()
        assert (delivery.channel, delivery.webhook) == ("webhook", made)
        assert '"kind": "escalated"' in delivery.body
        assert '"minutes": 5' in delivery.body
    assert _steps(alert) == ["after 5 min: a webhook"]


def test_quiet_hours_put_a_warning_off_and_no_critical_alert(
    nurse: Staff, step: Step, manner: MakeManner, alert: Alert, after: After
) -> None:
    begins = (alert.status_at - timedelta(hours=1)).time().replace(microsecond=0)
    ends = (alert.status_at + timedelta(hours=1)).time().replace(microsecond=0)
    quiet = {"quiet": (begins, ends), "quiet_severities": [Severity.WARNING]}
    step(5)
    manner(**quiet)
    Alert.objects.update(severity=Severity.WARNING)
    assert after(30) == []
    Alert.objects.update(severity=Severity.CRITICAL)
    manner(**quiet)
    assert len(after(31)) == 1


def test_a_warning_put_off_is_told_at_the_end_of_the_quiet(
    nurse: Staff, step: Step, manner: MakeManner, alert: Alert, after: After
) -> None:
    ends = alert.status_at + timedelta(hours=1)
    step(5)
    manner(
        quiet=((alert.status_at - timedelta(hours=1)).time(), ends.time()),
        quiet_severities=[Severity.WARNING],
    )
    Alert.objects.update(severity=Severity.WARNING)
    assert after(30) == after(59) == []
    assert len(after(61)) == 1


def test_a_critical_alert_is_quiet_where_it_was_said_so(
    nurse: Staff, step: Step, manner: MakeManner, alert: Alert, after: After
) -> None:
    step(5)
    begins = (alert.status_at - timedelta(hours=1)).time()
    ends = (alert.status_at + timedelta(hours=1)).time()
    manner(quiet=(begins, ends), quiet_severities=[Severity.CRITICAL])
    assert after(30) == []


def test_the_sweep_begins_and_continues_it(
    nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(0)
    sweep()
    assert _steps(alert) == ["after 0 min: Ward by e-mail"]
    assert Delivery.objects.get().status == "waiting"
    assert mail.outbox == []


@pytest.mark.skipif("connection.vendor != 'postgresql'")
def test_workers_at_the_same_time_take_a_step_once(nurse: Staff, step: Step, alert: Alert) -> None:
    for minutes in range(5):
        step(minutes)
    now = alert.status_at + timedelta(minutes=10)
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        tell(now=now)
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _steps(alert) == [f"after {minutes} min: Ward by e-mail" for minutes in range(5)]
    assert Delivery.objects.count() == 5


def test_nobody_of_another_team_is_told(
    api: Api, nurse: Staff, step: Step, alert: Alert, after: After
) -> None:
    step(5)
    elsewhere = new_person(name="Zoe", placed=False)
    api.append(elsewhere, allergy("penicillin", severity="severe"), medication("Amoxicillin"))
    (sent,) = after(7)
    assert sent.body.count("alert ") == 1
