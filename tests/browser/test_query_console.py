"""The console in a real browser: run by key and by example, without leaving the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartSite
from tests.facts import allergy, trip

pytestmark = [pytest.mark.browser, pytest.mark.any_database]


def test_a_query_is_answered_on_the_page(
    start_site: StartSite, open_dashboard: Callable[[Site], Page]
) -> None:
    site = start_site()
    person = site.new_person("Ada")
    for number in range(1, 13):
        said = trip(f"Town {number}", f"2026-{number:02d}-01", country="Italy", status="done")
        site.post(f"users/{person}/facts", said)
    page = open_dashboard(site)
    page.goto(f"{site.url}/people/{person}?tab=query")

    code = page.get_by_label("Ask in Python")
    code.fill("[t for t in trips if t.departs_on and t.departs_on.month > 6]")
    code.press("Control+Enter")
    result = page.locator("#query-result")
    expect(result.locator("tbody tr")).to_have_count(6)
    expect(result).to_contain_text("6 records")
    expect(code).to_have_value("[t for t in trips if t.departs_on and t.departs_on.month > 6]")

    # What is typed and answered stays when the page brings itself up to date.
    site.post(f"users/{person}/facts", allergy("penicillin"))
    site.post(f"users/{person}/facts", {"text": "x", "readings": [
        {"kind": "health.Medication", "data": {"name": "Amoxicillin"}}]})  # fmt: skip
    expect(page.locator("#person-allergies")).to_contain_text("enicillin")
    expect(result.locator("tbody tr")).to_have_count(6)

    code.fill("trips[0].contry")
    page.get_by_role("button", name="Run").click()
    expect(result).to_contain_text("did you mean country?")
    expect(result.locator(".caret")).to_have_text("         ^^^^^^", use_inner_text=True)

    page.get_by_role("button", name="len(trips)").click()
    expect(result.locator(".value.large")).to_have_text("12")
    expect(code).to_have_value("len(trips)")
    assert page.url.endswith("?tab=query")
