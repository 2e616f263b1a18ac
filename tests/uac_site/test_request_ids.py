"""One id runs from a request through its answer, the log, the audit and the jobs it asks for."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from uuid import uuid4

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from pytest_django import Settings

from alerts.tasks import sweep_behind
from memory.correlation import correlated, taken_over
from memory.models import AuditEvent, Job, MemoryUser
from tests.api_client import HOST, Api
from tests.facts import note
from tests.queue import deliver_all
from uac_site.logs import JsonLines

ID = "0af7651916cd43dd8448eb211c80319c"


@contextmanager
def _logged() -> Iterator[list[dict[str, object]]]:
    """What is logged inside, as the JSON lines that an operator collects."""
    stream, lines = io.StringIO(), list[dict[str, object]]()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        lines += [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_good_id_is_taken_over_and_an_answer_names_it(api: Api, person: MemoryUser) -> None:
    api.client.defaults["HTTP_X_REQUEST_ID"] = ID
    assert api.get(f"users/{person.pk}")["X-Request-ID"] == ID
    refused = api.get("users/none")
    assert refused["X-Request-ID"] == refused.json()["request_id"] == ID
    assert {one.request_id for one in AuditEvent.objects.filter(object_kind="api:user")} == {ID}


def test_the_same_id_with_hyphens_is_the_same() -> None:
    one = uuid4()
    assert taken_over(str(one).upper()) == taken_over(one.hex) == one.hex


@pytest.mark.parametrize(
    "asked",
    ["", "short", "ada-holm-has-hiv", "a" * 33, f"{ID[:31]}g", "-" * 20, "0af7" * 3],
)
def test_any_other_is_replaced(asked: str, transactional_db: None) -> None:
    client = Client(SERVER_NAME=HOST, headers={"X-Request-ID": asked})
    given = client.get("/login")["X-Request-ID"]
    assert len(given) == 32
    assert given != asked.strip()
    assert client.get("/login")["X-Request-ID"] != given


def test_two_requests_have_two_ids(api: Api, person: MemoryUser) -> None:
    first, second = (api.get(f"users/{person.pk}")["X-Request-ID"] for _ in range(2))
    assert first != second


def test_a_job_belongs_to_the_request_that_asked_for_it(
    api: Api, person: MemoryUser, settings: Settings
) -> None:
    settings.EVALUATION_INLINE_FACTS = 1
    asked = api.post_facts(person, note("I like tea"), note("I like rain"))["X-Request-ID"]
    job = Job.objects.get(name="evaluate")
    assert job.request_id == asked
    Job.objects.filter(pk=job.pk).update(name="nobody knows")
    with _logged() as lines, pytest.raises(Exception, match="KeyError"):
        deliver_all()
    (failed,) = [line for line in lines if str(line["message"]).endswith("failed")]
    assert failed["request_id"] == asked
    assert failed["exception"]
    assert failed["logger"] == "memory.tasks"


def test_a_job_of_a_sweep_belongs_to_none(person: MemoryUser, now: datetime) -> None:
    MemoryUser.objects.filter(pk=person.pk).update(fact_seq=1)
    sweep_behind(now=now)
    assert Job.objects.get(name="evaluate").request_id == ""


def test_a_line_is_one_object_without_a_word_of_an_exception() -> None:
    with _logged() as lines, correlated(ID):
        try:
            int("canarycillin")
        except ValueError:
            logging.getLogger("x").exception("of %s\nforged", 7, extra={"fields": {"status": 500}})
    (line,) = lines
    assert line["message"] == "of 7 forged"
    assert (line["request_id"], line["status"], line["level"]) == (ID, 500, "ERROR")
    assert "canarycillin" not in json.dumps(line)


def _fails(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("canarycillin")


class Broken:
    """Addresses where something goes wrong on our side."""

    handler500 = "uac_site.errors.server_error"
    urlpatterns = [path("api/v1/broken", _fails), path("broken", _fails)]


def test_what_goes_wrong_here_names_the_request_too(settings: Settings, db: None) -> None:
    settings.ROOT_URLCONF = Broken
    client = Client(SERVER_NAME=HOST, raise_request_exception=False, headers={"X-Request-ID": ID})
    answer = client.get("/api/v1/broken")
    assert (answer.status_code, answer["Content-Type"]) == (500, "application/problem+json")
    assert answer.json()["request_id"] == ID
    page = client.get("/broken")
    assert page.status_code == 500
    assert ID in page.content.decode()
    assert "canarycillin" not in page.content.decode() + answer.content.decode()
