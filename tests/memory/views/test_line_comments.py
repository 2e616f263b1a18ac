"""Comments on lines: where they are written, that they stay, and who is told."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import Error, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memory.actions.change_requests import request_changes
from memory.actions.line_comments import LONGEST_COMMENT
from memory.actions.needs import needs_proposed
from memory.actions.proposals import ReasonMissing, reject_proposal
from memory.checkpointer.structuring.material import next_material
from memory.checkpointer.structuring.prompt import ask_for_code
from memory.models import AuditEvent, LineComment, MemoryUser, Need, Proposal
from memory.project.review.render import anchor_of
from tests.api_client import Api
from tests.facts import fact
from tests.memory.views.test_proposal_page import HOSTILE, logged_in, text_of
from tests.proposals import proposed, with_files

PATH = "rules/mine.py"
SOURCE = '"""Mine."""\n\n\ndef check(today):\n    return []\n'


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


@pytest.fixture
def proposal(person: MemoryUser) -> Proposal:
    """An open proposal of one rule."""
    return proposed(person, with_files(person, {PATH: SOURCE}))


def at(line: int, side: str = "n", path: str = PATH) -> str:
    return f"{anchor_of(path)}-{side}{line}"


def say(client: Client, proposal: Proposal, text: str = "Why none?", **more: Any) -> Any:
    form = {"at": at(5), "text": text, "digest": proposal.digest, **more}
    return client.post(f"/proposals/{proposal.pk}/comments", form, follow=more.pop("follow", True))


def test_a_lines_number_leads_to_the_place_for_a_comment(pages: Client, proposal: Proposal) -> None:
    text = text_of(pages, f"/proposals/{proposal.pk}")
    assert f'href="?view=unified&amp;at={at(5)}#{at(5)}"' in text
    assert "say-" not in text
    assert f'id="say-{at(5)}"' in text_of(pages, f"/proposals/{proposal.pk}", at=at(5))
    split = text_of(pages, f"/proposals/{proposal.pk}", at=at(5), view="split")
    assert f'id="say-{at(5)}"' in split


def test_a_comment_stands_below_its_line_and_in_the_list(
    pages: Client, proposal: Proposal, caregiver: Staff
) -> None:
    answer = say(pages, proposal)
    kept = LineComment.objects.get()
    assert answer.redirect_chain[-1][0] == f"/proposals/{proposal.pk}#comment-{kept.pk}"
    text = answer.content.decode()
    assert text.index(f'id="{at(5)}"') < text.index("Why none?") < text.index("Comments on lines")
    assert text.count("Why none?") == 2
    assert (kept.path, kept.side, kept.line, kept.digest, kept.by) == (
        PATH,
        "new",
        5,
        proposal.digest,
        caregiver,
    )
    assert AuditEvent.objects.filter(action="comment.add", object_id=str(kept.pk)).count() == 1


def test_hostile_words_are_only_words(pages: Client, proposal: Proposal) -> None:
    text = say(pages, proposal, HOSTILE).content.decode()
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "{{ 7|add:7 }}" in text


@pytest.mark.parametrize(
    "place",
    ["", "nothing", at(99), at(5, "o"), at(0), at(1, path="rules/disliked.py"), at(5) + "x"],
)
def test_there_is_no_place_but_the_lines_of_the_diff(
    pages: Client, proposal: Proposal, place: str
) -> None:
    assert say(pages, proposal, at=place).status_code == 404
    assert say(pages, proposal, " ", at=place).status_code == 404
    assert say(pages, proposal, at=place, digest="other").status_code == 404
    assert not LineComment.objects.exists()


def test_a_comment_needs_words_and_the_code_that_was_seen(
    pages: Client, proposal: Proposal
) -> None:
    assert say(pages, proposal, " \n").status_code == 422
    late = say(pages, proposal, "still here", digest="0" * 64)
    assert late.status_code == 409
    assert "still here" in late.content.decode()
    assert not LineComment.objects.exists()
    say(pages, proposal, "x" * (LONGEST_COMMENT + 5))
    assert len(LineComment.objects.get().text) == LONGEST_COMMENT


def test_nothing_more_is_said_once_it_is_decided(
    pages: Client, proposal: Proposal, caregiver: Staff
) -> None:
    now = timezone.now()
    reject_proposal(proposal_id=proposal.pk, actor=caregiver, reason="no", now=now)
    assert say(pages, proposal).status_code == 409
    assert not LineComment.objects.exists()


def test_a_comment_is_never_edited_but_settled(pages: Client, proposal: Proposal) -> None:
    say(pages, proposal)
    kept = LineComment.objects.get()
    with pytest.raises(Error, match="append-only"), transaction.atomic():
        LineComment.objects.update(text="Nothing")
    answer = pages.post(f"/comments/{kept.pk}/resolve", follow=True)
    assert "settled" in answer.content.decode()
    again = pages.post(f"/comments/{kept.pk}/resolve", follow=True)
    assert "settled it already" in again.content.decode()


def test_a_script_is_given_the_thread_and_the_list_alone(pages: Client, proposal: Proposal) -> None:
    fetched = pages.get(
        f"/proposals/{proposal.pk}/comments", {"at": at(5)}, headers={"X-Requested-With": "fetch"}
    ).content.decode()
    assert "<html" not in fetched
    assert f'id="thread-{at(5)}"' in fetched
    assert 'id="comments"' in fetched


def test_the_next_attempt_is_told_with_place_and_line(
    pages: Client,
    api: Api,
    person: MemoryUser,
    proposal: Proposal,
    caregiver: Staff,
    settings: Settings,
) -> None:
    settings.MODEL = {**settings.MODEL, "base_url": "http://127.0.0.1:9/v1", "models": {"": "m"}}
    api.append(person, fact("No shrimp for me"))
    now = timezone.now()
    need = Need.objects.create(
        user=person, fact_seq=1, cause="reading", needs="rule", noted_at=now, changed_at=now
    )
    needs_proposed(user=person, ids=[need.pk], proposal=proposal, now=now)

    def ask() -> None:
        request_changes(
            proposal_id=proposal.pk, digest=proposal.digest, actor=caregiver, comment=" ", now=now
        )

    with pytest.raises(ReasonMissing):
        ask()
    say(pages, proposal, "Name the shellfish")
    say(pages, proposal, "Never mind")
    done = LineComment.objects.get(text="Never mind")
    pages.post(f"/comments/{done.pk}/resolve")
    ask()
    material = next_material(person.pk, now=now)
    assert material is not None
    prompt = str(ask_for_code(material, most_tokens=24_000).instructions)
    assert f"{PATH}:5: `    return []`: Name the shellfish" in prompt
    assert "Never mind" not in prompt
