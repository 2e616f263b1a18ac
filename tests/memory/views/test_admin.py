"""The administration: people, apps and keys; the queue to look at."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.contrib import admin
from django.contrib.auth.models import User as Staff
from django.test import Client, RequestFactory

from memory.models import App, AppKey, Job, MemoryUser
from memory.rights import SCOPES
from tests.api_client import HOST, Api
from tests.facts import note


@pytest.fixture
def office(transactional_db: None) -> Client:
    """The administration as a superuser sees it."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(Staff.objects.create_superuser("admin", password="a-long-pass-phrase"))
    return client


KEY = {"scopes": [scope.value for scope in SCOPES], "reach": "all", "days": "30"}


def make_key(office: Client, app: str, **more: object) -> str:
    text = office.post("/admin/memory/appkey/add/", KEY | {"app": app} | more).content.decode()
    found = re.search(r'id="secret">(uac_[\w-]+)<', text)
    assert found is not None
    return found[1]


def test_a_key_is_shown_once_and_opens_the_door(office: Client) -> None:
    secret = make_key(office, "Clinic")
    assert Api(secret).get("users", external_id="nobody").status_code == 404
    key = AppKey.objects.get()
    for path in ("", f"{key.pk}/change/"):
        assert secret not in office.get(f"/admin/memory/appkey/{path}").content.decode()
    assert secret not in str(office.session.items())


def test_a_revoked_key_opens_nothing(office: Client) -> None:
    secret = make_key(office, "Clinic")
    office.post(
        "/admin/memory/appkey/",
        {"action": "revoke", "_selected_action": [str(AppKey.objects.get().pk)]},
    )
    assert Api(secret).get("users", external_id="nobody").status_code == 401


def test_a_second_key_is_one_of_the_same_app(office: Client) -> None:
    make_key(office, "Clinic")
    make_key(office, "Clinic")
    assert App.objects.get(name="Clinic").keys.count() == 2


def test_a_person_may_get_another_name_and_zone_but_no_other_id(
    office: Client, person: MemoryUser
) -> None:
    address = f"/admin/memory/memoryuser/{person.pk}/change/"
    form = {"display_name": "Ada Holm", "timezone": "Europe/Berlin", "external_id": "other"}
    assert office.post(address, form).status_code == 302
    changed = MemoryUser.objects.get(pk=person.pk)
    assert (changed.display_name, changed.timezone) == ("Ada Holm", "Europe/Berlin")
    assert changed.external_id == person.external_id


def test_a_form_that_was_read_before_a_fact_came_leaves_the_heads_of_the_log_alone(
    api: Api, person: MemoryUser, rf: RequestFactory
) -> None:
    head = api.append(person, note("One fact"))["head"]
    person.display_name = "Ada Holm"  # still the row as it was before the fact
    shown = admin.site.get_model_admin(MemoryUser)
    request = rf.post("/")
    request.user = Staff.objects.create_superuser("root")
    shown.save_model(request, person, form=None, change=True)
    changed = MemoryUser.objects.get(pk=person.pk)
    assert changed.display_name == "Ada Holm"
    assert (changed.fact_seq, changed.fact_head) == (head["seq"], head["hash"])


def test_a_person_may_be_added_but_not_in_a_zone_that_is_none(office: Client) -> None:
    form = {"external_id": "new", "display_name": "New", "timezone": "Mars/Olympus"}
    assert "not an IANA" in office.post("/admin/memory/memoryuser/add/", form).content.decode()
    office.post("/admin/memory/memoryuser/add/", form | {"timezone": "UTC"})
    assert MemoryUser.objects.get(external_id="new").display_name == "New"


@pytest.mark.parametrize(
    "path",
    ["memory/job", "django_q/schedule", "django_q/ormq", "django_q/success", "django_q/failure"],
)
def test_jobs_and_the_queue_are_only_looked_at(office: Client, now: datetime, path: str) -> None:
    Job.objects.create(name="evaluate", queued_at=now)
    listed = office.get(f"/admin/{path}/")
    assert listed.status_code == 200
    assert b'name="action"' not in listed.content
    assert office.get(f"/admin/{path}/add/").status_code == 403


def test_the_log_is_not_in_the_administration() -> None:
    names = {model.__name__ for model in admin.site._registry}
    assert not names & {"Fact", "FactBody", "Message", "MessageBody", "Reading", "ReadingBody"}


def test_a_caregiver_administers_nothing(caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert client.get("/admin/memory/appkey/add/").status_code == 403
    assert client.get("/admin/memory/memoryuser/").status_code == 403
    assert not AppKey.objects.exists()
