"""A conversation becomes facts, records and alerts by itself; every message is accounted for."""

from __future__ import annotations

from memory.actions.rebuild_state import rebuild_state
from memory.models import Fact, HeldReading, Job, JobStatus, MemoryUser, ModelCall, Reading, ToRead
from memory.verification import verify_user
from tests.api_client import Api, facts_path
from tests.facts import allergy, fact, reading
from tests.memory.checkpointer.reading.conftest import Post, answer, entry, found, prompt_of
from tests.model_server import Script, answers
from tests.queue import deliver_all

AMOXICILLIN = "My doctor put me on amoxicillin 500 mg"


def statuses(person: MemoryUser) -> list[str]:
    return list(ToRead.objects.filter(user=person).order_by("seq").values_list("status", flat=True))


def reasons(person: MemoryUser) -> list[str]:
    return list(ToRead.objects.filter(user=person).order_by("seq").values_list("reason", flat=True))


def test_a_conversation_is_read_and_an_alert_arises(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    api.append(person, allergy("penicillin", severity="severe"))
    server.plays(
        answers(
            answer(
                entry(1, nothing="a greeting"),
                entry(2, found(AMOXICILLIN, reading("health.Medication", name="amoxicillin"))),
            )
        )
    )
    says("Good morning!", f"{AMOXICILLIN}, three times a day.")
    deliver_all()
    assert statuses(person) == ["nothing", "read"]
    assert reasons(person) == ["a greeting", ""]
    assert api.records(person, "health.Medication") == {"amoxicillin": {"name": "amoxicillin"}}
    newest = api.all(facts_path(person.pk))[0]
    assert (newest["source"], newest["message"], newest["session"]) == ("model", 2, "one")
    assert newest["readings"][0]["origin"] == "model"
    assert newest["metadata"]["read"]["quote"] == AMOXICILLIN
    assert newest["occurred_at"].startswith("2026-03-06T09:00:00")
    assert [one["rule"] for one in api.alerts(person)] == ["drug_allergy"]
    assert not Job.objects.exclude(status=JobStatus.DONE).exists()
    assert verify_user(person.pk) == []
    assert rebuild_state(user_id=person.pk, check_only=True) == []


def test_a_fact_without_readings_gets_them(api: Api, person: MemoryUser, server: Script) -> None:
    said = "I am allergic to penicillin"
    server.plays(
        answers(answer(entry(1, found(said, reading("health.Allergy", substance="penicillin")))))
    )
    api.append(person, fact(said))
    deliver_all()
    person.refresh_from_db()
    assert (person.fact_seq, person.reading_seq) == (1, 1)
    stored = api.all(facts_path(person.pk))[0]
    assert [(one["origin"], one["id"]) for one in stored["readings"]] == [("model", "penicillin")]
    assert statuses(person) == ["read"]
    assert verify_user(person.pk) == []
    assert rebuild_state(user_id=person.pk, check_only=True) == []


def test_typed_facts_are_not_read(api: Api, person: MemoryUser, server: Script) -> None:
    api.append(person, allergy("penicillin"))
    assert statuses(person) == []
    assert not Job.objects.filter(name="read").exists()


def test_without_a_model_what_was_said_waits(api: Api, person: MemoryUser, says: Post) -> None:
    says("Good morning!")
    api.append(person, fact("I moved"))
    deliver_all()
    assert statuses(person) == ["waiting", "waiting"]
    assert not Job.objects.filter(name="read").exists()
    assert Fact.objects.count() == 1


def test_what_does_not_fit_one_prompt_is_read_in_the_next(
    person: MemoryUser, server: Script, says: Post
) -> None:
    nothing = [answer(*[entry(n, nothing="-") for n in range(1, count + 1)]) for count in (12, 8)]
    server.plays(*map(answers, nothing))
    says(*[f"Message {number}" for number in range(20)])
    deliver_all()
    assert statuses(person) == ["nothing"] * 20
    assert len(server.requests) == 2
    assert '"text": "Message 12"' in prompt_of(server)
    assert '"text": "Message 3"' not in prompt_of(server)


def test_the_model_is_shown_the_record_that_could_be_meant(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    bought = [
        fact(f"n{number}", reading("notes.Note", text=f"note {number}")) for number in range(50)
    ]
    api.append(person, fact("x", reading("schedule.Place", name="Blue Lagoon", address="12 Quay")))
    api.append(person, *bought)
    server.plays(answers(answer(entry(1, nothing="a question"))))
    says("When did we last go to the blue lagoon?")
    deliver_all()
    shown = prompt_of(server)
    assert '"id": "blue-lagoon"' in shown
    assert "schedule.Place (key name)" in shown
    assert "Friday 2026-03-06 09:00" in shown


def test_every_call_is_recorded(person: MemoryUser, server: Script, says: Post) -> None:
    server.plays(answers(answer(entry(1, nothing="-"))))
    says("Hello")
    deliver_all()
    call = ModelCall.objects.get()
    assert (call.user_id, call.stage, call.prompt, call.outcome) == (
        person.pk,
        "read",
        "read",
        "done",
    )


def test_a_weekday_that_is_none_of_the_dates_is_a_doubt(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    quote = "Dinner with Bo on Friday, March 14"
    dinner = reading("schedule.Engagement", title="Dinner with Bo", on="2026-03-14")
    server.plays(answers(answer(entry(1, found(quote, dinner)))))
    says(f"{quote}!")
    deliver_all()
    row = ToRead.objects.get()
    assert row.found is not None
    assert row.found[0]["doubts"] == ["Friday was said, but 2026-03-14 is a Saturday."]
    assert Reading.objects.count() == 1


def test_a_change_from_before_the_record_was_is_not_lost(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    bought, told = "We got a new fridge", "We bought it on January 10"
    thing = reading("possessions.Thing", name="fridge", owner="me")
    day = {**reading("possessions.Thing", bought_on="2026-01-10"), "op": "update", "id": "fridge"}
    server.plays(
        answers(answer(entry(1, found(bought, thing), found(told, day, occurred_at="2026-01-10"))))
    )
    says(f"{bought}! {told}.")
    deliver_all()
    record = api.records(person, "possessions.Thing")["fridge"]
    assert (record["name"], record["bought_on"]) == ("fridge", "2026-01-10")


def test_a_change_at_a_time_when_the_record_stood_keeps_its_time(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    said = "I stopped the aspirin on March 1"
    api.append(
        person,
        {
            **fact("takes aspirin", reading("health.Medication", name="aspirin")),
            "occurred_at": "2026-02-01T09:00:00Z",
        },
    )
    update = {**reading("health.Medication", status="stopped"), "op": "update", "id": "aspirin"}
    server.plays(answers(answer(entry(1, found(said, update, occurred_at="2026-03-01")))))
    says(f"{said}.")
    deliver_all()
    assert HeldReading.objects.get().effective_at.date().isoformat() == "2026-03-01"


def test_what_a_record_names_is_shown_with_it(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    car = reading("possessions.Thing", name="blue Skoda")
    visit = reading(
        "schedule.Engagement", title="inspection", on="2026-03-09", things=["blue-skoda"]
    )
    api.append(person, fact("a car", car), fact("an inspection", visit))
    server.plays(answers(answer(entry(1, nothing="a question"))))
    says("When is the inspection?")
    deliver_all()
    assert '"id": "blue-skoda"' in prompt_of(server)


def test_what_is_asserted_again_keeps_what_it_does_not_name(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    said = "Our fridge is an LG"
    fridge = fact("a fridge", reading("possessions.Thing", name="fridge", price="800"))
    api.append(person, {**fridge, "occurred_at": "2026-02-01T09:00:00Z"})
    again = reading("possessions.Thing", name="fridge", model="LG")
    server.plays(answers(answer(entry(1, found(said, again)))))
    says(f"{said}.")
    deliver_all()
    assert statuses(person) == ["read"]
    record = api.records(person, "possessions.Thing")["fridge"]
    assert (record["price"], record["model"]) == ("800", "LG")


def test_a_protected_record_that_is_asserted_again_is_held(
    api: Api, person: MemoryUser, server: Script, says: Post
) -> None:
    said = "The penicillin allergy is mild"
    api.append(person, allergy("penicillin", severity="severe"))
    again = reading("health.Allergy", substance="penicillin", severity="mild")
    server.plays(answers(answer(entry(1, found(said, again)))))
    says(f"{said}.")
    deliver_all()
    assert api.records(person, "health.Allergy")["penicillin"]["severity"] == "severe"
    held = HeldReading.objects.get()
    assert (held.op, held.data["severity"]) == ("update", "mild")
