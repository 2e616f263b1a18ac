"""Every write and every request that reads a person's data leaves one event, and no more."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User as Staff
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from alerts.models import Alert
from memory.models import AppKey, AuditEvent, MemoryUser
from memory.rights import Right
from tests.api_client import HOST, Api
from tests.facts import allergy, medication, note
from tests.proposals import bought, proposed
from tests.staff import new_key


@pytest.fixture
def page(caregiver: Staff) -> Client:
    """The site as the caregiver sees it."""
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR="192.0.2.7")
    client.force_login(caregiver)
    return client


def _events() -> list[AuditEvent]:
    """What was recorded over HTTP, in order."""
    return list(AuditEvent.objects.exclude(request_id="").order_by("pk"))


def _last() -> tuple[str, str, str]:
    event = _events()[-1]
    return event.action, event.object_kind, event.outcome


def test_a_post_is_recorded_with_who_and_whence(
    api: Api, app_secret: str, person: MemoryUser
) -> None:
    answer = api.post_facts(person, allergy("latex"), medication("Amoxicillin"))
    (event,) = _events()
    key = AppKey.objects.get()
    assert (event.action, event.object_kind, event.object_id) == ("facts.append", "fact", "1-2")
    assert (event.actor_kind, event.actor_id) == ("app", str(key.app_id))
    assert (event.credential, event.person_id) == (str(key.pk), person.pk)
    assert (event.request_id, event.address) == (answer["X-Request-ID"], "127.0.0.1")
    assert event.outcome == "done"


def test_an_append_adds_one_statement(api: Api, person: MemoryUser) -> None:
    api.append(person, note("the first"))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        api.append(person, note("the second"))
    about = [one["sql"] for one in queries if "memory_auditevent" in one["sql"]]
    assert len(about) == 1
    assert about[0].startswith("INSERT")


def test_a_refused_post_is_recorded_as_refused(api: Api, person: MemoryUser) -> None:
    assert api.post_facts(person, {"text": ""}).status_code == 422
    assert _last() == ("request", "api:facts", "refused")
    assert _events()[-1].person_id == person.pk


@pytest.mark.parametrize(
    "path", ["", "/facts", "/messages", "/state", "/alerts", "/code", "/code.zip"]
)
def test_every_reading_of_the_api_is_recorded_once(api: Api, person: MemoryUser, path: str) -> None:
    assert api.get(f"users/{person.pk}{path}").status_code == 200
    (event,) = _events()
    assert (event.action, event.person_id, event.outcome) == ("read", person.pk, "done")


def test_a_query_is_recorded_without_its_words(api: Api, person: MemoryUser) -> None:
    assert api.post(f"users/{person.pk}/query", {"code": "'quixotamol'"}).status_code == 200
    (event,) = _events()
    assert (event.object_kind, event.person_id) == ("api:query", person.pk)
    assert "quixotamol" not in str(vars(event))


def test_who_looks_for_somebody_by_id_is_recorded(api: Api, person: MemoryUser) -> None:
    assert api.get("users", external_id=person.external_id).status_code == 200
    assert _events()[-1].person_id == person.pk
    assert api.get(f"users/{uuid4()}").status_code == 404
    assert _last() == ("read", "api:user", "refused")


def test_a_key_without_the_scope_leaves_a_refusal(person: MemoryUser) -> None:
    lame = Api(new_key("lame", scopes=[Right.FACTS_WRITE]))
    assert lame.get(f"users/{person.pk}/facts").status_code == 403
    assert _last() == ("read", "api:facts", "refused")


def test_every_page_about_a_person_is_recorded(page: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    alert = Alert.objects.get()
    seen = len(_events())
    for path in (
        f"/people/{person.pk}",
        f"/people/{person.pk}/fragment",
        f"/people/{person.pk}/code",
        f"/alerts/{alert.pk}/panel",
        "/alerts",
        "/people",
        "/",
    ):
        assert page.get(path).status_code == 200
        seen += 1
        events = _events()
        assert len(events) == seen
        assert (events[-1].action, events[-1].address) == ("read", "192.0.2.7")
        if str(person.pk) in path or "panel" in path:
            assert events[-1].person_id == person.pk


def test_what_staff_do_to_alerts_and_proposals_is_recorded(
    page: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), bought("a lamp"))
    alert = Alert.objects.get()
    page.post(f"/alerts/{alert.pk}/acknowledge")
    assert _last() == ("alert.acknowledged", "alert", "done")
    page.post(f"/alerts/{alert.pk}/override", {"reason": "tolerated", "comment": "quixotamol"})
    assert _last() == ("alert.overridden", "alert", "done")
    proposal = proposed(person)
    page.post(f"/proposals/{proposal.pk}/approve", {"digest": proposal.digest})
    assert _last() == ("proposal.approved", "proposal", "done")
    assert {one.actor_id for one in _events()[-3:]} == {str(caregiver.pk)}
    assert all("quixotamol" not in str(vars(one)) for one in _events())


def test_every_answer_has_an_id_of_its_own(api: Api, page: Client, person: MemoryUser) -> None:
    answers = [api.get(f"users/{person.pk}"), page.get("/people"), page.get("/nowhere")]
    ids = {answer["X-Request-ID"] for answer in answers}
    assert len(ids) == 3
    forged = page.get("/people", headers={"x-request-id": "mine"})
    assert forged["X-Request-ID"] != "mine"


def test_who_is_not_logged_in_fills_no_audit(transactional_db: None) -> None:
    client = Client(SERVER_NAME=HOST)
    client.get("/people")
    client.get("/login")
    Api("uac_wrong").get(f"users/{uuid4()}")
    assert not any(event.object_kind in ("people", "api:user") for event in _events())
