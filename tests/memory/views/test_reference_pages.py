"""The reference tables on pages: browse, search, one row, and how old it all is."""

from __future__ import annotations

import re
import time

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from memory.library.reference import load
from memory.rights import Role
from memory.templatetags.reference import web_address
from memory.views.reference_index import index, is_reviewed, mentions
from memory.views.reference_words import row_words, title_of
from tests.alerts.staff_pages import HOSTILE, logged_in, text_of
from tests.api_client import HOST
from tests.staff import new_staff


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


def found(pages: Client, **query: str) -> list[str]:
    answer = pages.get("/tables", query)
    assert answer.status_code == 200
    return [line.row["id"] for line in answer.context["lines"]]


# Search


@pytest.mark.parametrize(
    ("sought", "first"),
    [
        ("amoxicillin", "drug:amoxicillin"),
        ("AMOXICILLIN ", "drug:amoxicillin"),
        ("penicillins", "class:penicillins"),
        ("PCN", "drug:penicillin"),
        ("class:penicillins", "class:penicillins"),
        ("drug:furosemide", "drug:furosemide"),
    ],
)
def test_the_row_of_exactly_this_name_comes_first(pages: Client, sought: str, first: str) -> None:
    assert found(pages, q=sought)[0] == first


def test_a_brand_with_strength_and_form_is_found(pages: Client) -> None:
    ids = found(pages, q="Augmentin 875 mg tablet")
    assert any("drug:clavulanate" in (load().rows[one].get("ingredients") or ()) for one in ids)


def test_a_class_finds_its_members(pages: Client) -> None:
    members = index().search("penicillins")
    assert "drug:amoxicillin" in [row["id"] for row in members]


def test_rows_that_name_another_can_be_asked_for(pages: Client) -> None:
    ids = [row["id"] for row in index().search(within="class:penicillins", type_="drug")]
    assert "drug:amoxicillin" in ids
    assert all("class:penicillins" in mentions(load().rows[one]) for one in ids)
    assert found(pages, **{"in": "class:penicillins", "type": "drug"}) == ids[:50]
    assert found(pages, **{"in": "class:nothing"}) == []


def test_types_and_files_narrow_the_search(pages: Client) -> None:
    assert all(one.startswith("class:") for one in found(pages, type="class"))
    rows = [load().row(one) for one in found(pages, file="drugs.toml")]
    assert {row["file"] for row in rows if row} == {"drugs.toml"}
    assert found(pages, type="nonsense") == found(pages)


def test_what_is_not_there_is_said_not_to_be_safe(pages: Client) -> None:
    text = text_of(pages, "/tables", q="Zyrflonix")
    assert "No row is called" in text
    assert "never taken for safe" in text


def test_pages_keep_what_was_asked(pages: Client) -> None:
    text = text_of(pages, "/tables", q="a", type="drug")
    assert 'href="?q=a&amp;type=drug&amp;page=2"' in text
    assert not set(found(pages, q="a")) & set(found(pages, q="a", page="2"))
    assert found(pages, page="999999999999") == found(pages, page="x")[:0] or found(pages)


@pytest.mark.parametrize("odd", ["\0", "%", "'", "x" * 5_000, "‮", HOSTILE])
def test_odd_words_break_nothing_and_stay_text(pages: Client, odd: str) -> None:
    answer = pages.get("/tables", {"q": odd, "type": odd, "file": odd, "in": odd, "page": odd})
    assert answer.status_code == 200
    assert HOSTILE not in answer.content.decode()


def test_a_search_of_the_whole_table_is_quick() -> None:
    index()
    started = time.perf_counter()
    index().search("a name that is in no row")
    assert time.perf_counter() - started < 1.0


# What a page says


def test_every_row_has_a_title_and_words() -> None:
    for row_id in load().rows:
        row = load().row(row_id)
        assert row is not None
        assert title_of(row).strip()
        assert row_words(row).strip()


