"""What a model may not change by itself waits for a person, who confirms or refuses it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.access import NotFound
from memory.actions.held import (
    FitsNoMore,
    NotHeld,
    RecordMoved,
    confirm_held,
    refuse_held,
    standing_at,
)
from memory.actions.rebuild_state import rebuild_state
from memory.models import AuditEvent, HeldReading, MemoryUser, Reading
from memory.rights import Role
from memory.verification import verify_user
from tests.api_client import HOST, Api, facts_path
from tests.facts import Json, allergy, fact, medication, reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found
from tests.model_server import Script, answers
from tests.queue import deliver_all
from tests.staff import new_staff
from tests.together import together

SAID = "I stopped the amoxicillin"
STOPPED = reading("health.Medication", "update", "amoxicillin", status="stopped")


@pytest.fixture
def held(api: Api, person: MemoryUser, server: Script, says: Post) -> HeldReading:
    """A reading that stops a drug, which raises an alert while it is taken."""
    api.append(person, allergy("penicillin"), {**medication("amoxicillin"), "occurred_at": PAST})
    server.plays(answers(answer(entry(1, found(SAID, STOPPED)))))
    says(f"{SAID} on Monday.")
    deliver_all()
    return HeldReading.objects.get()


PAST = "2026-03-01T09:00:00Z"


def client_of(staff: Staff) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(staff)
    return client


def status_of(api: Api, person: MemoryUser) -> Any:
    return api.records(person, "health.Medication")["amoxicillin"].get("status", "taking")


def test_an_update_of_a_drug_is_held_with_its_words(
    api: Api, person: MemoryUser, held: HeldReading
) -> None:
    assert status_of(api, person) == "taking"
    assert (held.quote, held.op, held.data) == (SAID, "update", {"status": "stopped"})
    assert len(api.alerts(person, status="open")) == 1
    newest = api.all(facts_path(person.pk))[0]
    assert (newest["seq"], newest["readings"]) == (held.fact_seq, [])


def test_confirmed_it_changes_the_record_and_the_rules_run(
    api: Api, person: MemoryUser, held: HeldReading, caregiver: Staff, now: datetime
) -> None:
    confirm_held(held_id=held.pk, seen=standing_at(held), actor=caregiver, now=now)
    deliver_all()
    assert status_of(api, person) == "stopped"
    assert api.alerts(person, status="open") == []
    stored = api.all(facts_path(person.pk))[0]["readings"]
    assert [(one["origin"], one["op"]) for one in stored] == [("confirmed", "update")]
    event = AuditEvent.objects.get(action="reading.confirm")
    assert (event.person_id, event.actor_id, event.object_id) == (
        person.pk,
        str(caregiver.pk),
        str(held.pk),
    )
    assert verify_user(person.pk) == []
    assert rebuild_state(user_id=person.pk, check_only=True) == []


def test_refused_it_changes_nothing(
    api: Api, person: MemoryUser, held: HeldReading, caregiver: Staff, now: datetime
) -> None:
    refuse_held(held_id=held.pk, actor=caregiver, now=now)
    deliver_all()
    assert status_of(api, person) == "taking"
    assert AuditEvent.objects.filter(action="reading.refuse").count() == 1
    with pytest.raises(NotHeld):
        confirm_held(held_id=held.pk, seen=standing_at(held), actor=caregiver, now=now)


def test_a_decision_is_bound_to_the_record_that_was_looked_at(
    api: Api, person: MemoryUser, held: HeldReading, caregiver: Staff, now: datetime
) -> None:
    seen = standing_at(held)
    api.append(person, medication("amoxicillin", dose="1 g"))
    with pytest.raises(RecordMoved):
        confirm_held(held_id=held.pk, seen=seen, actor=caregiver, now=now)
    assert HeldReading.objects.held().exists()


def test_what_fits_no_more_stays_held(
    api: Api, held: HeldReading, caregiver: Staff, now: datetime
) -> None:
    HeldReading.objects.filter(pk=held.pk).update(data={"pills": 3})
    with pytest.raises(FitsNoMore, match="has no field pills"):
        confirm_held(held_id=held.pk, seen=standing_at(held), actor=caregiver, now=now)
    assert HeldReading.objects.held().exists()


def test_two_who_confirm_at_once_have_the_effect_of_one(
    held: HeldReading, caregiver: Staff, now: datetime
) -> None:
    before = Reading.objects.count()
    seen = standing_at(held)

    def decide() -> str:
        try:
            confirm_held(held_id=held.pk, seen=seen, actor=caregiver, now=now)
        except (NotHeld, RecordMoved) as error:
            return type(error).__name__
        return "done"

    results = together(*[partial(decide)] * 3)
    assert sorted(results) == ["NotHeld", "NotHeld", "done"]
    assert Reading.objects.count() == before + 1


def test_who_does_not_care_for_the_person_finds_nothing(held: HeldReading, now: datetime) -> None:
    for staff in (
        new_staff("far", *Role, in_team=False),
        new_staff("admin", Role.ADMIN),
        new_staff("auditor", Role.AUDITOR),
    ):
        with pytest.raises(NotFound):
            confirm_held(held_id=held.pk, seen=standing_at(held), actor=staff, now=now)
        assert client_of(staff).post(f"/held/{held.pk}/confirm").status_code == 404


SPOKEN_OF: list[tuple[Json, Json, bool]] = [
    (allergy("latex"), reading("health.Allergy", substance="pollen"), False),
    (allergy("latex"), reading("health.Allergy", substance="latex"), False),
    (allergy("latex"), reading("health.Allergy", substance="latex", severity="mild"), True),
    (allergy("latex"), reading("health.Allergy", "retract", "latex"), True),
    (
        fact("x", reading("finance.SpendingLimit", what="a", amount="5")),
        reading("finance.SpendingLimit", "update", "a", amount="500"),
        True,
    ),
    (
        fact("x", reading("preferences.Prohibition", "assert", "p", what="a", substance="b")),
        reading("preferences.Prohibition", "update", "p", status="lifted"),
        True,
    ),
    (
        fact("x", reading("finance.Contract", name="Gym")),
        reading("finance.Contract", "update", "gym", status="cancelled"),
        False,
    ),
    (
        fact("x", reading("finance.Contract", name="Gym", status="cancelled")),
        reading("finance.Contract", "update", "gym", status="active"),
        True,
    ),
    (
        fact("x", reading("travel.Trip", destination="Rome", departs_on="2026-05-01")),
        reading("travel.Trip", "update", "rome-2026-05-01", status="cancelled"),
        False,
    ),
]


@pytest.mark.parametrize(("stands", "read", "is_held"), SPOKEN_OF)
def test_what_is_protected(
    api: Api,
    person: MemoryUser,
    server: Script,
    says: Post,
    stands: Json,
    read: Json,
    is_held: bool,
) -> None:
    api.append(person, {**stands, "occurred_at": PAST})
    server.plays(answers(answer(entry(1, found("It is so", read)))))
    says("It is so, I think")
    deliver_all()
    assert HeldReading.objects.held().exists() == is_held
    assert Reading.objects.count() == (1 if is_held else 2)


def test_what_one_message_adds_another_may_not_change(
    person: MemoryUser, server: Script, says: Post, api: Api
) -> None:
    adds = entry(1, found("latex hurts me", reading("health.Allergy", substance="latex")))
    removes = entry(2, found("latex is fine", reading("health.Allergy", "retract", "latex")))
    server.plays(answers(answer(adds, removes)))
    says("latex hurts me", "no, latex is fine")
    deliver_all()
    assert list(api.records(person, "health.Allergy")) == ["latex"]
    assert HeldReading.objects.get().op == "retract"


def test_the_pages_show_it_and_decide_it(
    api: Api, person: MemoryUser, held: HeldReading, caregiver: Staff
) -> None:
    client = client_of(caregiver)
    assert "1 held" in client.get(f"/people/{person.pk}").content.decode()
    page = client.get(f"/people/{person.pk}/reading").content.decode()
    for words in (SAID, "Medication: amoxicillin", "status stopped", "1 of 1 messages"):
        assert words in page
    review = client_of(new_staff("reviewer", Role.REVIEWER)).get("/proposals").content.decode()
    assert SAID in review
    where = f"/held/{held.pk}/confirm"
    moved = client.post(where, {"seen": "1"}, follow=True).content.decode()
    assert "has changed since this page was made" in moved
    seen = {"seen": str(standing_at(held))}
    assert "Confirmed" in client.post(where, seen, follow=True).content.decode()
    assert "Somebody has decided it" in client.post(where, seen, follow=True).content.decode()
    late = client.post(f"/held/{held.pk}/refuse", follow=True).content.decode()
    assert "Somebody has decided it" in late
    assert status_of(api, person) == "stopped"


def test_the_page_says_what_could_not_be_read_and_asks_again(
    person: MemoryUser, server: Script, says: Post, caregiver: Staff
) -> None:
    server.plays(answers("garbage"))
    says("I moved to Rome")
    deliver_all()
    client = client_of(caregiver)
    page = client.get(f"/people/{person.pk}/reading").content.decode()
    assert "1 could not be read" in page
    assert "the answer is no JSON" in page
    doubtful = found("I moved to Rome", reading("notes.Note", text="Rome"), doubts=["Since when?"])
    server.plays(answers(answer(entry(1, doubtful))))
    where = f"/people/{person.pk}/reading/again"
    assert "1 to be read once more" in client.post(where, follow=True).content.decode()
    deliver_all()
    page = client.get(f"/people/{person.pk}/reading").content.decode()
    assert "Since when?" in page
    assert "Could not be read" not in page
    assert "Nothing is stuck" in client.post(where, follow=True).content.decode()
