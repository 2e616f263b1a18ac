"""The history of a person's code: versions, their files, and who brought each line."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from memory import forgetting
from memory.actions.needs import needs_proposed
from memory.code_history import blamed
from memory.evaluator import Would
from memory.models import AuditEvent, MemoryUser, Need, Proposal, ProposalOrigin
from memory.project.review.blame import Brought
from memory.project.review.source import SOURCES
from memory.project.review.tree import key_of
from memory.project.shipped import baseline
from memory.rights import Role
from tests.api_client import HOST, Api
from tests.facts import allergy, fact
from tests.proposals import approved, bought, proposed, with_files
from tests.staff import new_staff

RULE = "rules/mine.py"
ONE = "first = 1\nsecond = 2\n"
TWO = "first = 1\nbetween = 1.5\nsecond = 2\n"
SHIPPED = "rules/drug_allergy.py"
HOSTILE = "x = '<script>alert(1)</script>{{ 7|add:7 }}'  # \u202e </td></table>\n"


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as a caregiver who reviews too sees them."""
    return logged_in(caregiver)


def logged_in(staff: Staff) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(staff)
    return client


def version(person: MemoryUser, staff: Staff, files: Mapping[str, str], **more: Any) -> Proposal:
    """Another version, with these files in place of the person's."""
    made = proposed(person, with_files(person, files), **more)
    approved(made, staff)
    return made


def text_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())


def file(person: MemoryUser, number: int, path: str, what: str = "") -> str:
    return f"/people/{person.pk}/code/{number}/{key_of(path)}{what}"


def finding(summary: str) -> dict[str, Any]:
    words = dict.fromkeys(("key", "detail", "grade", "action"), "")
    said = {"rule": "mine", "severity": "warning", "summary": summary, "evidence": []}
    return {**words, "basis": [], "unknown": [], "due": None, **said}


def test_a_version_tells_who_when_why_and_what_came_of_it(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, fact("No shrimp for me"))
    now = timezone.now()
    need = Need.objects.create(
        user=person, fact_seq=1, cause="reading", needs="rule", noted_at=now, changed_at=now
    )
    end: dict[str, Any] = {"seq": None, "on": "2026-03-01", "opened": [], "cleared": []}
    made = proposed(
        person,
        with_files(person, {RULE: ONE}),
        origin=ProposalOrigin.MODEL,
        reason="Shrimp was spoken of",
        provisional=Would((finding("Shrimp on Friday"),), {}),
        replay=[{**end, "gone": [finding("Crab on Monday")]}],
    )
    needs_proposed(user=person, ids=[need.pk], proposal=made, now=now)
    approved(made, caregiver)
    text = text_of(pages, f"/people/{person.pk}/code")
    assert "approved by <b><bdi>caregiver</bdi></b>" in text
    assert "Shrimp was spoken of" in text
    assert "No shrimp for me" in text
    assert f'href="/proposals/{made.pk}"' in text
    assert f'href="{file(person, 1, RULE)}"' in text
    gained, lost = text.index("Shrimp on Friday"), text.index("Crab on Monday")
    assert text.rindex(">gained<", 0, gained) > text.rindex("Files", 0, gained)
    assert text.rindex(">lost<", 0, lost) > gained
    assert '<a href="#v1" aria-label="Version 1">' in text


def test_both_of_two_approvers_are_named(
    pages: Client, person: MemoryUser, caregiver: Staff, settings: Settings
) -> None:
    settings.TWO_APPROVALS = frozenset({"all"})
    made = proposed(person, with_files(person, {RULE: ONE}))
    for staff in (caregiver, new_staff("second", Role.REVIEWER)):
        approved(made, staff)
    text = text_of(pages, f"/people/{person.pk}/code")
    assert text.index("<bdi>caregiver</bdi>") < text.index("<bdi>second</bdi>")
    blame = text_of(pages, file(person, 1, RULE, "/blame"))
    assert "<bdi>caregiver</bdi>" in blame
    assert "<bdi>second</bdi>" in blame


