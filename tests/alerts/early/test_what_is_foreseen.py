"""While a proposal waits, its rules look at what comes in: what they would say is shown at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.contrib.auth.models import User as Staff
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from alerts.models import Alert, AlertEvent
from alerts.tasks import sweep_new_days
from memory.actions.foresight import foresee, show_foreseen
from memory.actions.jobs import enqueue
from memory.actions.proposals import reject_proposal
from memory.models import Job, JobStatus, MemoryUser, Proposal, ProposalOrigin
from memory.sandbox import Limits
from memory.tasks import JobFailed, run_job
from tests.alerts.early_words import events_of, proposed_notes, provisional
from tests.alerts.foresight import DEAD_PLANT, EVERY_NOTE, GARDEN, PLANT, RULE, SCHEMA, would
from tests.alerts.page import Page
from tests.alerts.standing import evaluated
from tests.api_client import Api
from tests.facts import allergy, fact, medication, note, reading
from tests.people import new_person
from tests.proposals import approved, current, proposed, with_files
from tests.queue import deliver_all

TEA, MILK = ("Note: tea", "open"), ("Note: milk", "open")
GARDENING = {SCHEMA: GARDEN, "rules/dead_plant.py": DEAD_PLANT}
DEAD = reading(PLANT, name="Fern", dies_on="2026-01-01")
PLACED = {"fact": 1, "kind": PLANT, "op": "assert", "id": "fern", "data": DEAD["data"]}
FAILS_ON_MILK = EVERY_NOTE.replace(
    "    return", '    assert all(note.text != "milk" for note in notes)\n    return'
)
EVERY_NOTE_FROM_MARCH = EVERY_NOTE.replace(
    "for note in notes]", "for note in notes if today >= date(2027, 3, 2)]"
)


@pytest.fixture
def waiting(api: Api, person: MemoryUser) -> Proposal:
    """A proposal of a rule that tells of every note, for a person with one."""
    api.append(person, note("tea"))
    proposal = proposed_notes(person)
    deliver_all()
    return proposal


def _queued(person: MemoryUser, name: str = "foresee") -> int:
    return Job.objects.filter(user=person, name=name, status=JobStatus.QUEUED).count()


def _rejected(proposal: Proposal, staff: Staff) -> None:
    reject_proposal(proposal_id=proposal.pk, actor=staff, reason="no", now=timezone.now())


def test_a_fact_that_a_proposed_rule_warns_of_raises_a_provisional_alert(
    api: Api, person: MemoryUser, waiting: Proposal
) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"), note("milk"))
    assert provisional(person) == [TEA]
    deliver_all()
    assert provisional(person) == [TEA, MILK]
    assert [events_of(one) for one in Alert.every.provisional()] == [["opened"], ["opened"]]
    waiting.refresh_from_db()
    told = [one["summary"] for one in waiting.provisional["found"]]
    assert sorted(told) == ["Note: milk", "Note: tea"]
    assert [one.rule for one in Alert.objects.all()] == ["drug_allergy"]
    assert not Job.objects.exclude(status=JobStatus.DONE).exists()


def test_it_reaches_an_open_page(
    api: Api, person: MemoryUser, waiting: Proposal, caregiver: Staff
) -> None:
    page = Page(caregiver)

    async def scenario() -> None:
        async with page:
            await page.open()
            await sync_to_async(api.append)(person, note("milk"))
            await sync_to_async(deliver_all)()
            (event,) = await page.events(1)
            assert event["kind"] == "opened"
            assert event["alert"] == (await Alert.every.alast()).pk  # type: ignore[union-attr]

    async_to_sync(scenario)()


def test_a_fact_taken_back_clears_it(api: Api, person: MemoryUser, waiting: Proposal) -> None:
    api.append(person, fact("no tea", corrects=1))
    deliver_all()
    assert provisional(person) == [("Note: tea", "resolved")]
    assert events_of(Alert.every.get()) == ["opened", "cleared"]


def test_what_was_recorded_while_its_rules_were_first_run_is_seen(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea"))
    project = with_files(person, {RULE: EVERY_NOTE})
    found = would(person, project, "every_note")
    api.append(person, note("milk"))
    proposed(person, project, provisional=found)
    deliver_all()
    assert provisional(person) == [TEA, MILK]


def test_what_waits_for_a_kind_of_the_proposal_is_seen(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    project = with_files(person, GARDENING)
    found = would(person, project, "dead_plant")
    proposal = proposed(person, project, provisional=found, origin=ProposalOrigin.MODEL)
    answer = api.append(person, fact("My fern is dead", DEAD))
    assert answer["facts"][0]["readings"][0]["effect"] == "waiting"
    deliver_all()
    assert provisional(person) == [("Dead: Fern", "open")]
    proposal.refresh_from_db()
    assert (proposal.status, len(proposal.placements)) == ("open", 1)


def test_what_a_proposal_reads_a_fact_as_goes_with_the_fact(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("My fern is dead"))
    project = with_files(person, GARDENING)
    found = would(person, project, "dead_plant")
    proposed(person, project, provisional=found, placements=[PLACED])
    deliver_all()
    assert provisional(person) == [("Dead: Fern", "open")]
    api.append(person, fact("It is alive", corrects=1))
    deliver_all()
    assert provisional(person) == [("Dead: Fern", "resolved")]


def test_what_a_rule_said_stays_where_it_fails(api: Api, person: MemoryUser) -> None:
    api.append(person, note("tea"))
    proposal = proposed_notes(person, FAILS_ON_MILK)
    api.append(person, note("milk"))
    deliver_all()
    assert provisional(person) == [TEA]
    proposal.refresh_from_db()
    assert "every_note" in proposal.provisional["failed"]


@pytest.mark.parametrize("decided", ["approved", "rejected"])
def test_once_it_is_decided_nothing_is_foreseen(
    api: Api, person: MemoryUser, waiting: Proposal, caregiver: Staff, decided: str
) -> None:
    api.append(person, note("milk"))
    assert _queued(person) == 1
    (approved if decided == "approved" else _rejected)(waiting, caregiver)
    happened = AlertEvent.objects.filter(alert__origin="provisional").count()
    deliver_all()
    assert AlertEvent.objects.filter(alert__origin="provisional").count() == happened
    assert provisional(person) == [("Note: tea", "resolved")]
    api.append(person, note("coffee"))
    assert _queued(person) == 0


def _foreseen_meanwhile(person: MemoryUser, happens: Callable[[], None]) -> None:
    """Run the rules; something happens; then store what they said, as the job does."""
    foreseen = foresee(user_id=person.pk, now=timezone.now())
    assert foreseen is not None
    happens()
    with transaction.atomic():
        show_foreseen(foreseen=foreseen, now=timezone.now())


def test_what_was_found_for_a_proposal_that_is_rejected_meanwhile_is_dropped(
    api: Api, person: MemoryUser, waiting: Proposal, caregiver: Staff
) -> None:
    _foreseen_meanwhile(person, lambda: _rejected(waiting, caregiver))
    assert provisional(person) == [("Note: tea", "resolved")]
    assert _queued(person) == 0


def test_a_proposal_that_takes_its_place_meanwhile_is_foreseen_next(
    api: Api, person: MemoryUser, waiting: Proposal
) -> None:
    loud = EVERY_NOTE.replace("Note:", "NOTE:")

    def replaced() -> None:
        proposed_notes(person, loud)
        Job.objects.update(status=JobStatus.DONE)

    _foreseen_meanwhile(person, replaced)
    standing = Alert.every.provisional().active().get()
    assert standing.summary == "NOTE: tea"
    assert _queued(person) == 1


def test_what_is_recorded_while_the_rules_run_is_looked_at_next(
    api: Api, person: MemoryUser, waiting: Proposal
) -> None:
    def recorded() -> None:
        api.append(person, note("milk"))
        Job.objects.update(status=JobStatus.DONE)

    _foreseen_meanwhile(person, recorded)
    assert provisional(person) == [TEA]
    deliver_all()
    assert provisional(person) == [TEA, MILK]


def test_of_two_jobs_the_later_leaves_it_to_the_other(
    api: Api, person: MemoryUser, waiting: Proposal
) -> None:
    now = timezone.now()
    started = now - timedelta(seconds=1)
    Job.objects.create(
        name="foresee",
        user=person,
        queued_at=started,
        started_at=started,
        lease_until=now + timedelta(minutes=1),
        status=JobStatus.RUNNING,
    )
    api.append(person, note("milk"))
    deliver_all()
    assert provisional(person) == [TEA]


def test_without_room_in_the_sandbox_it_is_tried_again(
    person: MemoryUser, waiting: Proposal, no_room: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried = Limits(total_seconds=0.1)
    monkeypatch.setattr("alerts.evaluation.run.queue_limits", lambda: hurried)
    with transaction.atomic():
        enqueue(name="foresee", user=person, now=timezone.now())
    job = Job.objects.get(name="foresee", status=JobStatus.QUEUED)
    with pytest.raises(JobFailed, match="NoWorker"):
        run_job(str(job.pk))
    assert provisional(person) == [TEA]
    assert _queued(person) == 1


def test_a_new_day_has_the_proposed_rules_look_again(api: Api) -> None:
    person, other = new_person(), new_person()
    noon = datetime(2027, 3, 1, 12, tzinfo=UTC)
    for one in (person, other):
        api.append(one, note("tea"))
        evaluated(one, noon)
    proposed_notes(person, EVERY_NOTE_FROM_MARCH)
    deliver_all()
    assert sweep_new_days(now=noon + timedelta(days=1)) == 2
    assert (_queued(person), _queued(other)) == (1, 0)
    before = foresee(user_id=person.pk, now=noon)
    after = foresee(user_id=person.pk, now=noon + timedelta(days=1))
    assert before is not None
    assert after is not None
    assert (len(before.would.found), len(after.would.found)) == (0, 1)
    assert after.seen[-1] == date(2027, 3, 2)


def test_a_day_that_begins_while_the_rules_run_is_looked_at_next(
    person: MemoryUser, waiting: Proposal
) -> None:
    foreseen = foresee(user_id=person.pk, now=timezone.now())
    assert foreseen is not None
    with transaction.atomic():
        show_foreseen(foreseen=foreseen, now=timezone.now() + timedelta(days=1))
    assert _queued(person) == 1


def test_a_post_without_an_open_proposal_queues_nothing_and_asks_nothing_more(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea"))
    with CaptureQueriesContext(connection) as sent:
        api.append(person, note("milk"))
    assert len(sent) == 13
    assert not Job.objects.exists()


def test_a_proposal_without_rules_of_its_own_has_nothing_to_foresee(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, note("tea"))
    proposed(person, with_files(person, {SCHEMA: GARDEN}))
    assert current(person).foresees_since is None
    api.append(person, note("milk"))
    assert not Job.objects.exists()
