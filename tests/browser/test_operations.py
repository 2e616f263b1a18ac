"""The operations page stays live by itself, on both engines, and says when it does not."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS, Site, StartSite
from tests.browser.everywhere import SETTINGS, log_in

pytestmark = pytest.mark.browser
TOKEN = "a-token-that-nobody-guesses"


def _wait_until_ready(site: Site, page: Page) -> None:
    """The worker's first sweep has been heard."""
    for _ in range(PATIENCE_MS // 250):
        if httpx.get(f"{site.url}/readyz", timeout=30).status_code == 200:
            return
        page.wait_for_timeout(250)
    raise AssertionError(httpx.get(f"{site.url}/readyz", timeout=30).text)


def test_it_stays_live_and_tells_when_the_server_is_gone(start_site: StartSite, page: Page) -> None:
    site = start_site(worker=True, **SETTINGS, UAC_METRICS_TOKEN=TOKEN)
    log_in(site, page)
    _wait_until_ready(site, page)
    page.goto(f"{site.url}/office/operations")
    light = page.locator("[data-live-light]")
    expect(light).to_have_attribute("data-state", "live")
    tile = page.locator(".tile", has_text="Oldest waiting")
    expect(tile).to_contain_text("nothing waits")
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", {"text": "Plain words"})
    expect(tile).to_contain_text("1 wait; the oldest is a fact to be read")
    text = httpx.get(
        f"{site.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30
    ).text
    assert 'uac_waiting{what="fact to be read"} 1.0' in text
    assert (
        'uac_http_requests_total{method="POST",route="/api/v1/users/<uuid:user_id>/facts"' in text
    )
    assert site.web is not None
    site.web.kill()
    expect(light).to_have_attribute("data-state", "stale")
    site.start_web()
    expect(light).to_have_attribute("data-state", "live")


def test_the_administration_is_dressed_and_breaks_no_policy(
    start_site: StartSite, page: Page
) -> None:
    site = start_site(**SETTINGS)
    log_in(site, page)
    for path in ("", "memory/job/", "memory/memoryuser/", "memory/app/"):
        page.goto(f"{site.url}/admin/{path}")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == "rgb(245, 247, 250)", path
    expect(page.get_by_role("link", name="Administration")).to_be_visible()
