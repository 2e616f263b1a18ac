"""Code written by hand is kept as typed, checked like any other, and decided by somebody else."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.contrib.auth.models import User as Staff

from memory import access
from memory.actions.approvals import OwnProposal
from memory.actions.bring_edit_over import bring_edit_over
from memory.actions.code_edits import (
    BadFile,
    EditMoved,
    EditStale,
    NotDraft,
    NotEditable,
    NothingToPropose,
    begin_edit,
    discard_edit,
    project_of_edit,
    put_back,
    remove_file,
    save_file,
    submit_edit,
)
from memory.actions.proposals import reject_proposal
from memory.code import project_of
from memory.models import AuditEvent, CodeEdit, MemoryUser, Proposal, ProposalOrigin
from memory.project.shipped import baseline
from memory.rights import Role
from tests.api_client import Api
from tests.facts import note
from tests.proposals import approved, bought, current, proposed, with_files
from tests.queue import deliver_all
from tests.staff import new_staff

RULE = "rules/tea.py"
TEST = "tests/test_tea.py"
TEA = '''"""Too many notes of tea.

Facts: 1.
"""

from datetime import date

from domains.notes.schema import Note
from domains.notes.state import notes
from uac import Alert

MOST = 1


def find_tea(found: list[Note]) -> list[Alert]:
    tea = [one for one in found if "tea" in one.text.lower()]
    if len(tea) <= MOST:
        return []
    return [Alert(severity="info", summary="Much tea", evidence=tea)]


def check(today: date) -> list[Alert]:
    return find_tea(notes)
'''
TESTS = """from domains.notes.schema import Note
from rules.tea import find_tea


def test_two_are_many():
    one = Note(id="a", text="Tea")
    assert find_tea([one, Note(id="b", text="more tea")])[0].summary == "Much tea"
    assert find_tea([one]) == []
