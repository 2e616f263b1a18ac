"""The page of a proposal, and what staff decide there."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import CodeVersion, MemoryUser, Proposal, ProposalStatus, Waiting
from tests.api_client import HOST, Api
from tests.facts import allergy, fact, reading
from tests.people import new_person
from tests.queue import deliver_all

HOSTILE = "<script>alert(1)</script>\u202e'\"&{{ 7|add:7 }}"


def logged_in(staff: Staff, **options: Any) -> Client:
    client = Client(SERVER_NAME=HOST, **options)
    client.force_login(staff)
    return client


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


def bought(item: str, **more: Any) -> dict[str, Any]:
    return fact(f"I bought {item}", reading("shop.Purchase", item=item, **more))


@pytest.fixture
def proposal(api: Api, person: MemoryUser) -> Proposal:
    """An open proposal for two purchases."""
    api.append(person, bought("tea"), bought("milk"))
    deliver_all()
    return Proposal.objects.open().get(user=person)


def text_of(client: Client, address: str, **query: str) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def post(client: Client, proposal: Proposal, what: str, **form: str) -> Any:
    return client.post(f"/proposals/{proposal.pk}/{what}", form, follow=True)


def test_the_page_shows_what_a_decision_needs(pages: Client, proposal: Proposal) -> None:
    text = text_of(pages, f"/proposals/{proposal.pk}")
    assert "New kind shop.Purchase from 2 facts" in text
    assert "domains/shop/schema.py" in text
    assert '<span class="nc">Purchase</span>' in text
    assert "5 of 5 checks" in text
    assert "rules and tests, each 5 s and 128 MiB; all records 10 s and 512 MiB" in text
    assert "I bought tea" in text
    assert f'name="digest" value="{proposal.digest}"' in text
    assert "waits for a decision" in text
    assert "allergies: none recorded" in text


def test_the_navigation_counts_what_waits(pages: Client, proposal: Proposal) -> None:
    assert 'title="what waits for a decision">1<' in text_of(pages, "/people")
    listed = text_of(pages, "/proposals")
    assert f'href="/proposals/{proposal.pk}"' in listed
    assert "Ada" in listed


def test_an_empty_list_says_when_it_fills(pages: Client) -> None:
    assert "Nothing waits for a decision" in text_of(pages, "/proposals")
    assert "Nothing has been decided yet" in text_of(pages, "/proposals", status="decided")


def test_an_approval_makes_the_code_active_and_places_what_waited(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff, proposal: Proposal
) -> None:
    answer = post(pages, proposal, "approve", digest=proposal.digest)
    assert "Approved: the code is active for this person from now on." in answer.content.decode()
    version = CodeVersion.objects.get(user=person)
    assert (version.number, version.approved_by, version.tree_id) == (1, caregiver, proposal.digest)
    assert len(api.records(person, "shop.Purchase")) == 2
    state = text_of(pages, f"/people/{person.pk}", tab="state")
    assert "shop.Purchase" in state
    assert "tea" in state


def test_an_approval_is_bound_to_what_the_page_had_shown(
    pages: Client, person: MemoryUser, proposal: Proposal
) -> None:
    answer = post(pages, proposal, "approve", digest="0" * 64)
    assert "decide anew" in answer.content.decode()
    proposal.refresh_from_db()
    assert proposal.status == ProposalStatus.OPEN
    assert not CodeVersion.objects.exists()


def test_a_rejection_needs_a_reason(pages: Client, proposal: Proposal) -> None:
    answer = post(pages, proposal, "reject", reason="  ")
    assert answer.status_code == 422
    assert "Say in a few words why it is rejected." in answer.content.decode()
    proposal.refresh_from_db()
    assert proposal.status == ProposalStatus.OPEN


def test_a_rejection_is_kept_with_its_reason_and_the_facts_go_on_waiting(
    pages: Client, person: MemoryUser, proposal: Proposal
) -> None:
    text = post(pages, proposal, "reject", reason="Use one kind for all shops").content.decode()
    assert "Rejected: nothing has changed" in text
    assert "Use one kind for all shops" in text
    assert "by <b><bdi>caregiver</bdi></b>" in text
    assert "Approve</button>" not in text
    assert Waiting.objects.filter(user=person).count() == 2
    assert "Use one kind for all shops" in text_of(pages, f"/people/{person.pk}/code")


@pytest.mark.parametrize("what", ["approve", "reject"])
def test_who_comes_second_is_told_and_changes_nothing(
    pages: Client, proposal: Proposal, what: str
) -> None:
    post(pages, proposal, "approve", digest=proposal.digest)
    answer = post(pages, proposal, what, digest=proposal.digest, reason="no")
    assert "has been approved meanwhile; nothing was changed" in answer.content.decode()
    proposal.refresh_from_db()
    assert (proposal.status, proposal.decision_reason) == (ProposalStatus.APPROVED, "")
    assert CodeVersion.objects.count() == 1


def test_a_superseded_proposal_leads_to_the_newest_and_cannot_be_decided(
    pages: Client, api: Api, person: MemoryUser, proposal: Proposal
) -> None:
    api.append(person, bought("bread", price=3))
    deliver_all()
    newest = Proposal.objects.open().get(user=person)
    text = text_of(pages, f"/proposals/{proposal.pk}")
    assert f'href="/proposals/{newest.pk}"' in text
    assert "Approve</button>" not in text
    answer = post(pages, proposal, "approve", digest=proposal.digest)
    assert "superseded meanwhile" in answer.content.decode()
    assert not CodeVersion.objects.exists()


def test_the_earlier_rejection_is_in_view_when_the_next_comes(
    pages: Client, api: Api, person: MemoryUser, proposal: Proposal
) -> None:
    post(pages, proposal, "reject", reason="too coarse")
    api.append(person, bought("bread", price=3))
    deliver_all()
    newest = Proposal.objects.open().get(user=person)
    assert "too coarse" in text_of(pages, f"/proposals/{newest.pk}")


def test_what_has_no_place_is_shown_with_its_reason(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    wide = {f"x{number}": 1 for number in range(201)}
    api.append(person, bought("tea"), fact("Off we went", reading("shop.Gift", **wide)))
    deliver_all()
    found = Proposal.objects.open().get(user=person)
    text = text_of(pages, f"/proposals/{found.pk}")
    assert "Goes on waiting" in text
    assert "Off we went" in text
    assert "200 are the most" in text


def test_a_failed_check_is_visible_and_cannot_be_approved(
    pages: Client, proposal: Proposal
) -> None:
    checks = [{"name": "types", "ok": False, "detail": "error[x]: <b>", "seconds": 0.1}]
    Proposal.objects.filter(pk=proposal.pk).update(status=ProposalStatus.FAILED, checks=checks)
    text = text_of(pages, f"/proposals/{proposal.pk}")
    assert "error[x]: &lt;b&gt;" in text
    assert "did not pass its checks" in text
    assert "Approve</button>" not in text
    post(pages, proposal, "approve", digest=proposal.digest)
    assert not CodeVersion.objects.exists()


def test_hostile_words_are_only_words(pages: Client, api: Api) -> None:
    person = new_person(name=HOSTILE)
    data = {HOSTILE: HOSTILE, "item": HOSTILE, "parts": [{HOSTILE: HOSTILE}]}
    said = {"kind": "shop.Purchase", "op": "assert", "data": data}
    api.append(person, {"text": HOSTILE, "readings": [said]})
    api.append(person, fact(HOSTILE, reading("shop.Trip", x=HOSTILE)))
    deliver_all()
    found = Proposal.objects.open().get(user=person)
    version = f"/people/{person.pk}/code"
    for address in (f"/proposals/{found.pk}", "/proposals", version, f"/people/{person.pk}"):
        text = text_of(pages, address)
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
    post(pages, found, "approve", digest=found.digest)
    assert "<script>alert" not in text_of(pages, f"{version}/compare", **{"from": "0", "to": "1"})
    assert "<script>alert" not in text_of(pages, version)


@pytest.mark.parametrize("where", ["", "/approve", "/reject"])
def test_absent_and_forbidden_look_alike(
    pages: Client, outsider: Staff, proposal: Proposal, where: str
) -> None:
    def ask(client: Client, proposal_id: uuid.UUID) -> Any:
        address = f"/proposals/{proposal_id}{where}"
        return client.post(address, {"reason": "x"}) if where else client.get(address)

    absent, forbidden = ask(pages, uuid.uuid4()), ask(logged_in(outsider), proposal.pk)
    assert (absent.status_code, forbidden.status_code) == (404, 404)


def test_an_outsider_sees_no_list_and_no_code(
    outsider: Staff, person: MemoryUser, proposal: Proposal
) -> None:
    client = logged_in(outsider)
    assert client.get("/proposals").status_code == 403
    assert client.get(f"/people/{person.pk}/code").status_code == 404
    assert client.get(f"/people/{person.pk}/code/compare?from=0&to=1").status_code == 404


def test_a_stranger_is_asked_to_log_in(proposal: Proposal) -> None:
    client = Client(SERVER_NAME=HOST)
    for address in ("/proposals", f"/proposals/{proposal.pk}"):
        assert client.get(address).status_code == 302
    assert client.post(f"/proposals/{proposal.pk}/approve").status_code == 302


@pytest.mark.parametrize("what", ["approve", "reject"])
def test_a_decision_from_elsewhere_is_refused(
    caregiver: Staff, proposal: Proposal, what: str
) -> None:
    client = logged_in(caregiver, enforce_csrf_checks=True)
    form = {"digest": proposal.digest, "reason": "x"}
    assert client.post(f"/proposals/{proposal.pk}/{what}", form).status_code == 403
    assert client.get(f"/proposals/{proposal.pk}/{what}").status_code == 405
    proposal.refresh_from_db()
    assert proposal.status == ProposalStatus.OPEN


def test_the_person_page_says_how_much_waits_and_leads_to_the_proposal(
    pages: Client, api: Api, person: MemoryUser, proposal: Proposal
) -> None:
    text = text_of(pages, f"/people/{person.pk}")
    assert f'href="/proposals/{proposal.pk}"' in text
    assert "2 readings wait for approval" in text
    post(pages, proposal, "approve", digest=proposal.digest)
    assert "for approval" not in text_of(pages, f"/people/{person.pk}")


def test_versions_are_listed_with_who_approved_them_and_can_be_compared(
    pages: Client, api: Api, person: MemoryUser, proposal: Proposal
) -> None:
    post(pages, proposal, "approve", digest=proposal.digest)
    api.append(person, bought("bread", price=3))
    deliver_all()
    second = Proposal.objects.open().get(user=person)
    post(pages, second, "approve", digest=second.digest)
    address = f"/people/{person.pk}/code"
    text = text_of(pages, address)
    assert "New kind shop.Purchase" in text
    assert "Wider kind shop.Purchase" in text
    assert "approved by <b><bdi>caregiver</bdi></b>" in text
    assert f'href="{address}/compare?from=1&amp;to=2"' in text
    compared = text_of(pages, f"{address}/compare", **{"from": "1", "to": "2"})
    assert "price" in compared
    assert 'class="insert"' in compared
    with_baseline = text_of(pages, f"{address}/compare", **{"from": "0", "to": "2", "lines": "all"})
    assert '<span class="plus">new</span>' in with_baseline


@pytest.mark.parametrize("query", ["", "?from=1", "?from=0&to=9", "?from=x&to=1", "?from=9&to=1"])
def test_versions_that_are_not_there_cannot_be_compared(
    pages: Client, person: MemoryUser, proposal: Proposal, query: str
) -> None:
    post(pages, proposal, "approve", digest=proposal.digest)
    assert pages.get(f"/people/{person.pk}/code/compare{query}").status_code == 404


def test_a_person_nothing_is_known_of_has_a_page_of_code(pages: Client, person: MemoryUser) -> None:
    text = text_of(pages, f"/people/{person.pk}/code")
    assert "That everyone shares" in text
    assert "health.Allergy" in text


def test_pages_need_few_queries_however_much_waits(
    pages: Client, api: Api, person: MemoryUser, django_assert_max_num_queries: Any
) -> None:
    api.append(person, allergy("nuts"), *(bought(f"thing {n}") for n in range(120)))
    api.append(person, *(fact(f"Trip {n}", reading("shop.Trip", x=n)) for n in range(60)))
    deliver_all()
    found = Proposal.objects.open().get(user=person)
    with django_assert_max_num_queries(40):
        text = text_of(pages, f"/proposals/{found.pk}")
    assert "The first 20 are shown." in text
    with django_assert_max_num_queries(30):
        text_of(pages, f"/people/{person.pk}/code")
