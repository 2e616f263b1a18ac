"""Some proposals take two reviewers, and nobody approves what they wrote."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from pytest_django import Settings

from memory.actions.approvals import AlreadyApproved, OwnProposal, approvals_needed
from memory.actions.proposals import NotOpen, approve_proposal, reject_proposal
from memory.actions.ticks import NotTicked, doubts_of
from memory.code import project_of
from memory.evaluator import Would
from memory.models import Approval, AuditEvent, CodeVersion, MemoryUser, Proposal
from memory.project.shipped import baseline
from memory.rights import Role
from tests.api_client import Api
from tests.proposals import approved, bought, current, proposed, with_files
from tests.staff import new_staff

RULE = "rules/cancelled_charge.py"
LOUD = '"""Says it."""\n\nLEVEL = "{level}"\n\n\ndef check(today):\n    return []\n'


@pytest.fixture
def second(caregiver: Staff) -> Staff:
    """Another reviewer."""
    return new_staff("second", Role.REVIEWER)


@pytest.fixture
def proposal(settings: Settings, person: MemoryUser) -> Proposal:
    """A rule that says critical, where such a one takes two."""
    settings.TWO_APPROVALS = frozenset({"critical"})
    files = {"rules/loud.py": LOUD.format(level="critical")}
    return proposed(person, with_files(person, files))


def test_the_first_of_two_is_recorded_and_the_second_activates(
    person: MemoryUser, caregiver: Staff, second: Staff, proposal: Proposal
) -> None:
    first = approved(proposal, caregiver)
    assert (first.version, first.left) == (None, 1)
    assert project_of(current(person)) is baseline()
    assert Proposal.objects.get().status == "open"
    with pytest.raises(AlreadyApproved):
        approved(proposal, caregiver)
    done = approved(proposal, second)
    assert done.version == CodeVersion.objects.get()
    assert project_of(current(person)).digest == proposal.digest
    assert Proposal.objects.get().decided_by == second
    rows = Approval.objects.order_by("pk").values_list("by__username", "digest")
    assert list(rows) == [("caregiver", proposal.digest), ("second", proposal.digest)]
    told = AuditEvent.objects.filter(object_id=str(proposal.pk)).order_by("pk")
    assert list(told.values_list("action", flat=True)) == [
        "proposal.make",
        "proposal.approve",
        "proposal.approve",
        "proposal.approved",
    ]


def test_an_approval_keeps_what_was_ticked(person: MemoryUser, caregiver: Staff) -> None:
    source = baseline().files[RULE].replace('"warning"', '"info"')
    proposal = proposed(person, with_files(person, {RULE: source}))
    doubts = doubts_of(proposal)
    assert "severity" in {one.concern for one in doubts}
    with pytest.raises(NotTicked):
        approve_proposal(
            proposal_id=proposal.pk,
            digest=proposal.digest,
            actor=caregiver,
            now=proposal.created_at,
        )
    assert not Approval.objects.exists()
    approved(proposal, caregiver)
    kept = Approval.objects.get().ticked
    told = [(one.key, RULE, one.words) for one in doubts]
    assert [(one["key"], one["path"], one["words"]) for one in kept] == told


def test_one_is_enough_unless_the_setting_says_otherwise(
    person: MemoryUser, settings: Settings, proposal: Proposal
) -> None:
    assert approvals_needed(proposal).count == 2
    settings.TWO_APPROVALS = frozenset()
    assert approvals_needed(proposal).count == 1


@pytest.mark.parametrize(
    ("setting", "level", "count"),
    [
        ("critical", "critical", 2),
        ("critical", "warning", 1),
        ("warning", "critical", 2),
        ("warning", "warning", 2),
        ("warning", "info", 1),
        ("lessened", "critical", 1),
        ("all", "info", 2),
    ],
)
def test_what_counts_is_the_severity_that_a_rule_names(
    person: MemoryUser, settings: Settings, setting: str, level: str, count: int
) -> None:
    settings.TWO_APPROVALS = frozenset({setting})
    proposal = proposed(person, with_files(person, {"rules/one.py": LOUD.format(level=level)}))
    assert approvals_needed(proposal).count == count


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ('Alert(severity="info")', 1),
        ('Alert(severity="info" if late else "warning")', 1),
        ('Alert(severity="crit" + "ical")', 2),
        ("Alert(severity=worked_out)", 2),
        ('Alert(severity="info" if late else worked_out)', 2),
        ("Alert(**fields)", 2),
        ('Alert("info", worked_out)', 1),
        ('uac.Alert("crit" + "ical")', 2),
        ("Alert(*fields)", 2),
    ],
)
def test_a_severity_that_is_not_written_out_may_be_any(
    person: MemoryUser, settings: Settings, call: str, count: int
) -> None:
    settings.TWO_APPROVALS = frozenset({"critical"})
    source = LOUD.format(level="info") + f"\n\ndef never(late, worked_out, fields):\n    {call}\n"
    proposal = proposed(person, with_files(person, {"rules/one.py": source}))
    assert approvals_needed(proposal).count == count


def test_what_it_would_raise_now_counts_too(person: MemoryUser, settings: Settings) -> None:
    settings.TWO_APPROVALS = frozenset({"critical"})
    words = dict.fromkeys(("key", "detail", "grade", "action"), "")
    said: dict[str, Any] = {"rule": "one", "severity": "critical", "summary": "s", "evidence": []}
    finding = {**words, **said, "basis": [], "unknown": [], "due": None}
    plain = with_files(person, {"rules/one.py": LOUD.format(level="info")})
    assert approvals_needed(proposed(person, plain)).count == 1
    assert approvals_needed(proposed(person, plain, provisional=Would((finding,), {}))).count == 2


def test_what_promises_less_takes_two(person: MemoryUser, settings: Settings) -> None:
    settings.TWO_APPROVALS = frozenset({"lessened"})
    source = baseline().files[RULE].replace('"warning"', '"info"')
    proposal = proposed(person, with_files(person, {RULE: source}))
    (why,) = approvals_needed(proposal).why
    assert "promises less" in why


def test_nobody_approves_what_they_wrote_a_part_of(
    person: MemoryUser, caregiver: Staff, second: Staff, api: Api, now: datetime
) -> None:
    api.append(person, bought("a lamp"))
    proposal = proposed(person, author=second, hands=[caregiver.pk, second.pk])
    for writer in (caregiver, second):
        with pytest.raises(OwnProposal):
            approved(proposal, writer)
    assert current(person).tree == baseline().digest
    assert not Approval.objects.exists()
    third = new_staff("third", Role.REVIEWER)
    assert approved(proposal, third).version is not None
    with pytest.raises(NotOpen):
        reject_proposal(proposal_id=proposal.pk, actor=second, reason="no", now=now)


def test_a_rejection_ends_it_whoever_has_approved(
    person: MemoryUser, caregiver: Staff, second: Staff, proposal: Proposal, now: datetime
) -> None:
    approved(proposal, caregiver)
    reject_proposal(proposal_id=proposal.pk, actor=second, reason="no", now=now)
    assert Proposal.objects.get().status == "rejected"
    with pytest.raises(NotOpen):
        approved(proposal, second)
