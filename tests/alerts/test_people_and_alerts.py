"""What people do to alerts: conditional, recorded, and undone only by a graver finding."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import IntegrityError, transaction
from django.utils import timezone

from alerts.actions import (
    AlertNotOpen,
    CommentMissing,
    acknowledge_alert,
    override_alert,
)
from alerts.models import CURRENT, Alert, AlertEvent, OverrideReason, Severity
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, MemoryUser
from tests.alerts.standing import evaluated, kinds_of_events
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.together import beside, paused_before, stores_findings, together, writes


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """An open alert: a possible cross-reaction, which is a warning."""
    api.append(person, allergy("penicillin"), medication("Cephalexin"))
    found = Alert.objects.get()
    assert (found.status, found.severity) == ("open", "warning")
    return found


def _acknowledge(alert: Alert, actor: Staff, now: datetime) -> Any:
    try:
        return acknowledge_alert(alert=alert, actor=actor, now=now)
    except AlertNotOpen:
        return None


def _override(alert: Alert, actor: Staff, now: datetime, comment: str = "") -> Any:
    try:
        return override_alert(
            alert=alert, actor=actor, reason=OverrideReason.TOLERATED, comment=comment, now=now
        )
    except AlertNotOpen:
        return None


def test_acknowledging_is_recorded_with_who_and_when(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    event = acknowledge_alert(alert=alert, actor=caregiver, now=now)
    assert (event.kind, event.actor, event.at) == ("acknowledged", caregiver, now)
    alert.refresh_from_db()
    assert (alert.status, alert.changed_at) == ("acknowledged", now)


def test_overriding_is_recorded_with_reason_and_comment(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    event = override_alert(
        alert=alert,
        actor=caregiver,
        reason=OverrideReason.OTHER,
        comment=" tolerated twice ",
        now=now,
    )
    assert (event.kind, event.reason, event.comment) == ("overridden", "other", "tolerated twice")
    alert.refresh_from_db()
    assert alert.status == "overridden"


@pytest.mark.parametrize("comment", ["", "  \n"])
def test_another_reason_needs_a_comment(
    alert: Alert, caregiver: Staff, now: datetime, comment: str
) -> None:
    with pytest.raises(CommentMissing):
        override_alert(
            alert=alert, actor=caregiver, reason=OverrideReason.OTHER, comment=comment, now=now
        )
    alert.refresh_from_db()
    assert alert.status == "open"


def test_of_several_who_acknowledge_at_once_one_does(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    done = together(*[partial(_acknowledge, alert, caregiver, now)] * 5)
    assert sum(event is not None for event in done) == 1
    assert kinds_of_events(alert.user) == ["opened", "acknowledged"]


def test_of_several_who_override_at_once_one_does(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    done = together(*[partial(_override, alert, caregiver, now)] * 5)
    assert sum(event is not None for event in done) == 1
    assert kinds_of_events(alert.user) == ["opened", "overridden"]


def test_an_acknowledged_alert_may_still_be_overridden_but_not_the_other_way_round(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    assert _acknowledge(alert, caregiver, now)
    assert _override(alert, caregiver, now)
    assert _acknowledge(alert, caregiver, now) is None
    assert _override(alert, caregiver, now) is None


def test_a_cleared_alert_takes_no_action(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    api.append(person, medication("Cephalexin", "retract"))
    assert _acknowledge(alert, caregiver, now) is None
    assert _override(alert, caregiver, now) is None
    assert kinds_of_events(person) == ["opened", "cleared"]


@pytest.mark.parametrize("act", [_acknowledge, _override])
def test_whoever_was_too_late_records_nothing(
    alert: Alert, caregiver: Staff, now: datetime, act: Any
) -> None:
    act(alert, caregiver, now)
    count = AlertEvent.objects.count()
    assert act(alert, caregiver, now) is None
    assert AlertEvent.objects.count() == count


@pytest.mark.parametrize("act", [_acknowledge, _override])
def test_a_graver_finding_asks_for_attention_again(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime, act: Any
) -> None:
    api.append(person, medication("Amoxicillin"))
    graver = Alert.objects.get(evidence__0__id="amoxicillin")
    act(graver, caregiver, now)
    answer = api.append(person, allergy("penicillin", "update", reaction="anaphylaxis"))
    changed = {one["id"]: one for one in answer["alerts"]["changed"]}
    assert changed[graver.pk]["severity"] == "critical"
    assert changed[graver.pk]["status"] == "open"


@pytest.mark.parametrize(
    ("act", "status"), [(_acknowledge, "acknowledged"), (_override, "overridden")]
)
def test_a_change_that_is_no_graver_leaves_it_as_people_put_it(
    api: Api,
    alert: Alert,
    person: MemoryUser,
    caregiver: Staff,
    now: datetime,
    act: Any,
    status: str,
) -> None:
    act(alert, caregiver, now)
    answer = api.append(person, allergy("penicillin"))
    assert [one["status"] for one in answer["alerts"]["changed"]] == [status]


def test_other_evidence_opens_an_overridden_alert_again_and_says_what_changed(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    _override(alert, caregiver, now)
    answer = api.append(person, allergy("penicillin", "update", reaction="rash"))
    assert [one["status"] for one in answer["alerts"]["changed"]] == ["open"]
    event = AlertEvent.objects.latest("pk")
    assert (event.kind, event.actor) == ("reopened", None)
    assert event.comment == "Allergy penicillin: reaction was not known, now rash"


def test_other_evidence_leaves_an_acknowledged_alert_with_its_owner_and_says_what_changed(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    _acknowledge(alert, caregiver, now)
    api.append(person, allergy("penicillin", "update", reaction="rash"))
    alert.refresh_from_db()
    assert (alert.status, alert.owner) == ("acknowledged", caregiver)
    event = AlertEvent.objects.latest("pk")
    assert (event.kind, "now rash" in event.comment) == ("changed", True)


def test_an_overridden_alert_is_not_opened_a_second_time(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    _override(alert, caregiver, now)
    api.append(person, medication("Cephalexin"), allergy("penicillin"))
    assert Alert.objects.filter(user=person).count() == 1


def test_an_overridden_alert_clears_with_its_cause(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    _override(alert, caregiver, now)
    api.append(person, medication("Cephalexin", "retract"))
    alert.refresh_from_db()
    assert alert.status == "resolved"


def test_a_person_does_not_decide_by_what_an_evaluation_has_just_changed(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    post = partial(api.append, person, allergy("penicillin", "update", reaction="rash"))
    with paused_before(writes("alerts_alert"), post) as evaluation:
        # The evaluation holds the alert: the person waits until it is through, and has then
        # decided by what the alert does not say any more
        with beside(partial(_acknowledge, alert, caregiver, now)) as done:
            evaluation.finish()
        assert done.result() is None
    alert.refresh_from_db()
    assert (alert.status, "rash" in alert.summary) == ("open", True)
    assert _acknowledge(alert, caregiver, now)


def test_what_a_person_does_while_the_rules_look_is_not_undone(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    gone = NewFact("x", readings=(NewReading("health.Medication", "retract", "cephalexin", {}),))
    append_facts(user_id=person.pk, facts=[gone], actor=App.objects.get(), now=timezone.now())
    with paused_before(stores_findings, partial(evaluated, person)) as evaluation:
        assert _acknowledge(alert, caregiver, now)
        evaluation.finish()
    alert.refresh_from_db()
    assert alert.status == "resolved"  # it was acknowledged, though not when the rules looked
    assert kinds_of_events(person) == ["opened", "acknowledged", "cleared"]


def _copy(alert: Alert, **changes: Any) -> Alert:
    values = {
        field.name: getattr(alert, field.name)
        for field in Alert._meta.concrete_fields
        if field.name != "id"
    }
    return Alert(**{**values, **changes})


@pytest.mark.parametrize("status", CURRENT)
@pytest.mark.parametrize("other", CURRENT)
def test_the_database_keeps_one_current_alert_a_finding(
    alert: Alert, status: str, other: str, now: datetime
) -> None:
    Alert.objects.update(status=other, until=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        _copy(alert, status=status, until=now).save(force_insert=True)


def test_the_database_keeps_any_number_of_cleared_ones(alert: Alert) -> None:
    for _ in range(2):
        _copy(alert, status="resolved").save(force_insert=True)
    _copy(alert, user=new_person()).save(force_insert=True)
    assert Alert.objects.count() == 4


@pytest.mark.parametrize(("column", "value"), [("severity", "awful"), ("status", "gone")])
def test_the_database_knows_severities_and_statuses(alert: Alert, column: str, value: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Alert.objects.filter(pk=alert.pk).update(**{column: value})


def test_the_worst_come_first(alert: Alert) -> None:
    for number, severity in enumerate(("info", "critical", "warning", "info")):
        _copy(alert, severity=severity, dedupe_key=str(number)).save(force_insert=True)
    ranks = list(Alert.objects.worst_first().values_list("severity", flat=True))
    assert ranks == [
        Severity.CRITICAL,
        Severity.WARNING,
        Severity.WARNING,
        Severity.INFO,
        Severity.INFO,
    ]
