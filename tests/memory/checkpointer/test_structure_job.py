"""Facts of unknown kinds lead, through the queue, to a proposal that a person can decide."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff

from memory.actions.proposals import reject_proposal
from memory.code import project_of
from memory.models import Job, JobStatus, MemoryUser, Proposal, ProposalStatus, Waiting
from memory.tasks import run_job
from tests.api_client import Api
from tests.facts import allergy, fact, reading
from tests.proposals import approved, proposed, with_files
from tests.queue import deliver_all
from tests.together import cut_off_before, paused_before, together, writes


def bought(item: Any, **more: Any) -> dict[str, Any]:
    """A fact of a kind that the baseline does not know."""
    return fact(f"I bought {item}", reading("shop.Purchase", item=item, **more))


def only(person: MemoryUser) -> Proposal:
    """The person's one open proposal."""
    return Proposal.objects.open().get(user=person)


def reasons(person: MemoryUser) -> list[str]:
    rows = Waiting.objects.filter(user=person).order_by("reading_seq")
    return list(rows.values_list("reason", flat=True))


@pytest.fixture
def approve(caregiver: Staff) -> Any:
    """Approve a person's open proposal, as it is."""

    def decide(person: MemoryUser) -> None:
        found = only(person)
        approved(found, caregiver)

    return decide


def test_a_fact_of_an_unknown_kind_leads_to_a_proposal_that_passed_its_checks(
    api: Api, person: MemoryUser
) -> None:
    answer = api.append(person, bought("tea", price="2.50"), bought("milk", price="1.20"))
    assert [one["readings"][0]["effect"] for one in answer["facts"]] == ["waiting"] * 2
    deliver_all()
    found = only(person)
    assert [(check["name"], check["ok"]) for check in found.checks] == [
        ("policy", True),
        ("schemas", True),
        ("types", True),
        ("tests", True),
        ("records", True),
    ]
    assert found.summary.startswith("New kind shop.Purchase from 2 facts")
    assert [one["data"]["item"] for one in found.placements] == ["tea", "milk"]
    assert found.readings == [1, 2]
    assert Job.objects.get(name="structure").status == JobStatus.DONE


def test_an_approval_makes_records_of_what_waited(
    api: Api, person: MemoryUser, approve: Any
) -> None:
    api.append(person, bought("tea"), bought("milk"))
    deliver_all()
    placed = {one["id"]: one["data"] for one in only(person).placements}
    approve(person)
    assert api.records(person, "shop.Purchase") == placed
    assert reasons(person) == []
    answer = api.append(person, bought("bread"))
    assert answer["facts"][0]["readings"][0]["effect"] == "created"


def test_code_under_review_stays_as_it_is_while_new_facts_fit_it(
    api: Api, person: MemoryUser, approve: Any
) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    first = only(person)
    api.append(person, bought("milk"))
    deliver_all()
    second = only(person)
    assert (second.pk, second.digest) == (first.pk, first.digest)
    assert len(second.placements) == 2
    assert second.reason == "Waiting: 2 facts of 1 kind that nobody has approved yet."
    approve(person)
    assert len(api.records(person, "shop.Purchase")) == 2


