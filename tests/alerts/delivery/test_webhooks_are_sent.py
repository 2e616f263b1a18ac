"""An event reaches the address that asked for it: signed, once taken, tried again where not."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from alerts.actions import acknowledge_alert
from alerts.delivery.answered import Answered
from alerts.delivery.claims import LEASE, claim, record
from alerts.delivery.fan_out import fan_out
from alerts.delivery.webhooks import Wishes, send_test
from alerts.delivery.webhooks import subscribe as listen
from alerts.models import (
    Alert,
    AlertEvent,
    Channel,
    Delivery,
    DeliveryCursor,
    EventKind,
    Severity,
    Webhook,
)
from memory.actions.erase import ask_erasure, confirm_erasure
from memory.audit import CONSOLE
from memory.belongings import belongings
from memory.models import AppKey, ErasureReason, Job, MemoryUser
from memory.rights import Role
from tests.api_client import Api
from tests.facts import allergy, medication
from tests.people import new_person
from tests.queue import deliver_all
from tests.staff import new_staff
from tests.webhook_server import (
    Receiver,
    flood,
    garbage,
    hang_up,
    receiver,
    silent,
    status,
    trickle,
)

Subscribe = Callable[..., dict[str, Any]]
Work = Callable[..., None]
Only = Callable[[], Delivery]
HOOK = "https://hooks.example.org/alerts"


def _warn(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))


def test_an_opened_alert_is_told_signed_and_without_a_word_of_it(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    made = subscribe()
    _warn(api, person)
    work()
    (request,) = hook.received
    alert, event = Alert.objects.get(), AlertEvent.objects.get()
    told = json.loads(request.body)
    assert told == {
        "delivery": str(only().pk),
        "type": "alert",
        "event": {"id": event.pk, "kind": "opened", "at": told["event"]["at"]},
        "user": {"id": str(person.pk), "external_id": person.external_id},
        "alert": {"id": alert.pk, "origin": "finding", "severity": alert.severity},
    }
    headers = request.headers
    timestamp = headers["UAC-Timestamp"]
    assert abs(int(timestamp) - timezone.now().timestamp()) < 60
    signed = hmac.new(
        made["secret"].encode(), f"{timestamp}.".encode() + request.body, hashlib.sha256
    ).hexdigest()
    assert headers["UAC-Signature"] == f"k1={signed}"
    assert headers["UAC-Delivery"] == told["delivery"]
    assert headers["Content-Type"] == "application/json"
    assert b"moxicillin" not in request.body
    assert only().status == "delivered"
    work()
    assert len(hook.received) == 1


def test_the_worker_is_woken_by_the_event_itself(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe
) -> None:
    _warn(api, person)
    assert not Job.objects.filter(name="deliver").exists()  # nobody listens
    subscribe()
    api.append(person, medication("Penicillin V"))
    assert Job.objects.filter(name="deliver").count() == 1
    deliver_all()
    assert len(hook.received) == 1
    assert set(Job.objects.filter(name="deliver").values_list("status", flat=True)) == {"done"}


def test_the_summary_is_told_where_it_was_asked_for(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    subscribe(summary=True)
    _warn(api, person)
    work()
    assert json.loads(hook.received[0].body)["alert"]["summary"] == Alert.objects.get().summary


def test_only_what_was_asked_for_is_told(
    api: Api,
    person: MemoryUser,
    caregiver: Staff,
    hook: Receiver,
    subscribe: Subscribe,
    work: Work,
) -> None:
    other = new_person(name="Berta")
    subscribe(kinds=["acknowledged"], user_ids=[str(person.pk)])
    subscribe(kinds=["opened"], least="critical")
    for one in (person, other):
        _warn(api, one)
        alert = Alert.objects.get(user=one)
        acknowledge_alert(alert=alert, actor=caregiver, now=timezone.now())
    work()
    (told,) = [json.loads(one.body) for one in hook.received]
    assert (told["event"]["kind"], told["user"]["id"]) == ("acknowledged", str(person.pk))


def test_nothing_is_told_that_happened_before(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    _warn(api, person)
    subscribe()
    work()
    assert hook.received == []


def test_what_failed_is_tried_again_later_and_later(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    hook.answer(status(500), status(503, Retry_After="600"), status(404), status(204))
    subscribe()
    _warn(api, person)
    work()
    assert (only().status, only().http_status, only().error) == ("waiting", 500, "failed")
    first = only().next_at - timezone.now()
    assert timedelta(seconds=5) < first < timedelta(seconds=25)
    work()
    assert len(hook.received) == 1  # it is not due
    work(timedelta(minutes=1))
    assert only().next_at - timezone.now() > timedelta(minutes=10)  # as was asked
    work(timedelta(hours=1))
    assert only().error == "refused"
    work(timedelta(hours=9))
    found = only()
    assert (found.status, found.attempts, found.error) == ("delivered", 4, "")
    assert [entry["status"] for entry in found.log] == [500, 503, 404, 204]
    assert len({one.headers["UAC-Delivery"] for one in hook.received}) == 1
    assert len({one.headers["UAC-Timestamp"] for one in hook.received}) == 4  # signed anew


def test_after_the_last_attempt_it_has_failed(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    hook.answer(status(500))
    subscribe()
    _warn(api, person)
    for day in range(14):
        work(timedelta(days=day))
    assert (only().status, only().attempts) == ("failed", 12)
    assert len(hook.received) == 12


@pytest.mark.parametrize(
    ("behave", "error"),
    [(hang_up, "garbled"), (garbage, "garbled"), (flood, "too_large")],
)
def test_a_rude_endpoint_is_named_and_tried_again(
    behave: Any,
    error: str,
    api: Api,
    person: MemoryUser,
    hook: Receiver,
    subscribe: Subscribe,
    work: Work,
    only: Only,
) -> None:
    hook.answer(behave)
    subscribe()
    _warn(api, person)
    work()
    assert (only().status, only().attempts) == ("waiting", 1)
    assert only().error in {error, "broke_off"}


@pytest.mark.parametrize("behave", [silent, trickle])
def test_a_slow_endpoint_is_left_after_its_time(
    behave: Any,
    api: Api,
    person: MemoryUser,
    hook: Receiver,
    subscribe: Subscribe,
    work: Work,
    only: Only,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("alerts.delivery.door.SECONDS", 0.7)
    hook.answer(behave)
    subscribe()
    _warn(api, person)
    work()
    assert only().error == "timed_out"
    assert only().log[0]["ms"] < 3_000


def test_a_redirect_leads_nowhere(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    with receiver() as elsewhere:
        hook.answer(status(307, Location=elsewhere.url))
        subscribe()
        _warn(api, person)
        work()
        assert elsewhere.received == []
    assert (only().status, only().error, only().http_status) == ("waiting", "redirect", 307)


def test_nobody_listening_is_tried_again(
    api: Api, person: MemoryUser, hook: Receiver, work: Work, only: Only
) -> None:
    with receiver() as gone:
        url = gone.url
    assert api.post("webhooks", {"url": url}).status_code == 201
    _warn(api, person)
    work()
    assert (only().status, only().error) == ("waiting", "no_connection")


def test_an_endpoint_that_is_gone_for_good_ends_its_webhook(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    hook.answer(status(410))
    made = subscribe()
    _warn(api, person)
    work()
    assert only().status == "failed"
    ended = api.get(f"webhooks/{made['id']}").json()
    assert ended["ended_why"] == "gone"
    api.append(person, medication("Penicillin V"))
    work()
    assert Delivery.objects.count() == 1


def test_one_slow_address_holds_up_no_other(
    api: Api,
    person: MemoryUser,
    hook: Receiver,
    subscribe: Subscribe,
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("alerts.delivery.door.SECONDS", 0.7)
    subscribe()
    with receiver() as slow:
        slow.answer(silent)
        assert api.post("webhooks", {"url": slow.url}).status_code == 201
        _warn(api, person)
        api.append(person, medication("Penicillin V"))
        work()
        slow.release.set()
    assert len(hook.received) == 2
    assert set(Delivery.objects.values_list("status", "error")) == {
        *(("delivered", ""), ("waiting", "timed_out")),
    }


def test_an_address_that_nobody_can_ask_holds_up_no_other(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    strange = subscribe()["id"]
    subscribe()
    Webhook.objects.filter(pk=strange).update(url="gopher://hooks.example.org/")
    _warn(api, person)
    work()
    assert len(hook.received) == 1
    assert set(Delivery.objects.values_list("status", "error", "attempts")) == {
        *(("delivered", "", 1), ("waiting", "fault_of_ours", 1)),
    }


def test_one_address_with_much_to_come_holds_up_no_other(
    api: Api, person: MemoryUser, subscribe: Subscribe
) -> None:
    busy, other = (Webhook.objects.get(pk=subscribe()["id"]) for _ in range(2))
    now = timezone.now()
    for number in range(100):
        send_test(webhook=busy, actor=CONSOLE, now=now - timedelta(seconds=100 - number))
    send_test(webhook=other, actor=CONSOLE, now=now)
    taken = claim(channel=Channel.WEBHOOK, most=8, now=now)
    assert [one.webhook for one in taken] == [busy, other]
    (following,) = claim(channel=Channel.WEBHOOK, most=8, now=now)
    assert (following.webhook, following.created_at) == (busy, now - timedelta(seconds=99))


@pytest.mark.parametrize("place", range(1, 5))
def test_whoever_listens_is_told_of_what_happens_from_then_on(
    api: Api, person: MemoryUser, caregiver: Staff, place: int
) -> None:
    _warn(api, person)
    key, now, seen = AppKey.objects.get(), timezone.now(), 0
    wishes = Wishes(HOOK, [EventKind.ACKNOWLEDGED], Severity.INFO)

    def meanwhile(execute: Any, sql: str, *rest: Any) -> Any:
        """Before one of its queries somebody begins to listen, and then something happens."""
        nonlocal seen
        seen += sql.startswith("SELECT")
        if seen == place:
            seen += 1
            listen(key=key, wishes=wishes, now=now)
            acknowledge_alert(alert=Alert.objects.get(), actor=caregiver, now=now)
        return execute(sql, *rest)

    with connection.execute_wrapper(meanwhile):
        fan_out(now=now)
    assert seen > place
    fan_out(now=now)
    assert Delivery.objects.get().event == AlertEvent.objects.get(kind=EventKind.ACKNOWLEDGED)


def test_a_private_address_is_refused_at_the_moment_of_sending_too(
    api: Api,
    person: MemoryUser,
    hook: Receiver,
    subscribe: Subscribe,
    work: Work,
    only: Only,
    settings: Settings,
) -> None:
    subscribe()
    settings.WEBHOOK_PRIVATE_TARGETS = False
    _warn(api, person)
    work()
    assert hook.received == []
    assert (only().status, only().error) == ("waiting", "forbidden_address")


def test_a_name_that_leads_to_a_private_address_is_refused_too(
    api: Api, person: MemoryUser, hook: Receiver, work: Work, only: Only, settings: Settings
) -> None:
    url = hook.url.replace("127.0.0.1", "localhost")
    assert api.post("webhooks", {"url": url}).status_code == 201
    settings.WEBHOOK_PRIVATE_TARGETS = False
    _warn(api, person)
    work()
    assert hook.received == []
    assert only().error == "forbidden_address"


def test_what_a_crashed_worker_had_taken_is_tried_after_its_lease(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    subscribe()
    _warn(api, person)
    now = timezone.now()
    fan_out(now=now)
    (taken,) = claim(channel=Channel.WEBHOOK, most=8, now=now)
    assert claim(channel=Channel.WEBHOOK, most=8, now=now) == []
    work()
    assert hook.received == []
    work(LEASE)
    assert only().status == "delivered"
    late = Answered(error="timed_out")
    assert not record(taken, late, now=timezone.now(), random=lambda: 0.0)
    assert (only().status, only().attempts) == ("delivered", 2)


def test_events_are_made_deliveries_once_however_often_it_is_tried(
    api: Api, person: MemoryUser, subscribe: Subscribe
) -> None:
    subscribe()
    subscribe()
    _warn(api, person)
    assert fan_out(now=timezone.now()) > 0
    DeliveryCursor.objects.update(event_id=0)  # as if the transaction had come apart
    fan_out(now=timezone.now())
    assert Delivery.objects.count() == 2
    assert DeliveryCursor.objects.get().event_id == AlertEvent.objects.latest("pk").pk


def test_an_event_that_is_undone_is_told_to_nobody(
    api: Api, person: MemoryUser, caregiver: Staff, subscribe: Subscribe, work: Work, hook: Receiver
) -> None:
    _warn(api, person)
    subscribe(kinds=["acknowledged"])
    with transaction.atomic():
        acknowledge_alert(alert=Alert.objects.get(), actor=caregiver, now=timezone.now())
        transaction.set_rollback(True)
    work()
    assert hook.received == []


def test_after_a_rotation_both_secrets_sign_for_two_days(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    made = subscribe()
    rotated = api.post(f"webhooks/{made['id']}/rotate", {}).json()
    assert rotated["secret"] != made["secret"]
    assert rotated["signing_key"] == "k2"
    _warn(api, person)
    work()
    work(timedelta(days=3))
    api.append(person, medication("Penicillin V"))
    work(timedelta(days=3))
    early, late = (one.headers["UAC-Signature"] for one in hook.received)
    for signed, secret in zip(early.split(","), (rotated, made), strict=True):
        body, timestamp = hook.received[0].body, hook.received[0].headers["UAC-Timestamp"]
        text = f"{timestamp}.".encode() + body
        mac = hmac.new(secret["secret"].encode(), text, hashlib.sha256).hexdigest()
        assert signed.partition("=")[2] == mac
    assert [part[:3] for part in early.split(",")] == ["k2=", "k1="]
    assert [part[:3] for part in late.split(",")] == ["k2="]


def test_no_secret_is_in_the_database(subscribe: Subscribe) -> None:
    secret = subscribe()["secret"]
    assert len(secret) > 40
    row = Webhook.objects.values().get()
    assert secret not in str(row)
    assert secret.removeprefix("uacwh_") not in str(row)


def test_an_erasure_takes_deliveries_with_it(
    api: Api, person: MemoryUser, subscribe: Subscribe, work: Work
) -> None:
    subscribe(user_ids=[str(person.pk)])
    _warn(api, person)
    work()
    tables = [one for one in belongings() if one.rows(person.pk).exists()]
    names = [one.name for one in tables]
    assert names.index("alerts.delivery") < names.index("alerts.alertevent")
    assert "alerts.webhook_people" in names


def test_a_webhook_for_somebody_who_was_erased_is_told_of_nobody_else(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work
) -> None:
    other = new_person(name="Berta")
    subscribe(user_ids=[str(person.pk)])
    asking, confirming = (new_staff(name, Role.ADMIN) for name in ("asking", "confirming"))
    erasure = ask_erasure(
        user_id=person.pk, actor=asking, reason=ErasureReason.WISH, now=timezone.now()
    )
    confirm_erasure(erasure_id=erasure.pk, actor=confirming, now=timezone.now())
    _warn(api, other)
    work()
    assert hook.received == []


def test_a_key_that_may_not_any_more_is_told_nothing(
    api: Api, person: MemoryUser, hook: Receiver, subscribe: Subscribe, work: Work, only: Only
) -> None:
    subscribe()
    _warn(api, person)
    fan_out(now=timezone.now())
    AppKey.objects.update(revoked_at=timezone.now())
    work()
    assert hook.received == []
    assert (only().status, only().error) == ("dropped", "not_in_reach")
