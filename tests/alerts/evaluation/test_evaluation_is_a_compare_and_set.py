"""Findings are stored only if nobody else's evaluation came first; else all is done again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alerts.models import Watermark
from alerts.tasks import sweep_behind
from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact, NewReading
from memory.models import App, Fact, MemoryUser
from memory.verification import verify_user
from tests.alerts.standing import evaluated, from_scratch, kinds_of_events, standing
from tests.api_client import Api
from tests.facts import allergy, medication, note, passport, trip
from tests.people import new_person
from tests.queue import deliver_all
from tests.together import cut_off_before, paused_before, stores_findings, together, writes


def _append_only(person: MemoryUser, app: App, kind: str, **data: Any) -> None:
    """Append as a process does that dies before it evaluates."""
    said = NewFact("x", readings=(NewReading(kind, "assert", None, data),))
    append_facts(
        user_id=person.pk,
        facts=[said],
        actor=app,
        now=timezone.now(),
    )


def test_findings_of_an_older_look_do_not_undo_newer_ones(
    api: Api, app: App, person: MemoryUser
) -> None:
    api.append(person, medication("Amoxicillin"))
    _append_only(person, app, "health.Condition", name="asthma")
    _append_only(person, app, "health.Medication", name="Ibuprofen")
    with paused_before(stores_findings, partial(evaluated, person)) as slow:
        opened = api.append(person, allergy("penicillin"))["alerts"]["opened"]
        assert len(opened) == 1
        result = slow.finish()
    assert result.before.fact_seq == 4  # it looked again, from where the other had got to
    assert result.events == ()
    assert [alert["status"] for alert in api.alerts(person)] == ["open"]
    assert kinds_of_events(person) == ["opened"]


def test_an_alert_is_opened_once_though_two_looked_at_the_same_facts(
    api: Api, app: App, person: MemoryUser
) -> None:
    api.append(person, medication("Amoxicillin"))
    _append_only(person, app, "health.Allergy", substance="penicillin")
    with paused_before(stores_findings, partial(evaluated, person)) as slow:
        assert len(evaluated(person).events) == 1
        assert slow.finish().events == ()
    assert kinds_of_events(person) == ["opened"]


def test_two_who_look_at_a_person_for_the_first_time_agree(app: App, person: MemoryUser) -> None:
    _append_only(person, app, "health.Medication", name="Amoxicillin")
    _append_only(person, app, "health.Allergy", substance="penicillin")
    with paused_before(stores_findings, partial(evaluated, person)) as slow:
        evaluated(person)
        slow.finish()
    assert Watermark.objects.filter(user=person).count() == 1
    assert kinds_of_events(person) == ["opened"]


def test_a_fact_that_comes_between_look_and_commit_is_not_passed_over(
    api: Api, app: App, person: MemoryUser
) -> None:
    api.append(person, medication("Amoxicillin"))
    _append_only(person, app, "health.Medication", name="Ibuprofen")
    with paused_before(stores_findings, partial(evaluated, person)) as slow:
        _append_only(person, app, "health.Allergy", substance="penicillin")
        assert slow.finish().after.fact_seq == 2
    assert Watermark.objects.get(user=person).fact_seq == 2
    evaluated(person)
    assert len(standing(person)) == 1


def test_a_crash_between_the_commits_is_mended_by_the_sweep(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    looked = partial(api.post_facts, person, medication("Amoxicillin"))
    seen: list[str] = []

    def evaluation_commits(sql: str) -> bool:
        seen.append(sql)
        return stores_findings(sql) and any(map(writes("memory_fact"), seen))

    assert cut_off_before(evaluation_commits, looked)
    assert Fact.objects.filter(user=person).count() == 2
    assert Watermark.objects.get(user=person).fact_seq == 1
    assert standing(person) == []
    assert sweep_behind(now=timezone.now()) == 1
    deliver_all()
    assert len(standing(person)) == 1
    assert sweep_behind(now=timezone.now()) == 0


def test_a_crash_before_a_persons_first_evaluation_is_mended_too(
    app: App, person: MemoryUser
) -> None:
    _append_only(person, app, "health.Allergy", substance="penicillin")
    _append_only(person, app, "health.Medication", name="Amoxicillin")
    new_person()  # of whom nothing is known: nothing to do
    assert sweep_behind(now=timezone.now()) == 1
    deliver_all()
    assert len(standing(person)) == 1


def test_the_next_fact_mends_it_as_well_and_tells_only_its_own_poster(
    api: Api, app: App, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"))
    _append_only(person, app, "health.Medication", name="Amoxicillin")
    answer = api.append(person, note("tea"))
    assert answer["evaluation"] == {"status": "done", "through_seq": 3}
    assert len(answer["alerts"]["opened"]) == 1


def test_an_evaluation_with_nothing_new_changes_nothing(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    before = Watermark.objects.get(user=person).evaluated_at
    again = evaluated(person)
    assert again.events == ()
    assert (again.cost.rules, again.cost.records) == (0, 0)
    assert Watermark.objects.get(user=person).evaluated_at == before


def test_only_rules_that_read_a_changed_collection_run_on_what_they_read(
    api: Api, app: App, person: MemoryUser
) -> None:
    api.append(
        person, allergy("penicillin"), medication("Amoxicillin"), *(note(str(n)) for n in range(9))
    )
    _append_only(person, app, "notes.Note", text="tea")
    assert evaluated(person).cost.rules == 0
    _append_only(person, app, "travel.Visa", country="Japan")
    cost = evaluated(person).cost
    assert cost.rules == 1
    _append_only(person, app, "health.Allergy", substance="latex")
    cost = evaluated(person).cost
    assert (cost.rules, cost.records) == (2, 3)  # conflicts, and what could not be checked


def test_clients_that_contradict_each_other_leave_what_a_fresh_look_finds(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"))
    drugs = ("Amoxicillin", "Ampicillin", "Dicloxacillin")

    def client(number: int) -> None:
        for step in range(6):
            name = drugs[(number + step) % 3]
            op = "assert" if (number + step) % 2 else "retract"
            api.post_facts(person, medication(name, op))

    together(*(partial(client, number) for number in range(5)))
    stored = standing(person)
    assert Watermark.objects.get(user=person).fact_seq == Fact.objects.filter(user=person).count()
    assert stored == from_scratch(person)


DRUGS = st.sampled_from(["Amoxicillin", "Ibuprofen", "Aspirin", "Zorblaxin", "cephalexin"])
SUBSTANCES = st.sampled_from(["penicillin", "NSAIDs", "aspirin", "peanuts"])
DAYS = st.sampled_from(["2027-03-01", "2027-06-15", "2030-01-01"])
FACTS = st.one_of(
    st.builds(
        medication,
        DRUGS,
        status=st.sampled_from(["considered", "prescribed", "taking", "stopped"]),
    ),
    st.builds(allergy, SUBSTANCES, severity=st.sampled_from([None, "mild", "severe"])),
    st.builds(trip, st.just("Tokyo"), DAYS, country=st.just("Japan"), status=st.just("booked")),
    st.builds(passport, st.just("Germany"), DAYS),
    st.builds(note, st.just("tea")),
)
RETRACTED = st.booleans()


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(st.tuples(FACTS, RETRACTED), min_size=1, max_size=10))
def test_a_fresh_look_finds_what_stands_after_any_history(
    api: Api, steps: list[tuple[dict[str, Any], bool]]
) -> None:
    person = new_person()
    said: list[dict[str, Any]] = []
    for fact, retract in steps:
        api.append(person, fact)
        said.append(fact)
        if retract:
            (reading,) = said[len(said) // 2]["readings"]
            if reading["kind"] != "notes.Note":
                gone = {**reading, "op": "retract"}
                api.append(person, {"text": "no longer", "readings": [gone]})
    stored = standing(person)
    assert stored == from_scratch(person)


def test_a_fresh_look_is_the_same_byte_for_byte(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), medication("Zorblaxin"))
    looks = [from_scratch(person) for _ in range(3)]
    assert looks[0]
    assert looks[0] == looks[1] == looks[2]


def test_a_crash_at_any_statement_loses_nothing_and_invents_nothing(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"))
    statement = 0
    died = True
    while died:
        left = iter(range(statement))
        post = partial(api.post_facts, person, medication(f"Amoxicillin {statement} mg"))
        died = cut_off_before(partial(_none_left, left), post)
        statement += 1
    assert statement > 10
    person.refresh_from_db()
    assert person.fact_seq == Fact.objects.filter(user=person).count() > 1
    assert verify_user(person.pk) == []
    sweep_behind(now=timezone.now())
    deliver_all()
    stored = standing(person)
    conflicts = [one for one in stored if one["rule"] == "drug_allergy"]
    assert len(conflicts) == person.fact_seq - 1
    assert stored == from_scratch(person)


def _none_left(left: Iterator[int], sql: str) -> bool:
    return next(left, None) is None
