"""The last day to act: shown as time left on the person's own date, and never part of the text."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from alerts.due import time_left
from alerts.models import Alert
from memory.models import MemoryUser
from tests.alerts.staff_pages import logged_in, text_of
from tests.alerts.standing import evaluated, kinds_of_events
from tests.api_client import Api
from tests.facts import allergy, fact, medication, reading
from tests.people import new_person

DAY = timedelta(days=1)


def owed(now: datetime, person: MemoryUser, days: int) -> dict[str, object]:
    """Something to be done in some days by the person's date, said on it."""
    today = person.local_date(now)
    data = {"title": "Return the drill", "due_on": str(today + days * DAY), "said_on": str(today)}
    return fact("The drill goes back", reading("commitments.Commitment", **data))


@pytest.mark.parametrize(
    ("due", "words"),
    [
        (None, ""),
        (date(2026, 3, 12), "2 days left"),
        (date(2026, 3, 11), "1 day left"),
        (date(2026, 3, 10), "last day"),
        (date(2026, 3, 9), "1 day overdue"),
        (date(2022, 3, 10), "1,461 days overdue"),
    ],
)
def test_the_words(due: date | None, words: str) -> None:
    assert time_left(due, date(2026, 3, 10)) == words


def test_nothing_happens_to_the_alert_while_the_days_pass(api: Api, person: MemoryUser) -> None:
    now = timezone.now()
    api.append(person, owed(now, person, 3))
    for days in (1, 2, 3):
        evaluated(person, now + days * DAY)
    assert kinds_of_events(person) == ["opened"]
    evaluated(person, now + 4 * DAY)
    assert kinds_of_events(person) == ["opened", "changed"], "now it is said that it was due"


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_the_api_counts_from_the_persons_own_date(api: Api, zone: str) -> None:
    person, now = new_person(zone), timezone.now()
    api.append(person, owed(now, person, 2))
    (alert,) = api.alerts(person)
    assert alert["due"] == str(person.local_date(now) + 2 * DAY)
    assert alert["time_left"] == "2 days left"


def test_an_alert_without_a_last_day_has_none(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("amoxicillin"))
    (alert,) = api.alerts(person)
    assert (alert["due"], alert["time_left"]) == (None, "")


def test_the_pages_say_it_while_the_alert_stands(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, owed(timezone.now(), person, 2))
    pages, alert = logged_in(caregiver), Alert.objects.get()
    addresses = ("/", f"/alerts/{alert.pk}/panel", f"/people/{person.pk}?tab=alerts")
    for address in addresses:
        assert "2 days left" in text_of(pages, address), address
    Alert.objects.update(status="resolved")
    assert "days left" not in text_of(pages, addresses[-1])


def test_a_change_of_the_day_alone_is_a_change(api: Api, person: MemoryUser) -> None:
    now = timezone.now()
    api.append(person, owed(now, person, 3))
    before = Alert.objects.get()
    assert before.due == person.local_date(now) + 3 * DAY
    Alert.objects.update(fingerprint="0" * 64, due=None)
    evaluated(person, now + DAY)
    after = Alert.objects.get()
    assert (after.due, after.fingerprint) == (before.due, before.fingerprint)
