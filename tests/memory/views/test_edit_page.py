"""The pages on which code is written by hand and versions are restored, without JavaScript."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import CodeEdit, MemoryUser, Proposal
from memory.rights import Role
from tests.api_client import Api
from tests.facts import note
from tests.memory.actions.test_editing_by_hand import QUIET, RULE, TEA, TEST, TESTS
from tests.memory.views.test_proposal_page import HOSTILE, logged_in, text_of
from tests.proposals import approved, proposed, with_files
from tests.queue import deliver_all
from tests.staff import new_staff

QUIET_RULE = "rules/quiet.py"


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def edit(pages: Client, person: MemoryUser) -> CodeEdit:
    """An edit of what is active, begun on the page of versions."""
    assert 'action="/people/' in text_of(pages, f"/people/{person.pk}/code")
    pages.post(f"/people/{person.pk}/code/edit")
    return CodeEdit.objects.get()


def press(client: Client, edit: CodeEdit, do: str, **typed: str) -> Any:
    """Press a button of the page, with what was typed there."""
    now = CodeEdit.objects.get(pk=edit.pk)
    form = {"do": do, "revision": str(now.revision), **typed}
    return client.post(f"/edits/{edit.pk}", form, follow=True)


def test_every_button_keeps_what_was_typed(pages: Client, edit: CodeEdit) -> None:
    press(pages, edit, "add", path=RULE)
    answer = press(pages, edit, f"open {TEST}", file=RULE, text=TEA)
    assert answer.status_code == 200
    assert CodeEdit.objects.get().files == {RULE: TEA}
    shown = text_of(pages, f"/edits/{edit.pk}", file=RULE)
    assert "find_tea(notes)" in shown
    press(pages, edit, "add", path=TEST, file=RULE, text=TEA.replace("Much", "Little"))
    assert "Little tea" in (CodeEdit.objects.get().files[RULE] or "")
    press(pages, edit, f"back {RULE}")
    assert RULE not in CodeEdit.objects.get().files


def test_a_page_that_is_not_the_newest_saves_nothing_and_keeps_its_text(
    pages: Client, edit: CodeEdit
) -> None:
    press(pages, edit, "add", path=RULE)
    answer = press(pages, edit, "save", file=RULE, text="# mine", revision="0")
    assert answer.status_code == 409
    assert "another page has saved" in answer.content.decode()
    assert "# mine" in answer.content.decode()
    assert "mine" not in str(CodeEdit.objects.get().files)


@pytest.mark.parametrize("path", ["state.py", "rules/../../x.py", "rules/<b>.py", " ", HOSTILE])
def test_a_file_with_no_place_is_refused_with_the_reason(
    pages: Client, edit: CodeEdit, path: str
) -> None:
    answer = press(pages, edit, "add", path=path)
    assert answer.status_code == 422
    assert "a project holds" in answer.content.decode()
    assert "<script>alert" not in answer.content.decode()
    assert CodeEdit.objects.get().files == {}


def test_hostile_text_is_only_text(pages: Client, edit: CodeEdit) -> None:
    press(pages, edit, "add", path=RULE)
    press(pages, edit, "save", file=RULE, text=f"# {HOSTILE}</textarea>")
    shown = text_of(pages, f"/edits/{edit.pk}", file=RULE)
    assert "<script>alert" not in shown
    assert shown.count("</textarea>") == 2


def test_what_fails_names_the_line_and_what_passes_is_proposed(
    pages: Client, edit: CodeEdit
) -> None:
    press(pages, edit, "add", path=RULE)
    press(pages, edit, "check", file=RULE, text=TEA.replace("<= MOST", "<= LEAST"), summary="Tea")
    assert "is being checked" in text_of(pages, f"/edits/{edit.pk}")
    assert pages.get(f"/edits/{edit.pk}/status").content == b"checking"
    deliver_all()
    shown = text_of(pages, f"/edits/{edit.pk}")
    assert f'data-line="17">{RULE}:17</button>' in shown
    assert "if len(tea) &lt;= LEAST:" in shown
    press(pages, edit, "add", path=TEST, file=RULE, text=TEA)
    answer = press(pages, edit, "check", file=TEST, text=TESTS, summary=" ")
    assert answer.status_code == 422
    assert "say what changes and why" in answer.content.decode()
    press(pages, edit, "check", file=TEST, text=TESTS, summary="Tea is watched")
    deliver_all()
    page = pages.get(f"/edits/{edit.pk}", follow=True)
    assert page.redirect_chain[-1][0] == f"/proposals/{Proposal.objects.get().pk}"
    assert "written by hand by caregiver" in page.content.decode()
    assert "<b>You cannot approve this:</b>" in page.content.decode()
    proposal = Proposal.objects.get()
    form = {"digest": proposal.digest}
    answer = pages.post(f"/proposals/{proposal.pk}/approve", form, follow=True)
    assert "you wrote some of this code" in answer.content.decode()
    assert Proposal.objects.get().status == "open"


def test_an_edit_is_its_authors_alone(pages: Client, edit: CodeEdit) -> None:
    other = logged_in(new_staff("second", Role.REVIEWER))
    assert other.get(f"/edits/{edit.pk}").status_code == 404
    assert other.post(f"/edits/{edit.pk}", {"do": "discard"}).status_code == 404
    press(pages, edit, "discard")
    assert CodeEdit.objects.get().status == "discarded"
    assert pages.get(f"/edits/{edit.pk}").status_code == 404


def test_a_version_is_restored_from_a_page_that_shows_what_would_change(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, note("Tea"))
    deliver_all()
    approved(proposed(person, with_files(person, {QUIET_RULE: QUIET})), caregiver)
    other = {QUIET_RULE: QUIET.replace("Nothing to say", "Nothing at all")}
    approved(proposed(person, with_files(person, other)), caregiver)
    address = f"/people/{person.pk}/code/versions/1/restore"
    assert f'href="{address}"' in text_of(pages, f"/people/{person.pk}/code")
    shown = text_of(pages, address)
    assert "Bring version 1 back" in shown
    assert QUIET_RULE in shown
    assert pages.post(address, {"reason": " "}).status_code == 422
    answer = pages.post(address, {"reason": "It was better"}, follow=True)
    assert "is being checked" in answer.content.decode()
    active = text_of(pages, f"/people/{person.pk}/code/versions/2/restore")
    assert "it is the code that is active already" in active
    assert pages.get(f"/people/{person.pk}/code/versions/9/restore").status_code == 404
