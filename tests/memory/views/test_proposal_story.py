"""The review page tells who wrote a proposal and why, what it would raise, and what came before."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from memory.actions.needs import needs_proposed
from memory.evaluator import Would
from memory.models import MemoryUser, Need, Proposal, ProposalOrigin
from tests.api_client import HOST, Api
from tests.facts import fact
from tests.proposals import bought, proposed, with_files

HOSTILE = "<script>alert(1)</script>'\"&{{ 7|add:7 }}"


def finding(summary: str, **more: Any) -> dict[str, Any]:
    evidence = [{"kind": "notes.Note", "id": "f1-1", "data": {"text": "x"}, "facts": [1]}]
    words = dict.fromkeys(("key", "detail", "grade", "action"), "")
    said = {"rule": "mine", "severity": "warning", "summary": summary, "evidence": evidence}
    return {**words, "due": None, "basis": [], "unknown": [], **said, **more}


STEPS = [
    {
        "seq": 1,
        "on": "2026-03-06",
        "opened": [finding("Opened by the first")],
        "cleared": [],
        "left_out": 4,
    },
    {
        "seq": None,
        "on": "2026-04-01",
        "opened": [],
        "cleared": [finding("Over by today")],
        "gone": [finding("Said before")],
        "more": 2,
    },
]


@pytest.fixture
def pages(caregiver: Staff, settings: Settings) -> Client:
    """The pages as the reviewer sees them, on a site with a model."""
    address = "http://127.0.0.1:9/v1"
    settings.MODEL = {**settings.MODEL, "base_url": address, "models": {"": "small"}}
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    return client


def written(api: Api, person: MemoryUser, **more: Any) -> Proposal:
    """A model's proposal for a need of the only fact."""
    if not person.fact_seq:
        api.append(person, fact("No shrimp for me"))
        person.refresh_from_db()
    now = timezone.now()
    need = Need.objects.create(
        user=person, fact_seq=1, cause="reading", needs="rule", noted_at=now, changed_at=now
    )
    said = {
        "origin": ProposalOrigin.MODEL,
        "model": "small",
        "facts": [1],
        "provisional": Would((finding(HOSTILE),), {"other": "it took too long"}),
        "replay": STEPS,
        "attempts": [{"problem": f"types: {HOSTILE}", "tree": "0" * 64}],
    }
    made = proposed(person, with_files(person, {"rules/mine.py": "# mine\n"}), **(said | more))
    needs_proposed(user=person, ids=[need.pk], proposal=made, now=now)
    return made


def text_of(client: Client, proposal: Proposal) -> str:
    answer = client.get(f"/proposals/{proposal.pk}")
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def test_it_tells_who_wrote_it_why_and_what_was_sent_back(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    text = text_of(pages, written(api, person))
    assert "written by the model small" in text
    assert "No shrimp for me" in text
    assert "what was said has no place, or asks for a rule" in text
    assert "1 earlier answer was sent back" in text
    assert "types: &lt;script&gt;" in text
    assert HOSTILE not in text


def test_it_tells_what_its_rules_would_raise_and_would_have_raised(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    text = text_of(pages, written(api, person))
    assert "provisional: rule not yet approved" in text
    assert "it took too long" in text
    for words in (
        "6 Mar 2026",
        "Opened by the first",
        "4 earlier steps were not looked at",
        "Over by today",
        "Said before",
        "and 2 more",
    ):
        assert words in text


@pytest.mark.parametrize("origin", [ProposalOrigin.MODEL, ProposalOrigin.PERSON])
def test_what_stands_today_and_would_be_said_no_more_is_told_above_the_code(
    pages: Client, api: Api, person: MemoryUser, origin: ProposalOrigin
) -> None:
    text = text_of(pages, written(api, person, origin=origin))
    told = text.index("would be said no more")
    assert told < text.index("Said before") < text.index("What could fool you")
    files = with_files(person, {"rules/other.py": "# other\n"})
    other = proposed(person, files, origin=origin, replay=STEPS[:1])
    assert "would be said no more" not in text_of(pages, other)


def test_one_that_raises_nothing_says_so(pages: Client, api: Api, person: MemoryUser) -> None:
    text = text_of(pages, written(api, person, provisional=Would((), {}), replay=[]))
    assert "Nothing, as the records were" in text


def test_changes_are_asked_for_by_a_comment(pages: Client, api: Api, person: MemoryUser) -> None:
    proposal = written(api, person)
    where = f"/proposals/{proposal.pk}/changes"
    answer = pages.post(where, {"digest": proposal.digest, "comment": ""})
    assert answer.status_code == 422
    assert "Say in a few words what is to be changed" in answer.content.decode()
    answer = pages.post(where, {"digest": "0" * 64, "comment": "crab"}, follow=True)
    assert "not what this page had shown" in answer.content.decode()
    answer = pages.post(where, {"digest": proposal.digest, "comment": HOSTILE}, follow=True)
    text = answer.content.decode()
    assert "asked for changes" in text
    assert "&lt;script&gt;" in text
    assert HOSTILE not in text
    assert "Request changes" not in text
    answer = pages.post(where, {"digest": proposal.digest, "comment": "crab"}, follow=True)
    assert "nothing was changed" in answer.content.decode()


def test_the_next_attempt_tells_what_it_follows(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    first = written(api, person)
    pages.post(f"/proposals/{first.pk}/changes", {"digest": first.digest, "comment": "crab"})
    Need.objects.all().delete()
    second = written(api, person, follows=first.pk, comment="also crab")
    text = text_of(pages, second)
    assert f'href="/proposals/{first.pk}"' in text
    assert "also crab" in text
    assert "changes asked for" in text_of(pages, first)


def test_readings_of_facts_that_it_places_are_shown(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    note = {"fact": 1, "kind": "notes.Note", "id": "f1-1", "op": "assert"}
    ends = {**note, "id": "f0-1", "op": "retract", "data": {}}
    text = text_of(
        pages, written(api, person, placements=[{**note, "data": {"text": "No shrimp"}}, ends])
    )
    assert "Would become notes.Note" in text
    assert "would end" in text


def test_an_inferred_one_cannot_be_sent_back(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, bought("tea"))
    proposal = proposed(person)
    text = text_of(pages, proposal)
    assert "inferred from facts, without a model" in text
    assert "Request changes" not in text
    said = {"digest": proposal.digest, "comment": "crab"}
    answer = pages.post(f"/proposals/{proposal.pk}/changes", said, follow=True)
    assert "Nothing was changed" in answer.content.decode()


def test_the_replay_is_a_picture_of_the_rules_proposed_and_of_those_there_are(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    old = {"seq": 1, "on": "2026-02-01", "opened": [finding("Said by the old")], "cleared": []}
    end: dict[str, Any] = {"seq": None, "on": "2026-04-01", "opened": [], "cleared": []}
    new = {**old, "on": "2026-03-01", "opened": [finding(HOSTILE)]}
    text = text_of(pages, written(api, person, replay=[new, {**end, "before": [old, end]}]))
    assert text.count('<rect class="warning"') == 1
    assert text.count('<rect class="warning before"') == 1
    assert '<a href="#F1" aria-label="warning: Said by the old, from 1 Feb 2026' in text
    assert "as the rules are now" in text
    assert "<script>alert" not in text
