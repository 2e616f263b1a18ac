"""A thousand open alerts on one dashboard: by keys alone, and an event leaves the others be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartSite
from tests.browser.test_live_dashboard import ALLERGY, PRESCRIPTION, SUMMARY, lane

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
MANY = 999
MAKE_MANY = f"""
from datetime import timedelta
from django.utils import timezone
from alerts.models import Alert
from memory.models import MemoryUser
now, person = timezone.now(), MemoryUser.objects.get(display_name="Tom")
made = []
for number in range({MANY}):
    at = now - timedelta(minutes=number + 1)
    made.append(Alert(
        user=person, rule="drug_allergy", dedupe_key=str(number), severity="critical",
        summary=f"Number {{number}} of many that stand open", fingerprint="f", version="v",
        tables="t", fact_seq=1, opened_at=at, changed_at=at, status_at=at, first_opened_at=at,
    ))
Alert.every.bulk_create(made)
"""
WATCH = """
window.told = 0;
window.blocked = [];
const Real = window.WebSocket;
window.WebSocket = class extends Real {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", (message) => {
      if (JSON.parse(message.data).type === "event") window.told = performance.now();
    });
  }
};
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) window.blocked.push([one.startTime, one.duration]);
}).observe({ type: "longtask" });
window.untilRow = (count) => new Promise((done) => {
  const look = () => {
    const there = document.querySelectorAll("[data-row]").length >= count;
    if (!there) return void requestAnimationFrame(look);
    const painted = () => done(performance.now() - window.told);
    requestAnimationFrame(() => requestAnimationFrame(painted));
  };
  look();
});
"""
ROWS = "[...document.querySelectorAll('[data-row]')]"
BARE = """() => {
  const html = document.getElementById("board").outerHTML;
  const began = performance.now();
  const box = document.createElement("div");
  box.innerHTML = html;
  document.getElementById("main").append(box);
  box.getBoundingClientRect();
  const bare = performance.now() - began;
  box.remove();
  return bare;
}"""
RENDERED = """() => {
  const [one] = performance.getEntriesByType("navigation");
  return [one.responseEnd - one.requestStart, one.loadEventEnd - one.responseEnd];
}"""


def _show_all(page: Page) -> Any:
    page.locator("[data-sought] summary").click()
    page.get_by_label("In a lane").select_option("all")
    rows = lane(page, "Critical").locator("[data-row]")
    expect(rows).to_have_count(MANY)
    return rows


def test_of_a_thousand_open_alerts_an_event_redraws_none(
    start_site: StartSite, open_dashboard: OpenDashboard, page: Page
) -> None:
    site = start_site()
    site.new_person("Tom")
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", ALLERGY)
    site._manage("shell", "--verbosity", "0", "--command", MAKE_MANY)
    page.add_init_script(WATCH)
    open_dashboard(site)
    rows = _show_all(page)
    page.keyboard.press("Escape")
    rows.nth(500).scroll_into_view_if_needed()
    place = page.evaluate("window.scrollY")
    bare = page.evaluate(BARE)
    page.evaluate("window.blocked.length = 0")
    page.evaluate(f"{ROWS}.forEach((row) => {{ row.wasThere = true; }})")

    site.post(f"users/{person}/facts", PRESCRIPTION)

    taken = page.evaluate(f"untilRow({MANY + 1})")
    longest = max((took for _, took in page.evaluate("window.blocked")), default=0.0)
    print(
        f"{MANY + 1:,} open alerts: the first page from its server, then laid out, "
        f"{page.evaluate(RENDERED)} ms; from an event on the socket to the list painted "
        f"{taken:.0f} ms, the page blocked for {longest:.0f} ms at most; its HTML alone "
        f"{bare:.0f} ms"
    )
    assert page.evaluate(f"{ROWS}.filter((row) => row.wasThere).length") == MANY
    expect(lane(page, "Critical").get_by_role("link", name=SUMMARY)).to_be_attached()
    assert abs(page.evaluate("window.scrollY") - place) < 300  # nobody lost their place
    expect(page).to_have_title(f"({MANY + 1}) Alerts")


def test_a_thousand_alerts_are_gone_through_by_keys_alone(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    site.new_person("Tom")
    site._manage("shell", "--verbosity", "0", "--command", MAKE_MANY)
    page = open_dashboard(site)
    _show_all(page)
    page.locator("h1").click()
    for number in (1, 2, 3):
        page.keyboard.press("j")
        expect(page.get_by_role("article")).to_contain_text(f"Number {number} of many")
    page.keyboard.press("a")
    expect(lane(page, "Acknowledged").get_by_role("link", name="Number 3 of many")).to_be_visible()
    expect(lane(page, "Critical").locator("[data-row]")).to_have_count(MANY - 1)


PATCHED = """async () => {
  const { patch } = await import("/static/js/patch.js");
  const list = (html) => {
    const box = document.createElement("ol");
    box.innerHTML = html;
    return box;
  };
  const row = (id, level, words, more = "") =>
    `<li class="row ${level}${more}" data-row="${id}"><a href="#">${words}</a></li>`;
  const here = row(1, "warning", "one", " here");
  const old = list(here + row(2, "warning", "two") + row(3, "info", "three"));
  const [first, second] = old.children;
  const kept = row(1, "warning", "one") + row(2, "critical", "two, graver");
  patch(old, list(row(4, "critical", "four") + kept));
  const shown = [...old.children];
  const words = shown.map((one) => one.className + ": " + one.textContent);
  return [words, shown[1] === first, shown[2] === second];
}"""


def test_a_row_that_says_the_same_stays_and_every_other_one_is_as_it_came(
    start_site: StartSite, page: Page
) -> None:
    page.goto(f"{start_site().url}/login")
    rows, stays, graver = page.evaluate(PATCHED)
    assert rows == ["row critical: four", "row warning here: one", "row critical: two, graver"]
    assert stays
    assert not graver
