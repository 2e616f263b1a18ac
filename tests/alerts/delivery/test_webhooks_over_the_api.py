"""An app subscribes for its users with its key, and looks at what was delivered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from alerts.models import Delivery, Webhook
from memory.actions.app_keys import rotate_app_key
from memory.audit import CONSOLE
from memory.models import AppKey, AuditEvent, MemoryUser, Reach
from memory.rights import Right
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.staff import new_key
from tests.webhook_server import Receiver, status

Subscribe = Callable[..., dict[str, Any]]
Work = Callable[..., None]
HOOK = "https://hooks.example.org/alerts"


def test_a_subscription_is_listed_without_its_secret(api: Api, person: MemoryUser) -> None:
    made = api.post("webhooks", {"url": HOOK, "user_ids": [str(person.pk)]})
    assert made.status_code == 201
    body = made.json()
    secret = body.pop("secret")
    assert secret.startswith("uacwh_")
    assert body["kinds"] == ["opened", "recurred", "reopened", "cleared"]
    assert (body["least"], body["summary"], body["signing_key"]) == ("info", False, "k1")
    assert body["user_ids"] == [str(person.pk)]
    assert api.get("webhooks").json() == {"items": [body]}
    assert api.get(f"webhooks/{body['id']}").json() == body
    assert secret not in api.get("webhooks").content.decode()


@pytest.mark.parametrize(
    "url",
    ["http://hooks.example.org/", "https://127.0.0.1/", "https://[::1]/", "https://a@b.org/", "x"],
)
def test_an_address_that_may_not_be_is_refused_by_its_field(
    api: Api, person: MemoryUser, url: str
) -> None:
    answer = api.post("webhooks", {"url": url})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/url"
    assert not Webhook.objects.exists()


def test_it_takes_the_scope_to_read_alerts_as_well(person: MemoryUser) -> None:
    for scopes in ([Right.WEBHOOKS], [Right.ALERTS_READ]):
        answer = Api(new_key("chat", scopes=scopes)).post("webhooks", {"url": HOOK})
        assert answer.status_code == 403
    both = [Right.WEBHOOKS, Right.ALERTS_READ]
    assert Api(new_key("chat", scopes=both)).post("webhooks", {"url": HOOK}).status_code == 201


def test_people_out_of_reach_are_as_unknown_as_those_there_are_not(person: MemoryUser) -> None:
    other = new_person(name="Berta")
    near = Api(new_key("chat", people=[person]))
    for somebody in (other.pk, uuid4()):
        body = {"url": HOOK, "user_ids": [str(person.pk), str(somebody)]}
        assert near.post("webhooks", body).status_code == 404
    assert near.post("webhooks", {"url": HOOK}).status_code == 201


def test_a_key_is_told_of_nobody_out_of_its_reach(
    api: Api, person: MemoryUser, hook: Receiver, work: Work
) -> None:
    other = new_person(name="Berta")
    near = Api(new_key("near", people=[person]))
    assert near.post("webhooks", {"url": hook.url}).status_code == 201
    api.append(other, allergy("penicillin"), medication("Amoxicillin"))
    work()
    assert hook.received == []
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    work()
    assert len(hook.received) == 1


def test_another_app_finds_nothing_of_it(two_apps: tuple[Api, Api], person: MemoryUser) -> None:
    mine, other = two_apps
    made = mine.post("webhooks", {"url": HOOK}).json()
    assert other.get("webhooks").json() == {"items": []}
    for path in ("", "/deliveries"):
        assert other.get(f"webhooks/{made['id']}{path}").status_code == 404
    for verb in ("rotate", "end", "test"):
        assert other.post(f"webhooks/{made['id']}/{verb}", {}).status_code == 404
    assert Webhook.objects.active().count() == 1


def test_it_goes_on_under_the_key_that_takes_the_place_of_its_own(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    made = subscribe()
    key = AppKey.objects.get()
    now = timezone.now()
    _, secret = rotate_app_key(key=key, actor=CONSOLE, now=now, overlap=timedelta())
    assert api.get("webhooks").status_code == 401
    after = Api(secret)
    assert [one["id"] for one in after.get("webhooks").json()["items"]] == [made["id"]]
    after.append(person, allergy("penicillin"), medication("Amoxicillin"))
    work()
    assert len(hook.received) == 1


def test_deliveries_are_listed_with_each_attempt_and_sent_again(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    hook.answer(status(500), status(200))
    made = subscribe()
    path = f"webhooks/{made['id']}/deliveries"
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    work()
    (one,) = api.get(path).json()["items"]
    assert (one["status"], one["http_status"], one["error"]) == ("waiting", 500, "failed")
    assert one["next_at"] is not None
    assert api.post(f"{path}/{one['id']}/replay", {}).status_code == 409
    work(timedelta(hours=1))
    (one,) = api.get(path, status="delivered").json()["items"]
    assert [entry["status"] for entry in one["log"]] == [500, 200]
    assert one["next_at"] is None
    again = api.post(f"{path}/{one['id']}/replay", {})
    assert (again.status_code, again.json()["replay_of"]) == (202, one["id"])
    work()
    first, _, third = hook.received
    assert third.body == first.body
    assert third.headers["UAC-Delivery"] == again.json()["id"]
    assert {row["status"] for row in api.get(path).json()["items"]} == {"delivered"}
    assert AuditEvent.objects.filter(action="delivery.replay", person_id=person.pk).count() == 1


def test_deliveries_come_page_by_page(api: Api, hook: Receiver, subscribe: Subscribe) -> None:
    made = subscribe()
    for _ in range(5):
        assert api.post(f"webhooks/{made['id']}/test", {}).status_code == 202
    path, seen = f"webhooks/{made['id']}/deliveries", []
    page = api.get(path, limit=2).json()
    while True:
        seen += [one["id"] for one in page["items"]]
        if page["next"] is None:
            break
        page = api.client.get(page["next"]).json()
    assert len(seen) == len(set(seen)) == 5
    assert api.get(path, cursor="none").status_code == 400
    assert api.get(path, status="lost").status_code == 400


def test_a_page_of_what_waits_goes_on_when_its_last_waits_no_more(
    api: Api, hook: Receiver, subscribe: Subscribe
) -> None:
    made = subscribe()
    for _ in range(3):
        api.post(f"webhooks/{made['id']}/test", {})
    page = api.get(f"webhooks/{made['id']}/deliveries", status="waiting", limit=2).json()
    Delivery.objects.filter(pk=page["items"][-1]["id"]).update(status="delivered")
    following = api.client.get(page["next"])
    assert following.status_code == 200
    assert len(following.json()["items"]) == 1


def test_a_list_of_many_asks_no_more_than_one_of_one(api: Api, person: MemoryUser) -> None:
    asked = []
    for count in (1, 4):
        for _ in range(count):
            api.post("webhooks", {"url": HOOK, "user_ids": [str(person.pk)]})
        with CaptureQueriesContext(connection) as queries:
            api.get("webhooks")
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_a_test_is_about_nobody(api: Api, hook: Receiver, subscribe: Subscribe, work: Work) -> None:
    made = subscribe()
    api.post(f"webhooks/{made['id']}/test", {})
    work()
    body = hook.received[0].body.decode()
    assert '"type": "test"' in body
    assert "user" not in body


def test_what_has_ended_is_told_nothing_more(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    hook.answer(status(500))
    made = subscribe()
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    work()
    ended = api.post(f"webhooks/{made['id']}/end", {}).json()
    assert (ended["ended_why"], ended["ended_at"] is None) == ("ended", False)
    work(timedelta(hours=1))
    assert len(hook.received) == 1
    assert Delivery.objects.get().status == "dropped"
    for verb in ("rotate", "test"):
        assert api.post(f"webhooks/{made['id']}/{verb}", {}).status_code == 409


def test_a_key_has_no_more_than_twenty(api: Api, person: MemoryUser) -> None:
    for _ in range(20):
        assert api.post("webhooks", {"url": HOOK}).status_code == 201
    assert api.post("webhooks", {"url": HOOK}).status_code == 409
    _, secret = rotate_app_key(key=AppKey.objects.get(), actor=CONSOLE, now=timezone.now())
    assert Api(secret).post("webhooks", {"url": HOOK}).status_code == 409


def test_a_key_of_own_people_is_told_of_those_it_makes(
    transactional_db: None, hook: Receiver, work: Work
) -> None:
    own = Api(new_key("own", reach=Reach.OWN))
    assert own.post("webhooks", {"url": hook.url}).status_code == 201
    made = own.post("users", {"external_id": "new"}).json()
    person = MemoryUser.objects.get(pk=made["user_id"])
    own.append(person, allergy("penicillin"), medication("Amoxicillin"))
    work()
    assert len(hook.received) == 1
