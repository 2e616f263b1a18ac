"""`users/{id}/jobs`: what is done for a person, how far it is, and its end."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from memory.models import Job, JobStatus, MemoryUser
from tests.api_client import Api, pointers
from tests.people import new_person


@pytest.fixture
def jobs(person: MemoryUser) -> list[Job]:
    """Five jobs of a person, the newest first: one waits, one runs, three are over."""
    now = timezone.now()
    lasting = {
        "status": JobStatus.RUNNING,
        "started_at": now,
        "lease_until": now + timedelta(minutes=1),
        "stage": "asking the model",
        "done": 132,
        "total": 400,
    }
    over = {"status": JobStatus.DONE, "finished_at": now}
    several = [{}, lasting, over, {**over, "name": "evaluate"}, {**over, "error": "ValueError"}]
    return [
        Job.objects.create(
            **{"name": "read", "user": person, "queued_at": now - timedelta(hours=age), **one}
        )
        for age, one in enumerate(several)
    ]


def _path(person: MemoryUser) -> str:
    return f"users/{person.pk}/jobs"


def test_jobs_are_listed_newest_first_with_how_far_they_are(
    api: Api, person: MemoryUser, jobs: list[Job]
) -> None:
    listed = api.all(_path(person))
    assert [one["id"] for one in listed] == [str(job.pk) for job in jobs]
    runs = listed[1]
    assert (runs["name"], runs["status"], runs["stage"]) == ("read", "running", "asking the model")
    assert (runs["done"], runs["total"], runs["cancelling"]) == (132, 400, False)
    assert runs["finished_at"] is None
    assert [one["name"] for one in listed].count("evaluate") == 1
    assert listed[-1]["error"] == "ValueError"


def test_pages_leave_nothing_out_where_moments_are_the_same(api: Api, person: MemoryUser) -> None:
    now = timezone.now()
    Job.objects.bulk_create(
        Job(name="evaluate", user=person, queued_at=now, status=JobStatus.DONE) for _ in range(5)
    )
    pages = api.pages(_path(person), limit=2)
    assert [len(page) for page in pages] == [2, 2, 1]
    assert len({one["id"] for page in pages for one in page}) == 5


@pytest.mark.parametrize("cursor", ["0", "x", "%00", "0b7e0c56-6b1f-4f0e-9a53-5d6f3c0a7f10"])
def test_a_cursor_of_no_job_is_refused(
    api: Api, person: MemoryUser, jobs: list[Job], cursor: str
) -> None:
    assert api.client.get(f"/api/v1/{_path(person)}?cursor={cursor}").status_code == 400


def test_another_persons_jobs_are_not_listed(api: Api, person: MemoryUser, jobs: list[Job]) -> None:
    other = new_person(name="Zoe")
    assert api.all(_path(other)) == []
    foreign = api.client.get(f"/api/v1/{_path(other)}?cursor={jobs[0].pk}")
    assert foreign.status_code == 400


def test_a_running_job_is_asked_to_end_and_the_waiting_one_ends(
    api: Api, person: MemoryUser, jobs: list[Job]
) -> None:
    answer = api.post(f"{_path(person)}/{jobs[1].pk}/cancel", {})
    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["cancelling"]) == ("running", True)
    waits = api.all(_path(person))[0]
    assert (waits["status"], waits["cancelling"]) == ("cancelled", False)


def test_a_second_word_changes_nothing(api: Api, person: MemoryUser, jobs: list[Job]) -> None:
    path = f"{_path(person)}/{jobs[1].pk}/cancel"
    first, second = api.post(path, {}), api.post(path, {})
    assert second.status_code == 200
    assert second.json() == first.json()


@pytest.mark.parametrize(("number", "title"), [(2, "The job has ended"), (3, "Not cancellable")])
def test_what_cannot_be_cancelled_is_refused(
    api: Api, person: MemoryUser, jobs: list[Job], number: int, title: str
) -> None:
    answer = api.post(f"{_path(person)}/{jobs[number].pk}/cancel", {})
    assert answer.status_code == 409
    assert pointers(answer) == {}
    assert answer.json()["title"] == title
    assert Job.objects.get(pk=jobs[0].pk).status == "queued"


def test_a_job_is_not_found_under_another_person(
    api: Api, person: MemoryUser, jobs: list[Job]
) -> None:
    other = new_person(name="Zoe")
    assert api.post(f"{_path(other)}/{jobs[1].pk}/cancel", {}).status_code == 404
    assert api.post(f"{_path(person)}/{uuid4()}/cancel", {}).status_code == 404
    assert Job.objects.get(pk=jobs[1].pk).cancel_at is None