def test_words_tell_what_a_row_is_to_an_alert() -> None:
    tables = load()
    amoxicillin = tables.row("drug:amoxicillin")
    assert amoxicillin
    assert row_words(amoxicillin) == "amoxicillin: drug, one of the penicillins"
    for row in tables.rows.values():
        if row["type"] in ("pair", "caution"):
            assert row["effect"] in row_words(row)
        if row["type"] == "cross":
            assert row_words(row) == row["note"]


def test_one_row_of_every_type_has_a_page(pages: Client) -> None:
    by_type = {row["type"]: row_id for row_id, row in load().rows.items()}
    for row_id in by_type.values():
        row = load().row(row_id)
        assert row is not None
        answer = pages.get(f"/tables/{row_id}")
        assert answer.status_code == 200
        text = answer.content.decode()
        assert row["file"] in text
        assert load().files[row["file"]].sources[row["source"]].title in _plain(text)
        for other in mentions(row):
            assert f'href="/tables/{other}"' in text


def _plain(text: str) -> str:
    return text.replace("&#x27;", "'").replace("&amp;", "&").replace("&quot;", '"')


def test_a_row_leads_to_those_that_name_it(pages: Client) -> None:
    text = text_of(pages, "/tables/drug:clavulanate")
    assert "Products that contain it" in text
    assert 'href="/tables/product:co-amoxiclav"' in text


def test_a_drug_leads_to_the_interactions_of_its_groups(pages: Client) -> None:
    groups = [row for row in load().rows.values() if row["type"] == "group"]
    for group in groups:
        named_by = index().mentioned_by.get(group["id"], ())
        pairs = [one for one in named_by if one.startswith("pair:")]
        drugs = [one for one in group["members"] if one.startswith("drug:")]
        if pairs and drugs:
            assert f'href="/tables/{pairs[0]}"' in text_of(pages, f"/tables/{drugs[0]}")
            return
    pytest.fail("no group of drugs has an interaction")


def test_the_age_is_shown_and_that_nobody_has_reviewed(pages: Client) -> None:
    answer = pages.get("/tables")
    text = answer.content.decode()
    oldest = min(one.date for one in load().files.values())
    assert answer.context["oldest_days"] == (timezone.localdate() - oldest).days
    unreviewed = [one for one in load().files.values() if not is_reviewed(one.reviewer)]
    assert ("No pharmacist has reviewed" in text) == bool(unreviewed)
    for file in load().files.values():
        assert file.reviewer in text


def test_a_row_that_is_not_there_is_not_found(pages: Client) -> None:
    for row_id in ("drug:nothing", "nothing", "drug:", HOSTILE):
        assert pages.get(f"/tables/{row_id}").status_code == 404


def test_only_staff_with_a_role_for_it_may_look(outsider: Staff) -> None:
    assert logged_in(outsider).get("/tables").status_code == 403
    assert logged_in(outsider).get("/tables/drug:amoxicillin").status_code == 404
    assert Client(SERVER_NAME=HOST).get("/tables").status_code == 302
    assert logged_in(new_staff("reviewer", Role.REVIEWER)).get("/tables").status_code == 200
    assert logged_in(new_staff("admin", Role.ADMIN)).get("/tables").status_code == 403


def test_the_navigation_has_an_entry_for_those_who_may(pages: Client) -> None:
    text = text_of(pages, "/people")
    assert re.search(r'<a href="/rules">Rules</a>\s*<a href="/tables">Tables</a>', text)
    admin = text_of(logged_in(new_staff("admin", Role.ADMIN)), "/data")
    assert 'href="/tables"' not in admin


@pytest.mark.parametrize(
    ("reference", "address"),
    [
        ("doi:10.3390/pharmacy7030103, PMID 31362351", "https://doi.org/10.3390/pharmacy7030103"),
        ("https://www.nlm.nih.gov/mesh/", "https://www.nlm.nih.gov/mesh/"),
        ("ISBN 9781264687343", ""),
        ("javascript:alert(1)", ""),
    ],
)
def test_a_reference_becomes_a_link_where_it_holds_an_address(reference: str, address: str) -> None:
    assert web_address(reference) == address
