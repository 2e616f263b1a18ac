"""An open dashboard closes within a second of a revocation, and shows nobody any more."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartSite
from tests.facts import allergy, medication

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
WITHIN = 1.0  # seconds
TIMED = """
import time
from django.contrib.auth.models import User
from django.utils import timezone
from memory.actions.staff import withdraw_role
from memory.audit import CONSOLE
from memory.rights import Role
who = User.objects.get(username="caregiver")
withdraw_role(staff=who, role=Role.CAREGIVER, actor=CONSOLE, now=timezone.now())
print(time.time())
"""


def dashboard_with_an_alert(site: Site, open_dashboard: OpenDashboard) -> Page:
    person = site.new_person("Ada")
    site.post(
        f"users/{person}/facts", {"facts": [allergy("penicillin"), medication("Amoxicillin")]}
    )
    page = open_dashboard(site)
    expect(page.locator("#board")).to_contain_text("Ada")
    return page


def when_it_closes(page: Page, act: Callable[[], float]) -> float:
    """Seconds from the moment that `act` names to that in which the page let go of what it had."""
    with page.expect_navigation() as going:
        moment = act()
    assert going.value is not None
    left = page.evaluate("performance.timeOrigin / 1000")  # when the page that follows began
    return float(left) - moment


def test_a_role_withdrawn_by_another_process_closes_an_open_dashboard_within_a_second(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    page = dashboard_with_an_alert(site, open_dashboard)
    command = ("shell", "--verbosity", "0", "--command", TIMED)
    seconds = when_it_closes(page, lambda: float(site._manage(*command).strip()))
    assert seconds < WITHIN
    expect(page.get_by_role("heading", name="Not for this login")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("Ada")


def test_logging_out_in_one_window_closes_the_dashboard_in_another(
    start_site: StartSite, open_dashboard: OpenDashboard
) -> None:
    site = start_site()
    page = dashboard_with_an_alert(site, open_dashboard)
    with page.expect_popup() as opened:
        page.evaluate("void window.open('/account')")
    other = opened.value

    def log_out() -> float:
        other.get_by_role("button", name="Log out", exact=True).click()
        return time.time()

    assert when_it_closes(page, log_out) < WITHIN
    expect(page.locator("body")).not_to_contain_text("Ada")
