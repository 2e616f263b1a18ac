"""Several members of staff with their dashboards open at once, and what each of them sees."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site, StartSite
from tests.browser.test_live_dashboard import ALLERGY, PRESCRIPTION, SUMMARY, lane

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
AnotherLogin = Callable[[Site, str], Page]


def test_one_acknowledges_the_other_sees_it_and_a_third_sees_nothing(
    start_site: StartSite, open_dashboard: OpenDashboard, another_login: AnotherLogin
) -> None:
    site = start_site()
    site.add_caregiver("colleague", "Ward")
    site.add_caregiver("stranger", "Elsewhere")
    person = site.new_person("Ada")
    mine = open_dashboard(site)
    theirs, far = another_login(site, "colleague"), another_login(site, "stranger")
    told: list[str] = []
    far.on(
        "websocket", lambda socket: socket.on("framereceived", lambda one: told.append(str(one)))
    )
    far.reload()
    expect(far.locator("[data-live-light]")).to_have_attribute("data-state", "live")

    site.post(f"users/{person}/facts", {"facts": [ALLERGY, PRESCRIPTION]})

    for page in (mine, theirs):
        row = lane(page, "Critical").get_by_role("link", name=SUMMARY)
        expect(row).to_be_visible()
        expect(page).to_have_title("(1) Alerts")
        expect(page.locator("link[rel=icon]")).to_have_attribute(
            "href", f"{site.url}/static/favicon/1.svg"
        )
    lane(mine, "Critical").get_by_role("link", name=SUMMARY).click()
    mine.keyboard.press("a")
    row = lane(theirs, "Acknowledged").get_by_role("link", name=SUMMARY)
    expect(row).to_contain_text("acknowledged by caregiver")
    expect(theirs).to_have_title("Alerts")
    expect(theirs.get_by_role("article")).to_contain_text("caregiver")

    theirs.get_by_role("button", name="Open again").click()
    expect(lane(mine, "Critical").get_by_role("link", name=SUMMARY)).to_be_visible()

    expect(far.get_by_role("heading", name="Nobody is in your care yet")).to_be_visible()
    expect(far.locator("[data-row]")).to_have_count(0)
    assert not any('"event"' in frame for frame in told)


def test_a_key_is_meant_for_the_alert_that_was_asked_for_not_for_the_one_before(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    for name in ("Ada", "Tom"):
        site.post(f"users/{site.new_person(name)}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    page = open_dashboard(site)
    rows = lane(page, "Critical").locator("[data-row]")
    expect(rows).to_have_count(2)
    first, second = (rows.nth(at).get_attribute("data-row") for at in (0, 1))
    expect(page.get_by_role("article")).to_have_attribute("data-alert", str(first))
    waiting: list[Route] = []
    page.route(f"**/alerts/{second}/panel", lambda route: waiting.append(route))

    with page.expect_request(f"**/alerts/{second}/panel"):
        page.keyboard.press("j")
    expect(page.locator("[data-panel]")).to_have_attribute("aria-busy", "true")
    page.keyboard.press("a")
    waiting[0].continue_()

    expect(page.get_by_role("article")).to_contain_text("Acknowledged")
    row = lane(page, "Acknowledged").locator("[data-row]")
    expect(row).to_have_attribute("data-row", str(second))
    expect(rows).to_have_count(1)


def test_an_alert_is_shelved_by_keys_and_clears_where_the_other_looks(
    start_site: StartSite, open_dashboard: OpenDashboard, another_login: AnotherLogin
) -> None:
    site = start_site()
    site.add_caregiver("colleague", "Ward")
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    mine, theirs = open_dashboard(site), another_login(site, "colleague")
    mine.keyboard.press("s")
    mine.get_by_label("4 hours").check()
    mine.get_by_label("Why", exact=True).fill("asleep until noon")
    mine.get_by_role("button", name="Put this alert aside").click()

    row = lane(theirs, "Put aside").get_by_role("link", name=SUMMARY)
    expect(row).to_contain_text("put aside by caregiver")
    theirs.get_by_role("button", name="Take from the shelf").click()
    expect(lane(mine, "Critical").get_by_role("link", name=SUMMARY)).to_be_visible()

    gone = {"kind": "health.Medication", "op": "retract", "id": "amoxicillin", "data": {}}
    site.post(f"users/{person}/facts", {"text": "It was never taken.", "readings": [gone]})
    seen = lane(mine, "Cleared, not acknowledged").get_by_role("link", name=SUMMARY)
    expect(seen).to_be_visible()
    mine.get_by_role("button", name="Seen: it is over").click()
    expect(lane(theirs, "Cleared, not acknowledged")).to_have_count(0)


def test_a_wrong_fact_is_corrected_and_the_alert_is_proved_from_the_panel(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    page = open_dashboard(site)
    panel = page.get_by_role("article")
    page.get_by_role("button", name="Prove it").click()
    expect(panel).to_contain_text("Same, byte for byte.")
    page.keyboard.press("o")
    page.get_by_label("Wrong fact").check()
    page.get_by_role("button", name="Override this alert").click()
    page.get_by_role("link", name="Correct fact 1").click()
    page.get_by_label("What is true instead").fill("It was her sister who reacted.")
    page.get_by_role("button", name="Append the correction").click()
    expect(page.get_by_role("article")).to_contain_text("Over: its cause no longer holds.")


def test_the_list_is_narrowed_while_alerts_come_in_and_a_page_without_a_socket_polls(
    start_site: StartSite, open_dashboard: OpenDashboard, page: Page
) -> None:
    site = start_site()
    ada, tom = site.new_person("Ada"), site.new_person("Tom")
    page.add_init_script("window.WebSocket = class extends EventTarget { close() {} }")
    page.clock.install()
    page.goto(f"{site.url}/login")
    page.get_by_label("User name").fill("caregiver")
    page.get_by_label("Password").fill("a-long-pass-phrase")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("searchbox").fill("tom")
    page.clock.run_for(1_000)
    site.post(f"users/{ada}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    site.post(f"users/{tom}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    page.clock.run_for(13_000)
    expect(lane(page, "Critical").get_by_role("listitem")).to_have_count(1)
    expect(lane(page, "Critical")).to_contain_text("Tom")
    expect(page).to_have_title("(2) Alerts")
    expect(page.locator("[data-live-light]")).to_contain_text("Not live; as of")
    page.get_by_role("searchbox").fill("")
    page.clock.run_for(1_000)
    expect(lane(page, "Critical").get_by_role("listitem")).to_have_count(2)


def test_an_answer_does_not_take_the_place_of_an_alert_that_was_opened_meanwhile(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    for name in ("Ada", "Tom"):
        site.post(f"users/{site.new_person(name)}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    page = open_dashboard(site)
    panel = page.locator("[data-alert]")
    first = panel.get_attribute("data-alert") or ""
    held: list[Route] = []
    page.route("**/acknowledge", lambda route: held.append(route))
    with page.expect_request("**/acknowledge"):
        page.keyboard.press("a")
    page.keyboard.press("j")
    expect(panel).not_to_have_attribute("data-alert", first)
    with page.expect_response("**/acknowledge"):
        held[0].continue_()
    expect(lane(page, "Acknowledged").get_by_role("listitem")).to_have_count(1)
    expect(panel).not_to_have_attribute("data-alert", first)
