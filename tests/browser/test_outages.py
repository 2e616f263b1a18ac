"""What breaks under an open dashboard comes back, and nothing is missed meanwhile."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PASSWORD, Site, StartSite
from tests.browser.test_live_dashboard import (
    ALLERGY,
    PRESCRIPTION,
    SUMMARY,
    assert_never_reloaded,
    lane,
    remember_this_page,
)
from uac_site.benchmarks.redis_server import redis_process
from uac_site.serving import Process, free_port

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
HOST = "127.0.0.1"
SOON = 5_000  # milliseconds within which an open page is right again
LONG_DOWN = 8  # attempts to connect: the pause between them is then as long as it gets
STOPPED = {
    "text": "The amoxicillin was stopped.",
    "readings": [
        {
            "kind": "health.Medication",
            "op": "update",
            "id": "amoxicillin",
            "data": {"status": "stopped"},
        }
    ],
}


@contextmanager
def another_web(site: Site) -> Iterator[Site]:
    """A second web process of the same site."""
    other = replace(site, port=free_port(), web=None, worker=None)
    try:
        other.start_web()
        yield other
    finally:
        other.stop()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[Process, int]]:
    """A Redis of this test's own, and its port."""
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    port = free_port()
    process = redis_process(port, tmp_path)
    process.start()
    process.wait_for_port(HOST, port)
    yield process, port
    process.stop()


def _log_in_with_a_clock(page: Page, site: Site) -> None:
    """Log in with a clock in the page that can be moved on."""
    page.clock.install()
    page.goto(f"{site.url}/login")
    page.get_by_label("User name").fill("caregiver")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("[data-live-light]")).to_have_attribute("data-state", "live")


def _people_in(page: Page, name: str) -> list[str]:
    rows = lane(page, name).locator(".who bdi").all_text_contents()
    return sorted(rows)


def test_a_server_that_was_killed_is_found_within_five_seconds_and_nothing_is_missed(
    start_site: StartSite, page: Page
) -> None:
    site = start_site()
    ada, tom, eve = (site.new_person(name) for name in ("Ada", "Tom", "Eve"))
    site.post(f"users/{ada}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    with another_web(site) as other:
        _log_in_with_a_clock(page, site)
        remember_this_page(page)
        expect(lane(page, "Critical").get_by_role("link", name=SUMMARY)).to_be_visible()
        light = page.locator("[data-live-light]")
        assert site.web is not None
        site.web.kill()
        expect(light).not_to_have_attribute("data-state", "live")
        for _ in range(LONG_DOWN):
            with page.expect_websocket():
                page.clock.run_for(20_000)
        expect(light).to_have_attribute("data-state", "stale")
        other.post(f"users/{tom}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
        other.post(f"users/{eve}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
        other.post(f"users/{ada}/facts", STOPPED)
        page.clock.resume()

        site.start_web()

        rows = lane(page, "Critical").get_by_role("listitem")
        expect(rows).to_have_count(2, timeout=SOON)
        expect(light).to_have_attribute("data-state", "live", timeout=SOON)
    assert _people_in(page, "Critical") == ["Eve", "Tom"]
    assert _people_in(page, "Cleared, not acknowledged") == ["Ada"]
    expect(page).to_have_title("(2) Alerts")
    assert_never_reloaded(page)


def test_redis_stopped_and_started_again_costs_an_open_page_nothing(
    start_site: StartSite, open_dashboard: OpenDashboard, redis: tuple[Process, int]
) -> None:
    process, port = redis
    site = start_site(REDIS_URL=f"redis://{HOST}:{port}/0")
    people = [site.new_person(name) for name in ("Ada", "Tom", "Eve")]
    with another_web(site) as other:
        page = open_dashboard(site)
        remember_this_page(page)
        rows = lane(page, "Critical").get_by_role("listitem")
        for number, person in enumerate(people, start=1):
            if number == 2:
                process.kill()
            elif number == 3:
                process.start()
                process.wait_for_port(HOST, port)
            other.post(f"users/{person}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
            expect(rows).to_have_count(number, timeout=SOON)
            light = page.locator("[data-live-light]")
            expect(light).to_have_attribute("data-state", "live", timeout=SOON)
    assert _people_in(page, "Critical") == ["Ada", "Eve", "Tom"]
    assert_never_reloaded(page)


def test_the_open_alert_is_brought_up_to_date_though_the_list_could_not_be_at_first(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    ada = site.new_person("Ada")
    site.post(f"users/{ada}/facts", {"facts": [ALLERGY, PRESCRIPTION]})
    page = open_dashboard(site)
    panel = page.locator("[data-alert]")
    expect(panel).to_have_attribute("data-status", "open")
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503)

    page.route(re.compile(r"/alerts\?alert="), refuse_once)
    site.post(f"users/{ada}/facts", STOPPED)
    expect(lane(page, "Cleared, not acknowledged").get_by_role("listitem")).to_have_count(1)
    expect(panel).to_have_attribute("data-status", "cleared", timeout=SOON)
    assert len(refused) == 1


def test_a_page_that_waits_only_for_news_asks_for_what_it_missed(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    page = open_dashboard(site)
    with page.expect_websocket() as first:
        page.goto(f"{site.url}/people")
    assert "after=" not in first.value.url
    if not first.value.is_closed():
        first.value.wait_for_event("framereceived")
    assert site.web is not None
    site.web.kill()
    with page.expect_websocket(lambda socket: "after=" in socket.url):
        site.start_web()
