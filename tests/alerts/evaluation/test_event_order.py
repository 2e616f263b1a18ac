"""Event ids commit in order: whoever saw id n misses nothing by asking for what came after n."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import connection, transaction
from django.utils import timezone

from alerts.models import Alert, AlertEvent, EventKind
from memory.models import MemoryUser
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.together import beside, paused_before, together


def _alert(api: Api) -> Alert:
    person = new_person()
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    return Alert.objects.get(user=person)


def _record(alert: Alert) -> int:
    """Append an event, and do a little more before the commit."""
    event = AlertEvent(
        alert=alert,
        user=alert.user,
        kind=EventKind.CHANGED,
        at=timezone.now(),
        severity=alert.severity,
        after_seq=0,
        fact_seq=0,
    )
    with transaction.atomic():
        AlertEvent.objects.append([event])
        Alert.objects.count()
        return AlertEvent.objects.filter(alert=alert).latest("pk").pk


def test_nobody_sees_a_later_event_before_an_earlier_one(api: Api) -> None:
    one, other = _alert(api), _alert(api)
    last = AlertEvent.objects.latest("pk").pk
    with paused_before(lambda sql: "COUNT(*)" in sql, partial(_record, one)) as first:
        with beside(partial(_record, other)) as second:
            assert connection.vendor == "sqlite" or not second.done()
            assert list(AlertEvent.objects.after(last)) == []
            earlier = first.finish()
        assert earlier < second.result()
    assert [event.pk for event in AlertEvent.objects.after(last)] == [earlier, second.result()]


def test_a_reader_who_polls_during_many_commits_misses_nothing(api: Api) -> None:
    alerts = [_alert(api) for _ in range(4)]
    start = AlertEvent.objects.latest("pk").pk
    total = 8 * len(alerts)

    def read() -> list[int]:
        seen = [start]
        while len(seen) <= total:
            seen += [event.pk for event in AlertEvent.objects.after(seen[-1])]
        return seen[1:]

    def write(alert: Alert) -> list[int]:
        return [_record(alert) for _ in range(8)]

    seen, *written = together(read, *(partial(write, alert) for alert in alerts))
    assert seen == sorted(pk for pks in written for pk in pks)


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [(1, 1, 0), (2, 2, 1), (1, 2, 1), (3, 3, 0), (3, 4, 1), (1, 4, 2), (5, 9, 0)],
)
def test_events_are_found_by_the_facts_that_caused_them(
    api: Api, person: MemoryUser, first: int, last: int, found: int
) -> None:
    api.append(person, allergy("penicillin"))
    api.append(person, medication("Amoxicillin"))
    api.append(person, allergy("latex"))
    api.append(person, medication("Amoxicillin", "retract"))
    assert AlertEvent.objects.caused_by(person.pk, first, last).count() == found
