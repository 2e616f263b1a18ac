"""The life of an alert: the table, and that actions and evaluations move alerts by it alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import User as Staff
from django.db import IntegrityError, transaction

from alerts.actions import (
    AlertNotOpen,
    CommentMissing,
    ShelvedTooLong,
    acknowledge_alert,
    override_alert,
    reopen_alert,
    reopen_expired,
    resolve_alert,
    shelve_alert,
)
from alerts.lifecycle import (
    ACKNOWLEDGED_FOR,
    LONGEST_SHELVED,
    TABLE,
    Who,
    changed_to,
    cleared_to,
    sources,
    target,
)
from alerts.models import (
    ACTIVE,
    CURRENT,
    Alert,
    AlertEvent,
    EventKind,
    Origin,
    OverrideReason,
    Severity,
    Status,
)
from memory.models import AuditEvent, MemoryUser
from tests.alerts.standing import kinds_of_events
from tests.api_client import Api
from tests.facts import allergy, medication

DOCS = Path(__file__).parents[2] / "docs" / "alerts.md"
HOUR = timedelta(hours=1)
Act = Callable[[Alert, Staff, datetime], object]
VERBS: dict[EventKind, Act] = {
    EventKind.ACKNOWLEDGED: lambda alert, who, now: acknowledge_alert(
        alert=alert, actor=who, now=now
    ),
    EventKind.SHELVED: lambda alert, who, now: shelve_alert(
        alert=alert, actor=who, until=now + HOUR, comment="asleep", now=now
    ),
    EventKind.OVERRIDDEN: lambda alert, who, now: override_alert(
        alert=alert, actor=who, reason=OverrideReason.BENEFIT, comment="", now=now
    ),
    EventKind.REOPENED: lambda alert, who, now: reopen_alert(alert=alert, actor=who, now=now),
    EventKind.RESOLVED: lambda alert, who, now: resolve_alert(alert=alert, actor=who, now=now),
}


@pytest.fixture
def alert(api: Api, person: MemoryUser) -> Alert:
    """An open warning."""
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    return Alert.objects.get()


def put(alert: Alert, status: str, now: datetime) -> Alert:
    """The alert as if it had come to stand so."""
    Alert.objects.filter(pk=alert.pk).update(status=status, until=now + HOUR)
    alert.refresh_from_db()
    return alert


def table_as_markdown() -> str:
    """The table for the documentation, rows with the same event and end together."""
    lines = ["| event | from | to | who | what it takes |", "|---|---|---|---|---|"]
    merged: dict[tuple[str, str, str, str], list[str]] = {}
    for row in TABLE:
        end = row.target.value if row.source != row.target else "the same"
        key = (row.event.value, end, row.who.value, row.takes)
        merged.setdefault(key, []).append(row.source.value if row.source else "(none)")
    for (event, end, who, takes), starts in merged.items():
        lines.append(f"| {event} | {', '.join(starts)} | {end} | {who} | {takes} |")
    return "\n".join(lines) + "\n"


def test_the_documentation_shows_the_table() -> None:
    text = DOCS.read_text()
    assert table_as_markdown() in text, f"docs/alerts.md should hold:\n{table_as_markdown()}"


def test_no_event_of_somebody_leads_from_one_state_to_two_but_clearing() -> None:
    ends: dict[tuple[EventKind, Who, Status | None], set[Status]] = {}
    for row in TABLE:
        ends.setdefault((row.event, row.who, row.source), set()).add(row.target)
    assert {key[0] for key, found in ends.items() if len(found) > 1} == {EventKind.CLEARED}


def test_every_state_is_reached_and_only_the_end_has_no_way_on() -> None:
    assert {row.target for row in TABLE} == set(Status)
    assert set(Status) - {row.source for row in TABLE} == {Status.RESOLVED, Status.SUPERSEDED}


@pytest.mark.parametrize("event", VERBS)
@pytest.mark.parametrize("status", Status)
def test_people_move_an_alert_where_the_table_says_and_nowhere_else(
    alert: Alert, caregiver: Staff, now: datetime, event: EventKind, status: Status
) -> None:
    put(alert, status, now)
    before = AlertEvent.objects.count()
    if status not in sources(event, Who.PEOPLE):
        with pytest.raises(AlertNotOpen):
            VERBS[event](alert, caregiver, now)
        alert.refresh_from_db()
        assert (alert.status, AlertEvent.objects.count()) == (status, before)
        return
    VERBS[event](alert, caregiver, now)
    alert.refresh_from_db()
    assert (alert.status, alert.status_at) == (target(event, Who.PEOPLE), now)
    told = AlertEvent.objects.latest("pk")
    assert (told.kind, told.actor, told.at) == (event, caregiver, now)
    assert AuditEvent.objects.latest("pk").action == f"alert.{event}"


@pytest.mark.parametrize(
    ("status", "severity", "origin"),
    list(product(ACTIVE, Severity, [Origin.FINDING, Origin.FAILURE])),
)
def test_what_clears_goes_where_the_table_says(
    status: Status, severity: Severity, origin: Origin
) -> None:
    ends = {row.target for row in TABLE if (row.event, row.source) == (EventKind.CLEARED, status)}
    end = cleared_to(status, severity, origin)
    assert end in ends
    asks = severity != Severity.INFO and origin == Origin.FINDING
    assert (end == Status.CLEARED) == (status == Status.OPEN and asks)


@pytest.mark.parametrize(
    ("status", "before", "after", "evidence"),
    list(product(ACTIVE, Severity, Severity, [True, False])),
)
def test_what_changes_goes_where_the_table_says(
    status: Status, before: Severity, after: Severity, evidence: bool
) -> None:
    kind, end = changed_to(status, severity=(before, after), evidence_changed=evidence)
    assert (kind, status, end, Who.RULES) in {
        (row.event, row.source, row.target, row.who) for row in TABLE
    }
    order = list(Severity)
    if order.index(after) < order.index(before):
        assert end == Status.OPEN


def test_an_acknowledged_alert_has_an_owner_until_its_time_is_over(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    acknowledge_alert(alert=alert, actor=caregiver, now=now)
    alert.refresh_from_db()
    ends = now + ACKNOWLEDGED_FOR[Severity.WARNING]
    assert (alert.owner, alert.until) == (caregiver, ends)
    assert reopen_expired(now=ends - timedelta(seconds=1)) == []
    (event,) = reopen_expired(now=ends)
    alert.refresh_from_db()
    assert (alert.status, alert.owner, alert.until) == ("open", None, None)
    assert alert.status_at == ends
    assert (event.kind, event.actor) == ("expired", None)
    assert reopen_expired(now=ends) == []


def test_a_shelved_alert_keeps_its_reason_and_opens_again(
    alert: Alert, caregiver: Staff, now: datetime
) -> None:
    until = now + 2 * HOUR
    event = shelve_alert(alert=alert, actor=caregiver, until=until, comment=" asleep ", now=now)
    assert (event.comment, event.until) == ("asleep", until)
    assert [one.alert_id for one in reopen_expired(now=until)] == [alert.pk]
    assert kinds_of_events(alert.user) == ["opened", "shelved", "expired"]


@pytest.mark.parametrize("severity", Severity)
def test_an_alert_is_shelved_no_longer_than_its_severity_allows(
    alert: Alert, caregiver: Staff, now: datetime, severity: Severity
) -> None:
    Alert.objects.update(severity=severity)
    alert.refresh_from_db()
    longest = LONGEST_SHELVED[severity]
    for until in (now, now + longest + timedelta(seconds=1)):
        with pytest.raises(ShelvedTooLong):
            shelve_alert(alert=alert, actor=caregiver, until=until, comment="x", now=now)
    shelve_alert(alert=alert, actor=caregiver, until=now + longest, comment="x", now=now)


@pytest.mark.parametrize("event", [EventKind.ACKNOWLEDGED, EventKind.SHELVED, EventKind.OVERRIDDEN])
def test_what_has_become_graver_since_it_was_looked_at_is_not_put_away(
    api: Api, person: MemoryUser, alert: Alert, caregiver: Staff, now: datetime, event: EventKind
) -> None:
    api.append(person, allergy("penicillin", "update", severity="severe"))
    assert Alert.objects.get().severity == Severity.CRITICAL
    with pytest.raises(AlertNotOpen):
        VERBS[event](alert, caregiver, now)
    alert.refresh_from_db()
    assert (alert.status, alert.until) == ("open", None)


def test_shelving_needs_a_reason(alert: Alert, caregiver: Staff, now: datetime) -> None:
    with pytest.raises(CommentMissing):
        shelve_alert(alert=alert, actor=caregiver, until=now + HOUR, comment=" ", now=now)


def test_the_database_lets_nothing_be_shelved_for_ever(alert: Alert) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Alert.objects.update(status=Status.SHELVED, until=None)


def test_what_clears_before_anybody_acknowledged_it_waits_to_be_seen(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    api.append(person, medication("Amoxicillin", "retract"))
    alert.refresh_from_db()
    assert alert.status == Status.CLEARED
    assert list(Alert.objects.current()) == [alert]
    assert not Alert.objects.active().exists()
    resolve_alert(alert=alert, actor=caregiver, now=now)
    assert not Alert.objects.current().exists()


@pytest.mark.parametrize("event", [EventKind.ACKNOWLEDGED, EventKind.SHELVED, EventKind.OVERRIDDEN])
def test_what_somebody_has_dealt_with_is_over_when_it_clears(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime, event: EventKind
) -> None:
    VERBS[event](alert, caregiver, now)
    api.append(person, medication("Amoxicillin", "retract"))
    alert.refresh_from_db()
    assert (alert.status, alert.owner, alert.until) == ("resolved", None, None)


def test_information_that_clears_asks_nothing_of_anybody(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Zorblaxin"))
    assert Alert.objects.get().severity == Severity.INFO
    api.append(person, medication("Zorblaxin", "retract"))
    assert Alert.objects.get().status == Status.RESOLVED


def test_a_cleared_alert_that_somebody_has_just_seen_opens_anew(
    api: Api, alert: Alert, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    api.append(person, medication("Amoxicillin", "retract"))
    resolve_alert(alert=alert, actor=caregiver, now=now)
    api.append(person, medication("Amoxicillin"))
    last, first = Alert.objects.order_by("-pk")
    assert (first.status, last.status, last.recurrences) == ("resolved", "open", 1)


def test_current_alerts_are_those_a_rule_or_a_person_may_still_move() -> None:
    assert {row.source for row in TABLE if row.source} == set(CURRENT)
