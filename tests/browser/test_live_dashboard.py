"""The main job as staff see it: a fact comes in, and an alert stands on the open page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartSite

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
SUMMARY = "Amoxicillin conflicts with the recorded penicillin allergy"
ALLERGY: dict[str, Any] = {
    "text": "Penicillin closed my throat once.",
    "readings": [
        {
            "kind": "health.Allergy",
            "data": {"substance": "penicillin", "reaction": "anaphylaxis", "severity": "severe"},
        }
    ],
}
PRESCRIPTION: dict[str, Any] = {
    "text": "Dr. Chen prescribed amoxicillin 500 mg.",
    "readings": [{"kind": "health.Medication", "data": {"name": "amoxicillin", "dose": "500 mg"}}],
}


def remember_this_page(page: Page) -> None:
    """Leave a mark that a reload would wipe out."""
    page.evaluate("window.neverReloaded = true")


def assert_never_reloaded(page: Page) -> None:
    assert page.evaluate("window.neverReloaded") is True


def lane(page: Page, name: str) -> Any:
    return page.locator(".lane", has=page.get_by_role("heading", name=name))


def acknowledge_on_the_page(page: Page) -> None:
    """The alert is there, is opened, and goes to its lane by a click."""
    row = lane(page, "Critical").get_by_role("link", name=SUMMARY)
    expect(row).to_be_visible()
    expect(page).to_have_title("(1) Alerts")
    expect(page.locator("[data-announcer]")).to_contain_text(SUMMARY)
    row.click()
    panel = page.get_by_role("article")
    expect(panel).to_contain_text("Penicillin closed my throat once.")
    expect(panel).to_contain_text("Dr. Chen prescribed amoxicillin 500 mg.")
    panel.get_by_role("button", name="Acknowledge").click()
    expect(panel).to_contain_text("Acknowledged: others see that you take care of it.")
    expect(lane(page, "Acknowledged").get_by_role("link", name=SUMMARY)).to_contain_text(
        "acknowledged by caregiver"
    )
    expect(page).to_have_title("Alerts")


def test_an_alert_of_the_web_process_appears_and_is_acknowledged_without_a_reload(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", ALLERGY)
    page = open_dashboard(site)
    remember_this_page(page)
    expect(page.get_by_role("heading", name="No alert is open")).to_be_visible()

    answer = site.post(f"users/{person}/facts", PRESCRIPTION)

    assert answer["evaluation"]["status"] == "done"
    acknowledge_on_the_page(page)
    assert_never_reloaded(page)


def test_an_alert_of_the_worker_appears_and_is_acknowledged_without_a_reload(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site(worker=True, UAC_INLINE_FACTS="1")
    person = site.new_person("Ada")
    page = open_dashboard(site)
    remember_this_page(page)

    answer = site.post(f"users/{person}/facts", {"facts": [ALLERGY, PRESCRIPTION]})

    assert answer["evaluation"]["status"] == "queued"
    assert answer["alerts"]["opened"] == []
    acknowledge_on_the_page(page)
    assert_never_reloaded(page)


def test_a_page_that_lost_its_connection_says_so_and_catches_up(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    person = site.new_person("Ada")
    page = open_dashboard(site)
    remember_this_page(page)
    light = page.locator("[data-live-light]")
    assert site.web is not None
    site.web.kill()
    expect(light).not_to_have_attribute("data-state", "live")

    site.start_web()
    site.post(f"users/{person}/facts", {"facts": [ALLERGY, PRESCRIPTION]})

    expect(lane(page, "Critical").get_by_role("link", name=SUMMARY)).to_be_visible()
    expect(light).to_have_text("Live")
    assert_never_reloaded(page)


def test_keys_move_between_alerts_and_typing_outlives_a_refresh(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    ada, tom = site.new_person("Ada"), site.new_person("Tom")
    site.post(f"users/{ada}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    page = open_dashboard(site)
    page.keyboard.press("j")
    expect(page.locator("#main .row.here")).to_contain_text("Ada")
    page.keyboard.press("o")
    page.get_by_label("Comment").fill("Tolerated it in May")

    site.post(f"users/{tom}/facts", {"facts": [ALLERGY, PRESCRIPTION]})

    expect(lane(page, "Critical").get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_label("Comment")).to_have_value("Tolerated it in May")
    expect(page.locator("#main .row.here")).to_contain_text("Ada")
    page.get_by_label("Tolerated before").check()
    page.get_by_role("button", name="Override this alert").click()
    expect(page.get_by_role("article")).to_contain_text("Tolerated before")
    expect(lane(page, "Critical").get_by_role("listitem")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("acknowledge")
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.get_by_role("article")).to_contain_text("Tom")
