"""What is asserted of a kind that nobody has approved yet is kept, and waits in plain sight."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import CommandError, call_command

from memory.models import Job, JobStatus, MemoryUser, Waiting
from memory.verification import verify_user
from memory.waiting import waiting_readings
from tests.api_client import Api, facts_path, pointers
from tests.facts import allergy, fact, reading
from tests.proposals import PURCHASE, approved, bought, proposed


def _waiting(person: MemoryUser) -> list[tuple[int, str]]:
    rows = Waiting.objects.filter(user=person).order_by("reading_seq")
    return list(rows.values_list("reading_seq", "kind"))


def _jobs(person: MemoryUser) -> int:
    return Job.objects.filter(user=person, name="structure", status=JobStatus.QUEUED).count()


def test_the_answer_says_that_it_waits(api: Api, person: MemoryUser) -> None:
    answer = api.append(person, bought("a lamp"))
    assert answer["facts"][0]["readings"] == [
        {"seq": 1, "kind": PURCHASE, "op": "assert", "id": "", "effect": "waiting"}
    ]
    assert answer["evaluation"] == {"status": "done", "through_seq": 1}
    assert _waiting(person) == [(1, PURCHASE)]


def test_the_log_has_it_as_it_was_sent(api: Api, person: MemoryUser) -> None:
    api.append(
        person, fact("x", reading(PURCHASE, "assert", "p-1", **{"Full name": "a", "n": 1.5}))
    )
    (logged,) = api.all(facts_path(person.pk))[0]["readings"]
    assert logged == {
        "seq": 1,
        "kind": PURCHASE,
        "op": "assert",
        "id": "",
        "data": {"Full name": "a", "n": 1.5, "id": "p-1"},
        "origin": "app",
        "places": None,
    }
    assert verify_user(person.pk) == []


def test_a_class_name_in_use_elsewhere_is_told_apart_by_the_domain(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    order = fact("Two lamps.", reading("shop.Order", "assert", "o-1", item="lamp", number=2))
    (said,) = api.append(person, order)["facts"][0]["readings"]
    assert (said["kind"], said["effect"]) == ("shop.ShopOrder", "waiting")
    approved(proposed(person), caregiver)
    change = fact("Three.", reading("shop.Order", "update", "o-1", number=3))
    (said,) = api.append(person, change)["facts"][0]["readings"]
    assert (said["kind"], said["id"], said["effect"]) == ("shop.ShopOrder", "o-1", "changed")
    own = fact("A cake.", reading("preferences.Order", what="cake", on="2026-12-24"))
    (said,) = api.append(person, own)["facts"][0]["readings"]
    assert said["kind"] == "preferences.Order"


def test_one_job_is_queued_for_all_that_wait(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    assert _jobs(person) == 0
    api.append(person, bought("a lamp"), bought("a chair"))
    api.append(person, bought("a table"))
    assert _jobs(person) == 1


def test_what_is_known_is_taken_beside_it(api: Api, person: MemoryUser) -> None:
    mixed = fact(
        "x",
        reading("health.Allergy", substance="nuts"),
        reading(PURCHASE, item="nuts"),
        reading("notes.Note", text="n"),
    )
    said = api.append(person, mixed)["facts"][0]["readings"]
    assert [(one["id"], one["effect"]) for one in said] == [
        ("nuts", "created"),
        ("", "waiting"),
        ("f1-3", "created"),
    ]
    (waiting,) = waiting_readings(person)
    assert (waiting.seq, waiting.number, waiting.fallback_id) == (2, 2, "f1-2")


def test_a_post_sent_again_is_answered_alike(api: Api, person: MemoryUser) -> None:
    first = api.post_facts(person, bought("a lamp"), allergy("nuts"), key="k").json()
    again = api.post_facts(person, bought("a lamp"), allergy("nuts"), key="k").json()
    assert again["facts"] == first["facts"]
    assert _waiting(person) == [(1, PURCHASE)]


def test_a_refused_post_leaves_nothing_waiting(api: Api, person: MemoryUser) -> None:
    answer = api.post_facts(person, bought("a lamp"), fact("y", reading("bad")))
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/facts/1/readings/0/kind"]
    assert (_waiting(person), _jobs(person)) == ([], 0)


@pytest.mark.parametrize("change", ["delete", "add", "rename"])
def test_the_list_of_what_waits_can_be_rebuilt_from_the_log(
    api: Api, person: MemoryUser, change: str
) -> None:
    api.append(person, bought("a lamp"), bought("a chair"))
    rows = Waiting.objects.filter(user=person)
    if change == "delete":
        rows.filter(reading_seq=1).delete()
    elif change == "add":
        Waiting.objects.create(user=person, reading_seq=7, kind=PURCHASE, reason="r")
    else:
        rows.filter(reading_seq=2).update(kind="purchases.Order")
    with pytest.raises(CommandError, match="records are not"):
        call_command("rebuild_state", "--check", "--user", str(person.pk))
    call_command("rebuild_state", "--user", str(person.pk))
    call_command("rebuild_state", "--check", "--user", str(person.pk))
    assert _waiting(person) == [(1, PURCHASE), (2, PURCHASE)]


def test_the_state_says_what_waits_and_why(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("a lamp"), bought("a chair"), fact("x", reading("trades.Trade")))
    reason = "no kind of this name has been approved yet"
    assert api.get(f"users/{person.pk}/state").json()["waiting"] == [
        {"kind": PURCHASE, "reason": reason, "count": 2},
        {"kind": "trades.Trade", "reason": reason, "count": 1},
    ]


HOSTILE: list[dict[str, Any]] = [
    {"<script>alert(1)</script>": "'''\"\"\"{{7*7}}"},
    {"a": "\u202edrow"},
    {"class": {"def": [None, {"return": "１２"}]}},
    {},
]


@pytest.mark.parametrize("data", HOSTILE)
def test_any_payload_is_kept_as_data(api: Api, person: MemoryUser, data: dict[str, Any]) -> None:
    api.append(person, {"text": "x", "readings": [{"kind": PURCHASE, "data": data}]})
    assert waiting_readings(person)[0].data == data
