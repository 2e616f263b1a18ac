"""Facts of an unknown kind come in, their code is looked at and approved, and they are records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS, Site, StartSite

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]


def bought(number: int, item: str, price: str) -> dict[str, Any]:
    data = {"id": number, "item": item, "price": price}
    return {"text": f"Bought {item}.", "readings": [{"kind": "shop.Purchase", "data": data}]}


def wait_for_the_proposal(page: Page, address: str) -> None:
    """Look again until the worker has made it."""
    for _ in range(PATIENCE_MS // 250):
        page.goto(address)
        link = page.locator("#person-waits a", has_text="for approval")
        if link.count():
            link.click()
            return
        page.wait_for_timeout(250)
    raise AssertionError("no proposal was made")


def test_facts_of_an_unknown_kind_become_records_by_a_click(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site(worker=True, UAC_DEMO_WITHOUT_SECOND_FACTOR="true")
    site.grant("caregiver", "reviewer")
    person = site.new_person("Ada")
    facts = [bought(1, "tea", "2.50"), bought(2, "a lamp", "40.00")]
    answer = site.post(f"users/{person}/facts", {"facts": facts})
    assert [one["readings"][0]["effect"] for one in answer["facts"]] == ["waiting"] * 2
    page = open_dashboard(site)

    wait_for_the_proposal(page, f"{site.url}/people/{person}")

    expect(page.get_by_role("article", name="domains/shop/schema.py")).to_contain_text(
        "class Purchase:"
    )
    expect(page.get_by_role("listitem").filter(has_text="types")).to_contain_text("passed")
    page.get_by_text("Would become shop.Purchase").click()
    expect(page.get_by_role("row", name="Bought a lamp.")).to_contain_text("40.00")
    expect(page.get_by_text("? keys")).to_be_visible()  # the script listens
    page.keyboard.press("r")
    expect(page.get_by_label("Why is it rejected?")).to_be_focused()
    page.get_by_text("Reject…").click()
    page.get_by_role("heading", name="What changes").click()
    page.keyboard.press("a")
    expect(page.get_by_role("button", name="Approve")).to_be_focused()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status")).to_contain_text(
        "Approved: the code is active for this person"
    )

    page.get_by_role("link", name="The records").click()
    expect(page.locator("tr", has_text="a lamp").first).to_contain_text("40.00")
    expect(page.locator("tr", has_text="tea").first).to_be_visible()
    expect(page.locator("#person-waits")).to_be_empty()
    page.get_by_role("link", name="Code", exact=True).click()
    version = page.locator("li#v1")
    expect(version).to_contain_text("New kind shop.Purchase")
    expect(version).to_contain_text("approved by caregiver")
