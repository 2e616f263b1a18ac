"""An endpoint that means harm is left in time; what was said waits, and nothing enters."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from memory.models import CallOutcome, Fact, Job, JobStatus, MemoryUser, ModelCall, ToRead
from tests.facts import reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Act, Script, answers, model_server, status, trickles, truncated
from tests.queue import deliver_all

SAID = "I take ibuprofen"
GOOD = answer(entry(1, found(SAID, reading("health.Medication", name="ibuprofen"))))
JSON = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n"
BOMB = gzip.compress(b" " * 20_000_000)


@pytest.mark.parametrize(
    ("act", "outcome"),
    [
        (truncated(GOOD), CallOutcome.UNREACHABLE),
        (trickles(b" " * 1_000, every=0.02, after=JSON), CallOutcome.TIMED_OUT),
        (
            lambda to, _: to.whole(200, BOMB, Content_Encoding="gzip"),
            CallOutcome.GARBLED,
        ),
    ],
    ids=["truncated", "a byte at a time", "packed"],
)
def test_the_message_waits_with_the_reason(
    person: MemoryUser,
    server: Script,
    says: Post,
    settings: Settings,
    act: Act,
    outcome: CallOutcome,
) -> None:
    settings.MODEL = {**settings.MODEL, "seconds": 0.5}
    server.plays(act)
    says(SAID)
    deliver_all()
    row = ToRead.objects.get()
    assert (row.status, row.tries, bool(row.reason)) == ("waiting", 0, True)
    assert (ModelCall.objects.get().outcome, Fact.objects.count()) == (outcome, 0)
    assert Job.objects.get(name="read").status == JobStatus.DONE


@pytest.fixture
def elsewhere() -> Iterator[Script]:
    """Another server, which would give a good answer."""
    with model_server() as script:
        script.plays(answers(GOOD))
        yield script


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_leads_nowhere(
    person: MemoryUser, server: Script, elsewhere: Script, says: Post, code: int
) -> None:
    server.plays(status(code, Location=f"{elsewhere.url}/chat/completions"))
    says(SAID)
    deliver_all()
    assert (elsewhere.requests, Fact.objects.count()) == ([], 0)
    assert ToRead.objects.get().status == "waiting"
