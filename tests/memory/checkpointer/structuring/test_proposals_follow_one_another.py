"""What comes while a proposal is open is put on top of it, and a reviewer gets another attempt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone

from memory.actions.change_requests import request_changes
from memory.actions.proposals import RecordsMoved
from memory.models import (
    Job,
    JobStatus,
    MemoryUser,
    Need,
    NeedCause,
    NeedStatus,
    Proposal,
    ProposalStatus,
    Reading,
)
from memory.tasks import run_job
from tests.api_client import Api
from tests.facts import Json, fact, reading
from tests.memory.checkpointer.structuring.conftest import prompt_of, told
from tests.memory.checkpointer.structuring.written import PATHS, PLACED, RULE, SCHEMA, written
from tests.model_server import Script, answers
from tests.proposals import approved, bought
from tests.queue import deliver_all
from tests.together import cut_off_before, writes

Asked = Callable[..., Need]
Ask = Callable[..., Need]
PETS, ALONE, TESTS = PATHS
NOTHING: dict[str, Any] = dict.fromkeys(PATHS)
GARDEN = SCHEMA.replace("Animals the person cares for", "Plants").replace("Pet", "Plant")
GARDEN = GARDEN.replace('"pets"', '"plants"').replace("alone_hours", "dry_days")
PLANT = {
    "fact": 3,
    "kind": "garden.Plant",
    "op": "assert",
    "id": None,
    "data": {"name": "Fern", "dry_days": 3},
}
SECOND = written(
    files={**NOTHING, "domains/garden/schema.py": GARDEN},
    readings=[PLANT],
    summary="Plants get a kind.",
)


def the_open(person: MemoryUser) -> Proposal:
    return Proposal.objects.open().get(user=person)


def statuses() -> set[str]:
    return set(Need.objects.values_list("status", flat=True))


def test_a_second_need_is_put_on_top_of_the_open_proposal(
    api: Api, person: MemoryUser, server: Script, asked: Asked, asks: Ask, caregiver: Staff
) -> None:
    asked(answers(written()))
    first = the_open(person)
    api.append(person, fact("The fern may be dry for 3 days", reading("notes.Note", text="x")))
    server.plays(answers(SECOND))
    asks(seq=3, needs="kind")
    deliver_all()
    assert f"==== {ALONE}" in prompt_of(server)
    first.refresh_from_db()
    second = the_open(person)
    assert first.status == ProposalStatus.SUPERSEDED
    assert (second.facts, statuses()) == ([1, 3], {NeedStatus.PROPOSED})
    assert set(Need.objects.values_list("proposal", flat=True)) == {second.pk}
    assert [one["rule"] for one in second.provisional["found"]] == ["pet_alone"]
    assert second.summary.endswith("\nPlants get a kind.")
    approved(second, caregiver)
    assert list(api.records(person, "pets.Pet")) == ["rex"]
    assert list(api.records(person, "garden.Plant")) == ["fern"]


def test_what_waits_gets_its_kind_beside_the_models(
    api: Api, person: MemoryUser, server: Script, asked: Asked, caregiver: Staff
) -> None:
    asked(answers(written()))
    api.append(person, bought("tea"))
    deliver_all()
    found = the_open(person)
    assert (found.model, len(server.requests), statuses()) == ("small", 1, {NeedStatus.PROPOSED})
    assert [one["kind"] for one in found.placements] == ["pets.Pet", "purchases.Purchase"]
    api.append(person, bought("milk"))
    deliver_all()
    assert the_open(person) == found
    approved(the_open(person), caregiver)
    assert len(api.records(person, "purchases.Purchase")) == 2
    assert len(api.records(person, "pets.Pet")) == 1


def test_a_reviewer_who_wants_it_otherwise_gets_another_attempt(
    person: MemoryUser, server: Script, asked: Asked, caregiver: Staff, now: datetime
) -> None:
    asked(answers(written()))
    first = the_open(person)
    changed = RULE.replace('severity="warning"', 'severity="critical"')
    server.plays(answers(written(files={ALONE: changed})))
    wanted = "It should be critical"
    request_changes(
        proposal_id=first.pk, digest=first.digest, actor=caregiver, comment=wanted, now=now
    )
    deliver_all()
    assert wanted in prompt_of(server)
    assert f"==== {ALONE}" in prompt_of(server)
    second = the_open(person)
    assert (second.follows, second.comment) == (first, wanted)
    assert [one["severity"] for one in second.provisional["found"]] == ["critical"]
    assert second.facts == first.facts == [1]


def test_a_concern_that_is_reproduced_is_proposed(
    api: Api, person: MemoryUser, server: Script, said: Json, asked: Asked
) -> None:
    (key,) = api.records(person, "schedule.Engagement")
    records = [{"kind": "schedule.Engagement", "id": key}]
    server.plays(answers(written()))
    need = asked(
        answers(written(files={ALONE: RULE.replace("Facts: 1.", "Facts: 1, 2.")})),
        cause=NeedCause.CONCERN,
        records=records,
        facts=[2],
        summary="Rex will be alone",
    )
    assert need.status == NeedStatus.PROPOSED
    assert the_open(person).facts == [1, 2]


def test_records_of_a_kind_that_goes_have_to_be_read_again(
    api: Api, person: MemoryUser, server: Script, asked: Asked, asks: Ask, caregiver: Staff
) -> None:
    asked(answers(written()))
    approved(the_open(person), caregiver)
    renamed = SCHEMA.replace("Pet", "Animal").replace('"pets"', '"animals"')
    gone = written(
        files={**NOTHING, PETS: renamed}, removed=[ALONE, TESTS], readings=[], summary="Animals."
    )
    again = {**gone, "readings": [PLACED | {"kind": "pets.Animal"}]}
    server.plays(answers(gone), answers(again))
    asks(cause=NeedCause.REQUEST)
    deliver_all()
    assert (
        "readings: pets.Pet rex: its kind is gone; keep the kind, or read its facts (1) again"
        in told(server)
    )
    found = the_open(person)
    assert f"removed: {ALONE}, {TESTS}" in found.checks[0]["detail"]
    approved(found, caregiver)
    assert list(api.records(person, "pets.Animal")) == ["rex"]


def test_an_approval_after_its_fact_was_corrected_is_refused(
    api: Api, person: MemoryUser, server: Script, asked: Asked, caregiver: Staff
) -> None:
    asked(answers(written()))
    api.append(person, fact("Rex may be alone all day", corrects=1))
    with pytest.raises(RecordsMoved):
        approved(the_open(person), caregiver)
    assert not Proposal.objects.open().exists()
    assert statuses() == {NeedStatus.OPEN}


def test_a_job_that_dies_leaves_nothing_and_is_done_once(
    person: MemoryUser, server: Script, said: Json, asks: Ask
) -> None:
    server.plays(answers(written()))
    asks()
    job = Job.objects.get(name="structure")
    assert cut_off_before(writes("memory_proposal"), partial(run_job, str(job.pk)))
    assert (Proposal.objects.count(), statuses()) == (0, {NeedStatus.OPEN})
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(hours=1))
    readings = Reading.objects.count()
    run_job(str(job.pk))
    run_job(str(job.pk))
    assert (Proposal.objects.count(), statuses()) == (1, {NeedStatus.PROPOSED})
    assert (Reading.objects.count(), len(server.requests)) == (readings, 2)


def test_code_that_moves_meanwhile_has_it_asked_anew(
    api: Api, person: MemoryUser, server: Script, said: Json, asks: Ask, caregiver: Staff
) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    before = the_open(person)

    def decide_meanwhile(to: Any, request: Any) -> None:
        approved(before, caregiver)
        answers(written())(to, request)

    server.plays(decide_meanwhile, answers(written()))
    asks()
    deliver_all()
    assert len(server.requests) == 2
    assert statuses() == {NeedStatus.PROPOSED}
    assert not Job.objects.exclude(status=JobStatus.DONE).exists()
