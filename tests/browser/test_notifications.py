"""The computer tells of a new critical alert, where somebody has allowed it; it names nobody."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import StartSite, log_in
from tests.browser.test_live_dashboard import ALLERGY, PRESCRIPTION, SUMMARY, lane

pytestmark = [pytest.mark.browser, pytest.mark.any_database]
NOTED = """
window.noted = [];
const Real = window.Notification;
window.Notification = class extends Real {
  constructor(words, options) {
    super(words, options);
    window.noted.push([words, options.body, this.tag, this.renotify]);
  }
};
"""
HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => window.away === true });"


def test_a_new_critical_alert_is_told_once_where_it_is_allowed_and_the_page_is_away(
    start_site: StartSite, page: Page
) -> None:
    site = start_site()
    ada, tom = site.new_person("Ada"), site.new_person("Tom")
    page.context.grant_permissions(["notifications"], origin=site.url)
    page.add_init_script(NOTED + HIDDEN)
    log_in(page, site, "caregiver")
    expect(page.locator("[data-notify]")).to_be_hidden()

    site.post(f"users/{tom}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    expect(lane(page, "Critical").get_by_role("link", name=SUMMARY)).to_be_visible()
    assert page.evaluate("noted") == []  # whoever looks at the page needs no more

    page.evaluate("window.away = true")
    site.post(f"users/{ada}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    expect(page).to_have_title("(2) Alerts")
    assert page.evaluate("noted") == [
        ["A new critical alert", "Open the dashboard to see it.", "critical", True]
    ]
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", f"{site.url}/static/favicon/2.svg")


def test_nothing_is_told_where_it_is_not_allowed(start_site: StartSite, page: Page) -> None:
    site = start_site()
    ada = site.new_person("Ada")
    page.add_init_script(NOTED + HIDDEN + "window.away = true;")
    log_in(page, site, "caregiver")
    site.post(f"users/{ada}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    expect(page).to_have_title("(1) Alerts")
    assert page.evaluate("noted") == []
