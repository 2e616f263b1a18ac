"""Searching the tables and trying the rules in a real browser, by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import Site, StartSite
from tests.facts import allergy, medication

pytestmark = [pytest.mark.browser, pytest.mark.any_database]
NARROW: ViewportSize = {"width": 390, "height": 844}


def overflows(page: Page) -> bool:
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    return wide


def test_from_a_search_to_a_row_to_a_try(
    start_site: StartSite, open_dashboard: Callable[[Site], Page]
) -> None:
    site = start_site()
    page = open_dashboard(site)
    page.get_by_role("link", name="Tables").click()
    search = page.get_by_label("Name, brand, class, ingredient or id")
    search.fill("augmentin")
    search.press("Enter")
    page.wait_for_url("**/tables?q=augmentin*")
    expect(search).to_have_value("augmentin")
    page.get_by_role("group", name="Rows").get_by_role("link", name="clavulanate").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("clavulanate")
    page.get_by_role("link", name="co-amoxiclav").first.click()
    page.get_by_role("link", name="Try it").click()
    expect(page.get_by_label("Drug 1")).to_have_value("co-amoxiclav")

    page.get_by_label("Substance").fill("penicillin")
    page.get_by_label("How bad").select_option("severe")
    page.get_by_label("Drug 2").fill("Zyrflonix")
    page.get_by_label("Drug 2").press("Enter")
    critical = page.locator("article.told.critical")
    expect(critical).to_contain_text("same class")
    expect(critical.get_by_role("link", name="penicillins: class")).to_be_visible()
    expect(page.locator(".names")).to_contain_text("not checked")
    # The address alone gives the same again.
    page.goto(page.url)
    expect(critical).to_contain_text("same class")


def test_from_an_alert_to_its_rule_and_back_on_a_narrow_screen_too(
    start_site: StartSite, open_dashboard: Callable[[Site], Page]
) -> None:
    site = start_site()
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", allergy("penicillin", severity="severe"))
    site.post(f"users/{person}/facts", medication("amoxicillin"))
    page = open_dashboard(site)
    page.get_by_role("link", name="drug allergy", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Drug allergy")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for path in ("/rules", "/rules/drug_allergy", "/tables", "/tables/class:penicillins",
                     "/try?drug=amoxicillin&allergy=penicillin"):  # fmt: skip
            page.set_viewport_size(NARROW)
            page.goto(site.url + path)
            assert not overflows(page), f"{path} is wider than a narrow screen"
    page.goto(f"{site.url}/rules/drug_allergy")
    page.get_by_role("link", name=re.compile("^Amoxicillin conflicts")).click()
    expect(page.locator("#panel-title")).to_contain_text("Amoxicillin conflicts")