def test_an_earlier_version_leads_to_its_restoring(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    for text in (ONE, TWO):
        version(person, caregiver, {RULE: text})
    listed = text_of(pages, f"/people/{person.pk}/code")
    restore = [f"/people/{person.pk}/code/versions/{number}/restore" for number in (1, 2)]
    assert [f'href="{one}"' in listed for one in restore] == [True, False]


def test_the_versions_lie_on_a_line_and_any_two_are_compared(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    for text in (ONE, TWO, ONE):
        version(person, caregiver, {RULE: text})
    listed = text_of(pages, f"/people/{person.pk}/code")
    assert [f'href="#v{n}"' in listed for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert listed.count("<option") == 6
    back = text_of(pages, f"/people/{person.pk}/code/compare?from=2&to=1")
    assert '<tr class="delete">' in back
    assert '<option value="2" selected>' in back
    assert "No file differs" in text_of(pages, f"/people/{person.pk}/code/compare?from=3&to=1")


def test_older_versions_are_on_a_page_of_their_own(
    pages: Client, person: MemoryUser, caregiver: Staff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.views.code.SHOWN", 2)
    for text in (ONE, TWO, ONE):
        version(person, caregiver, {RULE: text})
    address = f"/people/{person.pk}/code"
    newest = text_of(pages, address)
    assert ('id="v3"' in newest, 'id="v1"' in newest) == (True, False)
    assert 'href="?before=2"' in newest
    older = text_of(pages, f"{address}?before=2")
    assert ('id="v3"' in older, 'id="v1"' in older) == (False, True)
    assert "That everyone shares" in older


def test_the_list_needs_as_many_queries_for_many_versions_as_for_one(
    pages: Client,
    api: Api,
    person: MemoryUser,
    caregiver: Staff,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Any,
) -> None:
    monkeypatch.setattr(forgetting, "LOOK_SECONDS", float("inf"))  # else a query every few seconds
    api.append(person, bought("tea"))
    version(person, caregiver, {RULE: ONE})
    text_of(pages, f"/people/{person.pk}/code")
    with CaptureQueriesContext(connection) as asked:
        text_of(pages, f"/people/{person.pk}/code")
    count = len(asked)
    for text in (TWO, ONE, TWO, ONE):
        version(person, caregiver, {RULE: text})
    text_of(pages, f"/people/{person.pk}/code")
    with django_assert_num_queries(count):
        text_of(pages, f"/people/{person.pk}/code")


def test_a_version_is_browsed_file_by_file(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    version(person, caregiver, {RULE: ONE})
    version(person, caregiver, {RULE: TWO})
    tree = text_of(pages, f"/people/{person.pk}/code/1")
    assert f'href="{file(person, 1, RULE)}"' in tree
    assert f'href="{file(person, 1, SHIPPED)}"' in tree
    first, second = (text_of(pages, file(person, n, RULE)) for n in (1, 2))
    assert ("between" in first, "between" in second) == (False, True)
    assert '<tr id="L2"><td class="n"><a href="#L2" aria-label="Line 2">2</a></td>' in second
    assert '<span class="n">between</span>' in second
    shared = text_of(pages, file(person, 0, SHIPPED))
    assert "The baseline" in shared
    assert pages.get(file(person, 0, RULE)).status_code == 404


def test_each_line_says_which_version_brought_it(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    version(person, caregiver, {RULE: ONE})
    second = version(person, caregiver, {RULE: TWO, SHIPPED: baseline().files[SHIPPED] + "# x\n"})
    assert [one.version for one in blamed(person, 2, RULE)] == [1, 2, 1]
    *shared, last = blamed(person, 2, SHIPPED)
    assert {*shared} == {Brought(0, shared=True)}
    assert last == Brought(2, shared=False)
    assert [one.version for one in blamed(person, 1, RULE)] == [1, 1]
    text = text_of(pages, file(person, 2, RULE, "/blame"))
    assert text.count('<tbody class="run">') == 3
    assert f'<a href="/proposals/{second.pk}" title="Kinds for what was bought">v2</a>' in text
    assert "<bdi>caregiver</bdi>" in text
    mixed = text_of(pages, file(person, 2, SHIPPED, "/blame"))
    assert mixed.count('<tbody class="run">') == 2
    assert '<span class="muted">baseline</span>' in mixed


def test_a_file_is_given_as_it_is_and_as_text_alone(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    version(person, caregiver, {RULE: HOSTILE})
    answer = pages.get(file(person, 1, RULE, "/raw"))
    assert answer.content.decode() == HOSTILE
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("what", ["", "/blame"])
def test_hostile_code_is_shown_as_text(
    pages: Client, person: MemoryUser, caregiver: Staff, what: str
) -> None:
    version(person, caregiver, {RULE: HOSTILE, "rules/<img src=x>.py": HOSTILE})
    text = text_of(pages, file(person, 1, RULE, what))
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "U+202E" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "1 odd character<" in text


def test_a_megabyte_in_one_line_is_a_small_page(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    version(person, caregiver, {RULE: f'x = "{"y" * 2**20}"\n'})
    for what in ("", "/blame"):
        text = text_of(pages, file(person, 1, RULE, what))
        assert len(text) < 60_000
        assert "characters, of which the first 2,000 are shown" in text


def test_a_source_is_highlighted_once(pages: Client, person: MemoryUser) -> None:
    SOURCES.clear()
    for what in ("", "", "/blame"):
        text_of(pages, file(person, 0, SHIPPED, what))
    assert len(SOURCES._kept) == 1


def names(answer: Any) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_a_version_is_taken_away_without_a_record(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, allergy("quixotamol"))
    version(person, caregiver, {RULE: ONE})
    version(person, caregiver, {RULE: TWO})
    answer = pages.get(f"/people/{person.pk}/code/1/zip")
    assert answer["Content-Disposition"] == f'attachment; filename="{person.pk}-version-1.zip"'
    found = names(answer)
    assert found[RULE] == ONE
    assert not any("quixotamol" in text for text in found.values())


def test_the_active_code_is_taken_away_with_the_records_as_an_app_gets_it(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("quixotamol"))
    answer = pages.get(f"/people/{person.pk}/code/zip")
    assert answer.content == api.get(f"users/{person.pk}/code.zip").content
    assert "quixotamol" in names(answer)["domains/health/state.py"]


def test_records_are_not_for_who_may_see_code_alone(api: Api, person: MemoryUser) -> None:
    client = logged_in(new_staff("reviewer", Role.REVIEWER))
    assert client.get(f"/people/{person.pk}/code/zip").status_code == 404
    assert client.get(f"/people/{person.pk}/code/0/zip").status_code == 200
    assert "Download with the records" not in text_of(client, f"/people/{person.pk}/code")


def test_what_was_looked_at_and_taken_away_is_in_the_audit(
    pages: Client, person: MemoryUser, caregiver: Staff
) -> None:
    version(person, caregiver, {RULE: ONE})
    for where in ("", "/zip"):
        pages.get(f"/people/{person.pk}/code/1{where}")
    pages.get(file(person, 1, RULE, "/blame"))
    pages.get(f"/people/{person.pk}/code/zip")
    read = AuditEvent.objects.filter(action="read", person_id=person.pk).order_by("pk")
    assert list(read.values_list("object_kind", flat=True)) == [
        "version", "version_zip", "version_blame", "code_zip",
    ]  # fmt: skip


@pytest.mark.parametrize("where", ["9", "9/zip", "99999999999999999999", "1/nothing", "1/x/raw"])
def test_what_is_not_there_is_not_found(
    pages: Client, person: MemoryUser, caregiver: Staff, where: str
) -> None:
    version(person, caregiver, {RULE: ONE})
    assert pages.get(f"/people/{person.pk}/code/{where}").status_code == 404
