"""A worker killed with `kill -9` while the model writes: all is read, and nothing twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from memory.actions.jobs import redeliver_lost
from memory.models import Fact, Job, MemoryUser, Reading, ToRead
from memory.verification import verify_user
from tests.facts import reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Act, Connection, Request, Script, answers
from tests.queue import deliver_all
from uac_site.serving import Process, worker_command

PATIENCE = 60.0
QUOTES = [f"I take drug{number} every day" for number in range(14)]
LATE = "I take another every day"
BATCH = 12


@pytest.fixture
def start_worker(server: Script, tmp_path: Path) -> Iterator[Callable[[], Process]]:
    """Start a worker on the database of the test, with the scripted model."""
    own = {
        "DATABASE_URL": _database_url(),
        "SECRET_KEY": settings.SECRET_KEY,
        "OPENAI_BASE_URL": server.url,
        "OPENAI_API_KEY": "sk-test",
        "UAC_MODEL": "small",
        "UAC_MODEL_ATTEMPTS": "1",
        "WORKER_PROCESSES": "1",
    }
    with ExitStack() as ends:

        def start() -> Process:
            worker = Process(worker_command(), own, log=tmp_path / "worker.log")
            ends.callback(worker.kill)
            worker.start()
            return worker

        yield start


def _database_url() -> str:
    """Where a process of its own finds the database of the test."""
    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    password = f":{at['PASSWORD']}" if at["PASSWORD"] else ""
    return f"postgres://{at['USER']}{password}@{at['HOST']}:{at['PORT'] or 5432}/{at['NAME']}"


def _all_of(quotes: list[str]) -> Act:
    entries = [
        entry(number, found(quote, reading("health.Medication", name=quote.split()[2])))
        for number, quote in enumerate(quotes, start=1)
    ]
    return answers(answer(*entries))


class Moment:
    """Something that happens at the model's, for the test to wait for."""

    def __init__(self) -> None:
        self.came, self.go = threading.Event(), threading.Event()

    def before(self, then: Act) -> Act:
        """Tell that it came, and answer once the test lets it."""

        def act(to: Connection, request: Request) -> None:
            self.came.set()
            assert self.go.wait(PATIENCE)
            then(to, request)

        return act

    def wait(self) -> None:
        assert self.came.wait(PATIENCE)


def _time_passes() -> None:
    """As long as it takes until a worker that says nothing counts as lost."""
    long_ago = timezone.now() - timedelta(hours=1)
    Job.objects.filter(status="running").update(lease_until=long_ago, delivered_at=long_ago)
    assert redeliver_lost(now=timezone.now()) == 1


def test_all_is_read_once_though_the_worker_was_killed(
    person: MemoryUser, server: Script, says: Post, start_worker: Callable[[], Process]
) -> None:
    killed, following = Moment(), Moment()
    first, rest = QUOTES[:BATCH], [*QUOTES[BATCH:], LATE]
    server.plays(killed.before(_all_of(first)), _all_of(first), following.before(_all_of(rest)))
    says(*QUOTES)
    lost = start_worker()
    killed.wait()
    interrupted = Job.objects.get(name="read")
    assert interrupted.status == "running"
    lost.kill()
    killed.go.set()
    says(LATE)
    assert ToRead.objects.waiting().count() == len(QUOTES) + 1
    assert not Fact.objects.exists()

    _time_passes()
    second = start_worker()
    following.wait()
    assert ToRead.objects.waiting().count() == len(rest)
    following.go.set()
    second.stop(PATIENCE)
    deliver_all()  # a job that found nothing left to read may still be queued

    assert set(ToRead.objects.values_list("status", flat=True)) == {"read"}
    assert ToRead.objects.count() == Fact.objects.count() == Reading.objects.count() == 15
    assert len(server.requests) == 3
    read = Job.objects.filter(name="read")
    assert read.get(attempts=2).pk == interrupted.pk
    assert set(read.values_list("status", flat=True)) == {"done"}
    newest = read.latest("finished_at")
    assert (newest.done, newest.total) == (15, 15)
    assert verify_user(person.pk) == []
