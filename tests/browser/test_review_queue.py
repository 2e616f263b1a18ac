"""The review queue in use: it fills and empties by itself, and is worked through by keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site, StartSite
from tests.browser.test_live_dashboard import assert_never_reloaded, remember_this_page

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
HOLD = """
from memory.models import MemoryUser
from tests.memory.queue.waiting import held_reading
for quote in {quotes!r}:
    held_reading(MemoryUser.objects.get(display_name="Ada"), quote=quote)
"""
NOTICE = """
import alerts.apps
from memory.models import MemoryUser
from tests.alerts.early_words import concern, noticed
noticed(MemoryUser.objects.get(display_name="Ada"), concern())
"""
REFUSE = """
from django.contrib.auth.models import User
from django.utils import timezone
from memory.actions.held import refuse_held
from memory.models import HeldReading
held = HeldReading.objects.get(quote={quote!r})
actor = User.objects.get(username="caregiver")
refuse_held(held_id=held.pk, actor=actor, now=timezone.now())
"""
ALLERGY = {
    "text": "Penicillin gives me hives.",
    "readings": [{"kind": "health.Allergy", "data": {"substance": "penicillin"}}],
}


def shell(site: Site, code: str) -> None:
    """Have another process do it."""
    site._manage("shell", "--verbosity", "0", "--command", code)


def item(page: Page, words: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=words)


def in_focus(page: Page, words: str) -> None:
    """The item with these words has the focus."""
    expect(page.locator("[data-item]", has=page.locator(":focus"))).to_contain_text(words)


def test_the_queue_follows_and_is_decided_without_a_mouse(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site(UAC_DEMO_WITHOUT_SECOND_FACTOR="true")
    site.grant("caregiver", "reviewer")
    person = site.new_person("Ada")
    site.post(f"users/{person}/facts", {"facts": [ALLERGY]})
    page = open_dashboard(site)
    count = page.locator("#nav-review")
    remember_this_page(page)
    shell(site, HOLD.format(quotes=["first words"]))
    expect(count).to_have_text("1")  # on the dashboard
    assert_never_reloaded(page)

    page.goto(f"{site.url}/rules")
    remember_this_page(page)
    shell(site, HOLD.format(quotes=["second words"]))
    expect(count).to_have_text("2")  # on a page that is not live itself
    assert_never_reloaded(page)

    page.get_by_role("link", name="Review").click()
    expect(page.locator("[data-live-light]")).to_have_attribute("data-state", "live")
    remember_this_page(page)
    expect(page.get_by_text("2 wait for a decision")).to_be_visible()
    page.keyboard.press("j")
    in_focus(page, "second words")
    page.keyboard.press("j")
    in_focus(page, "first words")
    page.keyboard.press("k")
    in_focus(page, "second words")

    shell(site, NOTICE)
    noticed = "Amoxicillin may not be for somebody with this allergy"
    expect(item(page, noticed)).to_be_visible()
    expect(page.locator("[data-announcer]")).to_contain_text("New: Concern · Ada")
    in_focus(page, "second words")  # where it was

    page.keyboard.press("a")
    expect(item(page, "second words").get_by_role("button", name="Confirm")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Confirmed")).to_be_visible()
    expect(item(page, "second words")).to_have_count(0)
    expect(count).to_have_text("2")

    shell(site, REFUSE.format(quote="first words"))
    expect(item(page, "first words")).to_have_count(0)  # decided by somebody else

    page.keyboard.press("j")
    in_focus(page, noticed)
    page.keyboard.press("r")
    why = page.get_by_label("Why, if you like")
    expect(why).to_be_focused()
    page.keyboard.type("jr? known for years")  # letters are letters in a field
    shell(site, HOLD.format(quotes=["third words"]))
    expect(item(page, "third words")).to_be_visible()
    expect(why).to_have_value("jr? known for years")
    expect(why).to_be_focused()
    page.get_by_role("button", name="Dismiss this concern").press("Enter")
    expect(page.get_by_role("status").filter(has_text="Dismissed")).to_be_visible()

    page.get_by_label("Status").select_option("decided")
    expect(item(page, "known for years")).to_be_visible()
    expect(page).to_have_url(f"{site.url}/proposals?status=decided&order=danger")
    page.get_by_label("Status").select_option("open")
    expect(item(page, "third words")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    assert_never_reloaded(page)

    page.keyboard.press("/")
    expect(page.get_by_label("Name or id of a person")).to_be_focused()
    page.keyboard.type("Nobody")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing fits these filters")).to_be_visible()
    assert "Nobody" not in page.url
