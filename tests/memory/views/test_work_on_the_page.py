"""What the model does for a person stands on their page, with a button to end it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from memory.models import Job, JobStatus, MemoryUser, ToRead
from memory.rights import Role
from tests.api_client import HOST
from tests.staff import new_staff


@pytest.fixture
def runs(person: MemoryUser) -> Job:
    """A job that has asked the model, with another one behind it."""
    now = timezone.now()
    Job.objects.create(name="read", user=person, queued_at=now)
    return Job.objects.create(
        name="read",
        user=person,
        queued_at=now - timedelta(minutes=1),
        started_at=now,
        status=JobStatus.RUNNING,
        lease_until=now + timedelta(minutes=1),
        stage="asking the model",
        done=1132,
        total=4000,
    )


def _browser(staff: Staff) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(staff)
    return client


def _seen(client: Client, path: str) -> str:
    """The text and the tags of the part that shows the work, without needless space."""
    page = client.get(path)
    assert page.status_code == 200
    part = re.search(r'<div class="work" id="person-work".*?</div>\s*</div>', page.text, re.S)
    return " ".join(part[0].split()) if part else ""


def test_the_line_tells_stage_and_count(caregiver: Staff, person: MemoryUser, runs: Job) -> None:
    line = _seen(_browser(caregiver), f"/people/{person.pk}")
    assert line.count('class="job"') == 1
    assert "asking the model" in line
    assert "1,132 of 4,000" in line
    assert 'max="4000" value="1132"' in line
    assert f"/people/{person.pk}/jobs/{runs.pk}/cancel" in line


def test_what_has_no_count_yet_has_a_bar_without_value(
    caregiver: Staff, person: MemoryUser
) -> None:
    Job.objects.create(name="structure", user=person, queued_at=timezone.now())
    line = _seen(_browser(caregiver), f"/people/{person.pk}")
    assert "waits for its turn" in line
    assert "value=" not in line.partition("<form")[0]
    assert " of " not in line


def test_nothing_stands_there_when_nothing_is_done(caregiver: Staff, person: MemoryUser) -> None:
    Job.objects.create(name="evaluate", user=person, queued_at=timezone.now())
    page = _browser(caregiver).get(f"/people/{person.pk}").text
    assert '<div class="work" id="person-work" data-swap data-work=""></div>' in page


def test_the_button_ends_it(caregiver: Staff, person: MemoryUser, runs: Job) -> None:
    browser = _browser(caregiver)
    answer = browser.post(f"/people/{person.pk}/jobs/{runs.pk}/cancel", follow=True)
    assert answer.redirect_chain[-1][0] == f"/people/{person.pk}"
    assert "Cancelled." in answer.text
    runs.refresh_from_db()
    assert runs.cancel_at is not None
    line = _seen(browser, f"/people/{person.pk}")
    assert "is being cancelled" in line
    assert "<form" not in line


def test_the_button_of_an_old_page_ends_nothing(
    caregiver: Staff, person: MemoryUser, runs: Job
) -> None:
    old = Job.objects.create(
        name="read", user=person, queued_at=timezone.now(), status=JobStatus.DONE
    )
    answer = _browser(caregiver).post(f"/people/{person.pk}/jobs/{old.pk}/cancel", follow=True)
    assert "It had ended already" in answer.text
    assert not Job.objects.filter(cancel_at__isnull=False).exists()


def test_a_reviewer_sees_and_ends_it_on_the_reading_page(person: MemoryUser, runs: Job) -> None:
    browser = _browser(new_staff("reviewer", Role.REVIEWER))
    assert "asking the model" in _seen(browser, f"/people/{person.pk}/reading")
    answer = browser.post(f"/people/{person.pk}/jobs/{runs.pk}/cancel", follow=True)
    assert answer.redirect_chain[-1][0] == f"/people/{person.pk}/reading"


def test_what_was_cancelled_says_so_and_can_be_read_now(
    caregiver: Staff, person: MemoryUser
) -> None:
    said = "cancelled by <b>Eve</b>"
    ToRead.objects.create(user=person, stream="message", seq=1, reason=said)
    browser = _browser(caregiver)
    page = browser.get(f"/people/{person.pk}/reading").text
    assert "It waits: cancelled by &lt;b&gt;Eve&lt;/b&gt;" in page
    assert "Read now" in page
    answer = browser.post(f"/people/{person.pk}/reading/now", follow=True)
    assert "no model is configured" in answer.text
    Job.objects.create(name="read", user=person, queued_at=timezone.now())
    assert "Read now" not in browser.get(f"/people/{person.pk}/reading").text