"""


QUIET = '''"""Nothing to say."""

from datetime import date

from uac import Alert


def check(today: date) -> list[Alert]:
    return []
'''


@pytest.fixture
def told(api: Api, person: MemoryUser) -> MemoryUser:
    """A person who likes tea."""
    api.append(person, note("Tea again"), note("And tea"))
    deliver_all()
    return current(person)


@pytest.fixture
def second(caregiver: Staff) -> Staff:
    """Another reviewer."""
    return new_staff("second", Role.REVIEWER)


def begun(person: MemoryUser, staff: Staff, now: datetime, of: Proposal | None = None) -> CodeEdit:
    return begin_edit(user_id=person.pk, proposal_id=of.pk if of else None, actor=staff, now=now)


def typed(edit: CodeEdit, path: str, text: str, now: datetime) -> CodeEdit:
    kept = CodeEdit.objects.get(pk=edit.pk)
    return save_file(
        edit_id=edit.pk, revision=kept.revision, path=path, text=text, actor=edit.author, now=now
    )


def checked(
    edit: CodeEdit, now: datetime, summary: str = "Tea is watched", *, drops: bool = False
) -> CodeEdit:
    """The edit after the worker has had it."""
    kept = CodeEdit.objects.get(pk=edit.pk)
    submit_edit(
        edit_id=edit.pk,
        revision=kept.revision,
        summary=summary,
        drops_readings=drops,
        actor=edit.author,
        now=now,
    )
    deliver_all()
    return CodeEdit.objects.get(pk=edit.pk)


def test_what_passes_is_a_proposal_of_its_author_whom_another_has_to_approve(
    told: MemoryUser, caregiver: Staff, second: Staff, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    typed(edit, RULE, TEA, now)
    typed(edit, TEST, TESTS.replace("\n", "\r\n"), now)
    done = checked(edit, now)
    assert done.status == "proposed", done.checks
    proposal = Proposal.objects.get()
    assert done.proposal == proposal
    assert (proposal.status, proposal.origin, proposal.author, proposal.hands) == (
        "open",
        ProposalOrigin.PERSON,
        caregiver,
        [caregiver.pk],
    )
    assert [one["name"] for one in proposal.checks] == [
        "files",
        "readings",
        "policy",
        "schemas",
        "types",
        "tests",
        "records",
        "proof",
        "rules tried",
        "replay",
    ]
    assert [one["summary"] for one in proposal.provisional["found"]] == ["Much tea"]
    assert proposal.summary == "Tea is watched"
    with pytest.raises(OwnProposal):
        approved(proposal, caregiver)
    assert approved(proposal, second).version is not None
    assert project_of(current(told)).files[TEST] == TESTS
    actions = AuditEvent.objects.filter(object_kind="edit").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == ["edit.begin", "edit.check"]


def test_what_fails_says_where_and_keeps_every_word(
    told: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    typed(edit, RULE, TEA.replace("len(tea) <= MOST", "len(tea) <= LEAST"), now)
    done = checked(edit, now)
    wrong = [one for one in done.checks if not one["ok"]]
    assert done.status == "draft"
    assert "rules/tea.py:17" in wrong[0]["detail"]
    assert "LEAST" in (done.files[RULE] or "")
    assert not Proposal.objects.exists()
    with pytest.raises(EditMoved):  # the page from before the checks is not the newest
        save_file(edit_id=edit.pk, revision=1, path=RULE, text=TEA, actor=caregiver, now=now)


def test_it_goes_on_from_a_proposal_whose_writer_may_not_approve_it_either(
    told: MemoryUser, caregiver: Staff, second: Staff, now: datetime
) -> None:
    first = proposed(
        told,
        with_files(told, {RULE: TEA, TEST: TESTS}),
        origin=ProposalOrigin.PERSON,
        author=caregiver,
        hands=[caregiver.pk],
    )
    edit = begun(told, second, now, first)
    typed(edit, RULE, TEA.replace("Much tea", "Very much tea"), now)
    typed(edit, TEST, TESTS.replace("Much tea", "Very much tea"), now)
    checked(edit, now, "In other words")
    first.refresh_from_db()
    later = Proposal.objects.open().get()
    assert (first.status, later.follows, later.hands) == (
        "superseded",
        first,
        sorted([caregiver.pk, second.pk]),
    )
    for writer in (caregiver, second):
        with pytest.raises(OwnProposal):
            approved(later, writer)


def test_readings_that_fit_no_more_are_left_out_where_its_author_says_so(
    told: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    of = {"kind": "preferences.Subject", "op": "assert"}
    fits = {**of, "fact": 1, "id": "tea", "data": {"name": "tea"}}
    odd = {**of, "fact": 1, "id": "tea-cups", "data": {"name": "tea cups", "size": "large"}}
    first = proposed(
        told,
        with_files(told, {RULE: TEA, TEST: TESTS}),
        origin=ProposalOrigin.MODEL,
        placements=[fits, odd],
    )
    edit = begun(told, caregiver, now, first)
    typed(edit, TEST, TESTS.replace("more tea", "and tea"), now)
    kept = checked(edit, now)
    assert kept.status == "draft"
    assert [one["name"] for one in kept.checks if not one["ok"]] == ["readings"]
    done = checked(edit, now, drops=True)
    assert done.proposal is not None, done.checks
    assert done.proposal.placements == [fits]
    (said,) = [one["detail"] for one in done.checks if one["name"] == "readings"]
    assert said.splitlines() == [
        "1 reading",
        "left out: the reading of fact 1 as preferences.Subject tea-cups",
    ]


def test_what_arrives_while_it_is_open_is_added_to_the_hand_written_code(
    told: MemoryUser, caregiver: Staff, api: Api, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    typed(edit, RULE, TEA, now)
    typed(edit, TEST, TESTS, now)
    checked(edit, now)
    api.append(told, bought("a lamp"))
    deliver_all()
    later = Proposal.objects.open().get()
    assert {RULE, "domains/purchases/schema.py"} <= set(later.tree.files)
    assert (later.origin, later.author, later.hands) == ("person", caregiver, [caregiver.pk])
    with pytest.raises(OwnProposal):
        approved(later, caregiver)


def test_code_that_moved_meanwhile_is_merged_before_it_is_checked(
    told: MemoryUser, caregiver: Staff, second: Staff, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    typed(edit, RULE, TEA, now)
    typed(edit, TEST, TESTS, now)
    other = proposed(told, with_files(told, {"rules/quiet.py": QUIET}))
    with pytest.raises(EditStale, match="another proposal"):
        checked(edit, now)
    approved(other, second)
    with pytest.raises(EditStale, match="code has changed"):
        checked(edit, now)
    bring_edit_over(
        edit_id=edit.pk,
        revision=CodeEdit.objects.get().revision,
        actor=caregiver,
        now=now,
    )
    kept = CodeEdit.objects.get()
    assert kept.parent == other.tree_id
    assert sorted(kept.files) == [RULE, TEST]
    assert "rules/quiet.py" in project_of_edit(kept).files
    done = checked(edit, now)
    assert done.status == "proposed", done.checks


def test_whose_text_was_brought_over_to_another_proposal_may_not_approve_it(
    told: MemoryUser, caregiver: Staff, second: Staff, now: datetime
) -> None:
    own = {"origin": ProposalOrigin.PERSON, "author": caregiver, "hands": [caregiver.pk]}
    first = proposed(told, with_files(told, {RULE: TEA, TEST: TESTS}), **own)
    edit = begun(told, second, now, first)
    typed(edit, RULE, TEA.replace("Much tea", "Very much tea"), now)
    typed(edit, TEST, TESTS.replace("Much tea", "Very much tea"), now)
    shipped = "rules/disliked.py"
    proposed(told, with_files(told, {shipped: f"{baseline().files[shipped]}# said\n"}))
    revision = CodeEdit.objects.get().revision
    bring_edit_over(edit_id=edit.pk, revision=revision, actor=second, now=now)
    done = checked(edit, now)
    assert done.proposal is not None, done.checks
    assert {RULE, shipped} <= set(done.proposal.tree.files)
    assert done.proposal.hands == sorted([caregiver.pk, second.pk])
    with pytest.raises(OwnProposal):
        approved(done.proposal, caregiver)


def test_two_pages_do_not_write_over_each_other(
    told: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    typed(edit, RULE, TEA, now)
    with pytest.raises(EditMoved):
        save_file(edit_id=edit.pk, revision=0, path=RULE, text="# other", actor=caregiver, now=now)
    assert CodeEdit.objects.get().files == {RULE: TEA}


def test_files_come_and_go_and_are_put_back(
    told: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    shipped = "rules/disliked.py"
    typed(edit, shipped, baseline().files[shipped].replace("\n", "\r\n"), now)
    assert CodeEdit.objects.get().files == {}
    remove_file(path=shipped, revision=0, edit_id=edit.pk, actor=caregiver, now=now)
    assert CodeEdit.objects.get().files == {shipped: None}
    assert shipped not in project_of_edit(CodeEdit.objects.get()).files
    put_back(path=shipped, revision=1, edit_id=edit.pk, actor=caregiver, now=now)
    assert CodeEdit.objects.get().files == {}
    for path in ("state.py", "rules/../x.py", "domains/notes/state.py", "rules/UPPER.py", ""):
        with pytest.raises(BadFile):
            typed(edit, path, "x", now)
    with pytest.raises(BadFile, match="at most"):
        typed(edit, RULE, "x" * 200_001, now)
    with pytest.raises(NothingToPropose, match="nothing differs"):
        checked(edit, now)
    typed(edit, RULE, TEA, now)
    with pytest.raises(NothingToPropose, match="say what changes"):
        checked(edit, now, " ")


def test_there_is_one_edit_of_an_author_and_nobody_else_sees_it(
    told: MemoryUser, caregiver: Staff, second: Staff, now: datetime
) -> None:
    edit = begun(told, caregiver, now)
    assert begun(told, caregiver, now).pk == edit.pk
    with pytest.raises(access.NotFound):
        discard_edit(edit_id=edit.pk, actor=second, now=now)
    discard_edit(edit_id=edit.pk, actor=caregiver, now=now)
    with pytest.raises(NotDraft):
        discard_edit(edit_id=edit.pk, actor=caregiver, now=now)
    assert begun(told, caregiver, now).pk != edit.pk


def test_a_proposal_that_was_decided_is_not_edited(
    told: MemoryUser, caregiver: Staff, now: datetime
) -> None:
    proposal = proposed(told, with_files(told, {"rules/quiet.py": QUIET}))
    reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="no", now=now)
    with pytest.raises(NotEditable):
        begun(told, caregiver, now, proposal)
