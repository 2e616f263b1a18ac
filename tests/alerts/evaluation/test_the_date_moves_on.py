"""A new day where the person is, or a change of zone, has the rules look again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from alerts.models import Alert, Watermark
from alerts.tasks import sweep_new_days
from memory.models import Job, MemoryUser
from tests.alerts.standing import evaluated, kinds_of_events
from tests.api_client import Api
from tests.facts import passport, trip
from tests.people import new_person

NOON = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
# The last moment of March 1 in each zone, in UTC
MIDNIGHTS = {
    "UTC": datetime(2027, 3, 1, 23, 59, tzinfo=UTC),
    "Asia/Kathmandu": datetime(2027, 3, 1, 18, 14, tzinfo=UTC),
    "Pacific/Chatham": datetime(2027, 3, 1, 10, 14, tzinfo=UTC),
    "Pacific/Kiritimati": datetime(2027, 3, 1, 9, 59, tzinfo=UTC),
    "Pacific/Pago_Pago": datetime(2027, 3, 2, 10, 59, tzinfo=UTC),
    "America/St_Johns": datetime(2027, 3, 2, 3, 29, tzinfo=UTC),
    "Australia/Eucla": datetime(2027, 3, 1, 15, 14, tzinfo=UTC),
}


def _queued() -> set[str]:
    return {job.user.timezone for job in Job.objects.select_related("user") if job.user}


@pytest.mark.parametrize("zone", MIDNIGHTS)
def test_nobody_is_looked_at_again_before_their_own_midnight(api: Api, zone: str) -> None:
    person = new_person(zone)
    evaluated(person, MIDNIGHTS[zone] - timedelta(hours=1))
    assert Watermark.objects.get(user=person).local_date == date(2027, 3, 1)
    assert sweep_new_days(now=MIDNIGHTS[zone]) == 0
    assert sweep_new_days(now=MIDNIGHTS[zone] + timedelta(minutes=1)) == 1
    assert _queued() == {zone}


def test_each_zone_has_its_own_day(api: Api) -> None:
    for zone in MIDNIGHTS:
        evaluated(new_person(zone), MIDNIGHTS[zone] - timedelta(minutes=1))
    # at 17:00 UTC the next day has begun from Eucla (+8:45) eastwards, not yet in Kathmandu (+5:45)
    assert sweep_new_days(now=datetime(2027, 3, 1, 17, 0, tzinfo=UTC)) == 3
    assert _queued() == {"Pacific/Chatham", "Pacific/Kiritimati", "Australia/Eucla"}


def test_a_new_day_is_queued_once_however_often_the_sweep_comes(api: Api) -> None:
    person = new_person()
    evaluated(person, NOON)
    for minutes in (0, 15, 30):
        sweep_new_days(now=NOON + timedelta(days=1, minutes=minutes))
    assert Job.objects.count() == 1


def test_whoever_was_looked_at_on_the_new_day_is_left_alone(api: Api) -> None:
    person = new_person()
    evaluated(person, NOON)
    evaluated(person, NOON + timedelta(days=1))
    assert sweep_new_days(now=NOON + timedelta(days=1)) == 0


def test_a_change_of_zone_counts_as_a_new_date(api: Api, person: MemoryUser) -> None:
    evaluated(person, NOON)
    assert sweep_new_days(now=NOON) == 0
    MemoryUser.objects.filter(pk=person.pk).update(timezone="Pacific/Kiritimati")
    assert sweep_new_days(now=NOON) == 1
    evaluated(person, NOON)
    assert Watermark.objects.get(user=person).local_date == date(2027, 3, 2)


def test_a_change_of_zone_within_one_date_changes_nothing(api: Api, person: MemoryUser) -> None:
    evaluated(person, NOON)
    MemoryUser.objects.filter(pk=person.pk).update(timezone="Europe/Berlin")
    assert sweep_new_days(now=NOON) == 0


@pytest.fixture
def traveller(api: Api, person: MemoryUser) -> MemoryUser:
    """A person whose passport ends before a booked trip does."""
    api.append(
        person,
        passport("Germany", "2027-03-10"),
        trip("Tokyo", "2027-03-05", country="Japan", status="booked", returns_on="2027-03-20"),
    )
    return person


def test_an_alert_about_what_is_ahead_clears_once_it_is_past(traveller: MemoryUser) -> None:
    evaluated(traveller, NOON)
    standing = Alert.objects.active().filter(user=traveller, rule="passport_trip")
    assert standing.count() == 1
    evaluated(traveller, datetime(2027, 3, 5, 23, 59, tzinfo=UTC))
    assert standing.count() == 1
    evaluated(traveller, datetime(2027, 3, 6, 0, 0, tzinfo=UTC))
    assert standing.count() == 0
    assert kinds_of_events(traveller).count("cleared") >= 1


def test_the_date_is_the_persons_and_not_the_servers(traveller: MemoryUser) -> None:
    MemoryUser.objects.filter(pk=traveller.pk).update(timezone="Pacific/Pago_Pago")
    standing = Alert.objects.active().filter(user=traveller, rule="passport_trip")
    evaluated(traveller, datetime(2027, 3, 6, 10, 59, tzinfo=UTC))  # still March 5 in Pago Pago
    assert standing.count() == 1
    evaluated(traveller, datetime(2027, 3, 6, 11, 0, tzinfo=UTC))
    assert standing.count() == 0


def test_a_new_date_alone_does_not_touch_what_it_does_not_concern(
    traveller: MemoryUser,
) -> None:
    evaluated(traveller, NOON)
    events = kinds_of_events(traveller)
    evaluated(traveller, NOON + timedelta(days=1))
    assert kinds_of_events(traveller) == events