def test_a_fact_that_does_not_fit_what_was_proposed_replaces_the_proposal(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    first = only(person)
    api.append(person, bought("milk", price=2))
    deliver_all()
    first.refresh_from_db()
    assert first.status == ProposalStatus.SUPERSEDED
    assert [one["data"] for one in only(person).placements] == [
        {"item": "tea"},
        {"item": "milk", "price": 2},
    ]


def test_what_a_kind_has_outgrown_is_proposed_as_a_wider_one(
    api: Api, person: MemoryUser, approve: Any
) -> None:
    api.append(person, bought("tea", price=2))
    deliver_all()
    approve(person)
    answer = api.append(person, bought("milk", price=1.5, organic=True))
    assert answer["facts"][0]["readings"][0]["effect"] == "waiting"
    deliver_all()
    found = only(person)
    assert "Wider kind shop.Purchase" in found.summary
    assert all(check["ok"] for check in found.checks)
    approve(person)
    data = list(api.records(person, "shop.Purchase").values())
    assert data == [{"item": "tea", "price": 2}, {"item": "milk", "price": 1.5, "organic": True}]


def test_what_an_approval_leaves_waiting_is_structured_on_the_new_code(
    api: Api, person: MemoryUser, approve: Any
) -> None:
    odd = fact("I bought a gift", reading("shop.Purchase", price=0, giver={"name": "Bo"}))
    api.append(person, bought("tea", price="2.50"), bought("milk", price="1.20"), odd)
    deliver_all()
    assert only(person).readings == [1, 2]
    approve(person)
    deliver_all()
    assert "Wider kind shop.Purchase" in only(person).summary
    approve(person)
    deliver_all()
    assert len(api.records(person, "shop.Purchase")) == 3
    assert not Proposal.objects.open().exists()


def test_a_proposal_on_code_that_moved_while_it_was_made_is_made_again(
    api: Api, person: MemoryUser, approve: Any
) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    api.append(person, bought("milk", price=2))
    with paused_before(lambda sql: 'FROM "memory_record"' in sql, deliver_all) as job:
        approve(person)
        job.finish()
    found = only(person)
    person.refresh_from_db()
    assert found.parent == person.tree
    assert "Wider kind shop.Purchase" in found.summary


def test_two_jobs_at_once_leave_one_proposal(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    api.append(person, bought("milk", price=2))
    api.append(person, fact("A walk", reading("sport.Walk", km=3)))
    for job in Job.objects.filter(name="structure", status=JobStatus.QUEUED):
        together(*[partial(run_job, str(job.pk))] * 3)
    kinds = [one["kind"] for one in only(person).placements]
    assert kinds == ["shop.Purchase", "shop.Purchase", "sport.Walk"]


def test_a_job_that_dies_before_its_commit_is_done_again(
    api: Api, person: MemoryUser, now: datetime
) -> None:
    api.append(person, bought("tea"))
    job = Job.objects.get(name="structure")
    assert cut_off_before(writes("memory_proposal"), partial(run_job, str(job.pk)))
    assert not Proposal.objects.exists()
    Job.objects.filter(pk=job.pk).update(lease_until=now - timedelta(hours=1))
    run_job(str(job.pk))
    assert only(person).readings == [1]


RULE = '''"""Warns of many purchases."""

from datetime import date

from domains.shop.state import purchases
from uac import Alert


def dozens(count: int) -> int:
    return count // 12


def check(today: date) -> list[Alert]:
    """Warns of many purchases."""
    return [
        Alert(severity="info", summary="many", evidence=[one])
        for one in purchases
        if dozens(one.count) > 100
    ]
'''


@pytest.fixture
def counted(api: Api, person: MemoryUser, caregiver: Staff, approve: Any) -> MemoryUser:
    """A person with a rule of their own that takes the count of a purchase for a whole number."""
    api.append(person, bought("tea", count=2))
    deliver_all()
    approve(person)
    approved(proposed(person, with_files(person, {"rules/many.py": RULE})), caregiver)
    return person


def test_what_breaks_a_rule_leads_to_a_failed_proposal_that_nobody_can_approve(
    api: Api, counted: MemoryUser
) -> None:
    api.append(counted, bought("milk", count=1.5))
    deliver_all()
    assert not Proposal.objects.open().exists()
    failed = Proposal.objects.get(user=counted, status=ProposalStatus.FAILED)
    found = {check["name"]: check for check in failed.checks}
    assert not found["types"]["ok"]
    assert "rules/many.py" in found["types"]["detail"]
    assert reasons(counted) == ["a place for it was proposed and did not pass the check of types"]


def test_a_kind_that_fails_does_not_hold_up_the_others(api: Api, counted: MemoryUser) -> None:
    api.append(counted, bought("milk", count=1.5))
    api.append(counted, fact("A walk", reading("sport.Walk", km=3)))
    deliver_all()
    found = only(counted)
    assert [one["kind"] for one in found.placements] == ["sport.Walk"]
    assert all(check["ok"] for check in found.checks)
    assert "did not pass the check of types" in reasons(counted)[0]


def test_what_cannot_be_placed_waits_with_its_reason(api: Api, person: MemoryUser) -> None:
    wide = {f"x{number}": 1 for number in range(201)}
    api.append(person, fact("A list", reading("shop.Gift", **wide)))
    deliver_all()
    assert not Proposal.objects.exists()
    assert "200 are the most" in reasons(person)[0]


def test_a_class_that_is_taken_is_proposed_under_a_name_of_its_own(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, fact("A trip", reading("shop.Trip", x=1)))
    deliver_all()
    assert [one["kind"] for one in only(person).placements] == ["shop.ShopTrip"]


def test_an_odd_payload_waits_while_the_others_are_proposed(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("tea", price=1), bought("milk", price=2), bought("x", price="free"))
    deliver_all()
    assert only(person).readings == [1, 2]
    assert "price is text where 2 others have a number; send a number" in reasons(person)


def test_what_was_rejected_is_not_proposed_again_until_something_new_is_said_of_it(
    api: Api, person: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    reject_proposal(proposal_id=only(person).pk, actor=caregiver, reason="no", now=now)
    api.append(person, fact("A walk", reading("sport.Walk", km=3)))
    deliver_all()
    assert [one["kind"] for one in only(person).placements] == ["sport.Walk"]
    assert reasons(person)[0] == "its proposal was rejected: no"
    api.append(person, bought("milk"))
    deliver_all()
    kinds = [one["kind"] for one in only(person).placements]
    assert kinds == ["shop.Purchase", "sport.Walk", "shop.Purchase"]


def test_a_proposal_for_what_was_taken_back_is_closed(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    found = only(person)
    api.append(person, {**bought("milk"), "corrects": 1, "readings": []})
    api.append(person, {**fact("x", reading("sport.Walk", km=3))})
    deliver_all()
    found.refresh_from_db()
    assert found.status == ProposalStatus.SUPERSEDED
    assert [one["kind"] for one in only(person).placements] == ["sport.Walk"]


def test_known_kinds_need_no_decision(api: Api, person: MemoryUser) -> None:
    before = project_of(person).digest
    api.append(person, allergy("nuts"))
    deliver_all()
    person.refresh_from_db()
    assert not Proposal.objects.exists()
    assert not Job.objects.filter(name="structure").exists()
    assert project_of(person).digest == before


def test_a_job_that_is_run_twice_proposes_once(api: Api, person: MemoryUser) -> None:
    api.append(person, bought("tea"))
    deliver_all()
    api.append(person, bought("milk"))
    deliver_all()
    assert Proposal.objects.filter(user=person).count() == 1
