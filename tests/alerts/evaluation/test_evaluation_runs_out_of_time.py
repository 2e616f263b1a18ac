"""What a request has no time for goes to the queue, and the answer says so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from pytest_django import Settings

from alerts.models import Watermark
from alerts.tasks import sweep, sweep_behind, sweep_dates
from memory.models import Job, JobStatus, MemoryUser
from tests.alerts.standing import from_scratch, standing
from tests.api_client import Api
from tests.facts import allergy, medication, note
from tests.queue import deliver_all
from tests.shipped_copy import ShippedCopy

NO_TIME = 0.0
ENDLESS = """
from datetime import date

from domains.notes.state import notes


def check(today: date) -> list:
    while notes:
        pass
    return []
"""


@pytest.fixture
def hurried(api: Api, person: MemoryUser, settings: Settings) -> MemoryUser:
    """A person with an allergy, whose rules get no time inside a request from now on."""
    api.append(person, allergy("penicillin"))
    settings.EVALUATION_INLINE_SECONDS = NO_TIME
    return person


def test_the_answer_says_that_the_evaluation_is_queued(api: Api, hurried: MemoryUser) -> None:
    answer = api.append(hurried, medication("Amoxicillin"))
    assert answer["evaluation"] == {"status": "queued", "through_seq": 1}
    assert answer["alerts"] == {"opened": [], "changed": [], "cleared": []}
    assert [job.status for job in Job.objects.all()] == [JobStatus.QUEUED]


def test_the_job_finishes_it(api: Api, hurried: MemoryUser) -> None:
    api.append(hurried, medication("Amoxicillin"))
    assert standing(hurried) == []
    assert deliver_all() == 1
    assert len(standing(hurried)) == 1
    assert Job.objects.get().status == JobStatus.DONE
    assert standing(hurried) == from_scratch(hurried)


def test_a_repeat_after_the_job_tells_of_the_alert(api: Api, hurried: MemoryUser) -> None:
    first = api.post_facts(hurried, medication("Amoxicillin"), key="k1").json()
    assert first["alerts"]["opened"] == []
    deliver_all()
    again = api.post_facts(hurried, medication("Amoxicillin"), key="k1").json()
    assert len(again["alerts"]["opened"]) == 1


def test_many_posts_wait_for_one_job(api: Api, hurried: MemoryUser) -> None:
    for name in ("Amoxicillin", "Ampicillin", "Dicloxacillin"):
        api.append(hurried, medication(name))
    assert Job.objects.count() == OrmQ.objects.count() == 1
    deliver_all()
    assert len(standing(hurried)) == 3


def test_what_needs_no_rule_is_answered_even_then(
    api: Api, person: MemoryUser, settings: Settings
) -> None:
    settings.EVALUATION_INLINE_SECONDS = 0.05
    api.append(person, allergy("penicillin"))
    deliver_all()
    assert api.append(person, note("tea"))["evaluation"]["through_seq"] in (1, 2)


def test_a_rule_that_takes_too_long_for_a_request_delays_no_post(
    api: Api, person: MemoryUser, settings: Settings, code: ShippedCopy
) -> None:
    code.rule("slow", ENDLESS)
    settings.EVALUATION_INLINE_SECONDS = 0.2
    answer = api.append(person, note("tea"))
    assert answer["evaluation"]["status"] == "queued"
    assert Job.objects.count() == 1


def test_big_batches_are_queued_without_a_look(
    api: Api, person: MemoryUser, settings: Settings
) -> None:
    settings.EVALUATION_INLINE_FACTS = 2
    few = [allergy("penicillin"), medication("Amoxicillin")]
    assert api.append(person, *few)["evaluation"]["status"] == "done"
    answer = api.append(person, medication("Ampicillin"), note("a"), note("b"))
    assert answer["evaluation"] == {"status": "queued", "through_seq": 2}
    deliver_all()
    assert len(standing(person)) == 2


def test_the_sweeps_are_on_the_queues_timetable(person: MemoryUser) -> None:
    timetable = {one.func: one.minutes for one in Schedule.objects.all()}
    assert timetable == {
        "alerts.tasks.sweep": 1,
        "alerts.tasks.sweep_dates": 15,
        "memory.retrieval.tasks.sweep_index": 5,
        "memory.sealing.drop_old_events": 1440,
        "memory.sealing.seal_new_events": 1,
        "memory.tasks.sweep_unread": 5,
        "memory.upgrades.sweep_upgrades": 1,
        "uac_site.accounts.tasks.sweep_accounts": None,  # every day
    }
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_the_sweeps_do_nothing_where_nothing_is_left(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    sweep()
    sweep_dates()
    assert not Job.objects.exists()


def test_the_sweep_finds_who_lies_behind_the_code_or_the_tables(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    for column in ("version", "ground"):
        before = list(standing(person))
        Watermark.objects.filter(user=person).update(**{column: "older"})
        assert sweep_behind(now=timezone.now()) == 1
        deliver_all()
        assert sweep_behind(now=timezone.now()) == 0
        assert standing(person) == before


def test_a_job_that_the_queue_lost_is_delivered_by_the_sweep(api: Api, hurried: MemoryUser) -> None:
    api.append(hurried, medication("Amoxicillin"))
    OrmQ.objects.all().delete()
    Job.objects.update(delivered_at=timezone.now() - timedelta(hours=1))
    sweep()
    deliver_all()
    assert len(standing(hurried)) == 1
