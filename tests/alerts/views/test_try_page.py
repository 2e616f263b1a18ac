"""Trying the rules: the real rules run over what was typed, and nothing is stored."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from alerts.models import Alert
from alerts.rerun.asked import DRUGS, LONGEST
from alerts.rerun.trying import Tried
from memory.library.reference import load
from memory.models import Fact, MemoryUser
from memory.rights import Role
from tests.alerts.staff_pages import HOSTILE, logged_in
from tests.staff import new_staff


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


def tried(pages: Client, **query: Any) -> Tried:
    answer = pages.get("/try", query)
    assert answer.status_code == 200, answer.content.decode()
    found = answer.context["tried"]
    assert isinstance(found, Tried)
    assert found.failed == {}
    return found


def of_rule(found: Tried, rule: str) -> list[Any]:
    return [one.finding for one in found.told if one.finding.rule == rule]


def test_the_empty_form_runs_nothing_and_shows_examples(pages: Client) -> None:
    answer = pages.get("/try")
    assert answer.context["tried"] is None
    assert b"drug=Augmentin" in answer.content


def test_every_example_on_the_page_can_be_tried(pages: Client) -> None:
    for _, query in pages.get("/try").context["examples"]:
        answer = pages.get(f"/try?{query}")
        assert answer.status_code == 200
        assert answer.context["tried"].failed == {}


def test_a_brand_is_tried_against_an_allergy_with_grade_and_rows(pages: Client) -> None:
    found = tried(
        pages, drug="Augmentin 875 mg", allergy="penicillin", reaction="hives", severity="severe"
    )
    (told,) = of_rule(found, "drug_allergy")
    assert (told.severity, told.grade) == ("critical", "same class")
    assert "class:penicillins" in told.basis
    brand, substance = found.names
    assert [one.row_id for one in brand.ingredients] == ["drug:amoxicillin", "drug:clavulanate"]
    assert brand.known
    assert substance.role == "allergy"


def test_how_bad_the_reaction_was_changes_the_grade(pages: Client) -> None:
    mild = tried(pages, drug="amoxicillin", allergy="penicillin", severity="mild")
    severe = tried(pages, drug="amoxicillin", allergy="penicillin", severity="severe")
    assert of_rule(mild, "drug_allergy")[0].severity == "warning"
    assert of_rule(severe, "drug_allergy")[0].severity == "critical"


def test_the_result_links_to_the_rows_and_the_rule(pages: Client) -> None:
    query = {"drug": "amoxicillin", "allergy": "penicillin"}
    text = pages.get("/try", query).content.decode()
    assert 'href="/tables/drug:amoxicillin"' in text
    assert 'href="/rules/drug_allergy"' in text
    assert "Medication: amoxicillin, status taking" in text


def test_an_unknown_name_is_not_checked_and_never_safe(pages: Client) -> None:
    answer = pages.get("/try", {"drug": "Zyrflonix", "allergy": "penicillin"})
    found = answer.context["tried"]
    assert [one.name for one in found.unchecked] == ["Zyrflonix"]
    assert of_rule(found, "drug_unknown")[0].grade == "not checked"
    alone = pages.get("/try", {"drug": "Zyrflonix"}).content.decode()
    assert "Not everything was checked" in alone
    assert "does not say that it is safe" in alone


def test_what_matches_nothing_says_so_without_calling_it_safe(pages: Client) -> None:
    answer = pages.get("/try", {"drug": "furosemide", "allergy": "sulfa"})
    assert answer.context["tried"].told == ()
    text = answer.content.decode()
    assert "No rule found anything" in text
    assert "does not say that it is safe" in text


def test_a_pair_of_the_tables_is_found_between_two_drugs(pages: Client) -> None:
    pairs = [row for row in load().rows.values() if row["type"] == "pair"]
    row, names = next((row, names) for row in pairs if (names := _drugs(row)))
    found = tried(pages, drug=list(names))
    assert row["id"] in {cited for one in of_rule(found, "drug_interaction") for cited in one.basis}


def _drugs(pair: Any) -> tuple[str, str] | None:
    """The name of a drug of each side, where both sides have one."""
    names = []
    for side in (pair["first"], pair["second"]):
        row = load().rows[side]
        members = row.get("members", [side])
        drug = next((one for one in members if one.startswith("drug:")), None)
        if drug is None:
            return None
        names.append(load().rows[drug]["names"][0])
    return (names[0], names[1]) if names[0] != names[1] else None


def test_nothing_is_stored_and_nobody_is_looked_at(pages: Client, person: MemoryUser) -> None:
    tried(pages, drug="amoxicillin", allergy="penicillin")
    assert not Fact.objects.exists()
    assert not Alert.objects.exists()


def test_what_was_typed_stands_in_the_form_again_as_text(pages: Client) -> None:
    text = pages.get("/try", {"drug": HOSTILE, "allergy": '"><b>'}).content.decode()
    assert HOSTILE not in text
    assert 'value="&lt;img src=x onerror=alert(1)&gt;"' in text
    assert "<b>" not in text.partition("</form>")[0].partition('name="allergy"')[2]


@pytest.mark.parametrize(
    "query",
    [
        {"drug": ["aspirin"] * (DRUGS + 1)},
        {"drug": "a" * (LONGEST + 1)},
        {"drug": "aspirin", "reaction": "x" * (LONGEST + 1)},
    ],
)
def test_too_much_is_refused_with_what_is_allowed(pages: Client, query: Any) -> None:
    answer = pages.get("/try", query)
    assert answer.status_code == 400
    assert answer.context["tried"] is None
    assert "At most" in answer.content.decode() or "characters" in answer.content.decode()


@pytest.mark.parametrize("odd", ["\0", "...", "‮evil", "ß" * 100, "'; drop", "{{ 7 }}"])
def test_odd_texts_break_nothing(pages: Client, odd: str) -> None:
    query = {"drug": [odd, odd], "allergy": odd, "intake": odd, "severity": odd, "pregnancy": odd}
    assert pages.get("/try", query).status_code == 200


def test_a_reviewer_may_try_and_an_auditor_may_not(transactional_db: None) -> None:
    assert logged_in(new_staff("reviewer", Role.REVIEWER)).get("/try").status_code == 200
    assert logged_in(new_staff("auditor", Role.AUDITOR)).get("/try").status_code == 403
