"""Logging in with a phone, and the warning before a session ends."""

from __future__ import annotations

import base64
import re

import pytest
from playwright.sync_api import Page, expect

from tests.authenticator import code_of, next_code_of
from tests.browser.conftest import PASSWORD, Site, StartSite

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

MAKE_ADMIN = f"""
from django.contrib.auth.models import User
User.objects.create_superuser("admin", password={PASSWORD!r})
"""
END_ALL = """
from uac_site.accounts.models import StaffSession
StaffSession.rows.all().delete()
"""


def run(site: Site, program: str) -> None:
    """Run a program on the site's database."""
    site._manage("shell", "--verbosity", "0", "--command", program)


def give_password(page: Page, site: Site, name: str, path: str = "/login") -> None:
    page.goto(f"{site.url}{path}")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_an_admin_enrols_a_phone_and_logs_in_with_its_codes(
    start_site: StartSite, page: Page
) -> None:
    site = start_site()
    run(site, MAKE_ADMIN)
    give_password(page, site, "admin", "/login?next=/account")
    expect(page.get_by_role("heading", name="Set up your second factor")).to_be_visible()
    picture = page.get_by_role("img", name="QR code")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth > 100)")
    page.get_by_text("No camera?").click()
    key = base64.b32decode("".join(page.locator(".key span").all_text_contents()))
    page.get_by_label("Code").fill(code_of(key))
    page.get_by_role("button", name="Set up and log in").click()
    codes = page.locator("#codes li")
    expect(codes).to_have_count(10)
    recovery = codes.first.inner_text()
    page.get_by_role("link", name="I have kept them").click()
    expect(page).to_have_url(f"{site.url}/account")
    for code in (next_code_of(key), recovery):
        page.get_by_role("button", name="Log out", exact=True).click()
        give_password(page, site, "admin", "/login?next=/account")
        page.get_by_label("Code, or a recovery code").fill(code)
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    expect(page.get_by_text("9 recovery codes left")).to_be_visible()


def test_a_page_warns_a_minute_before_the_session_ends_and_can_put_it_off(
    start_site: StartSite, page: Page
) -> None:
    site = start_site(UAC_SESSION_IDLE_SECONDS="63")
    give_password(page, site, "caregiver", "/login?next=/account")
    warning = page.get_by_role("dialog", name="Your session is about to end")
    expect(warning).to_be_visible()
    expect(warning).to_contain_text(re.compile(r"ends in \d+ seconds"))
    expect(page).to_have_title(re.compile("^Session ends soon"))
    with page.expect_response(lambda answer: answer.url.endswith("/session")) as renewed:
        page.get_by_role("button", name="Stay logged in").click()
    assert renewed.value.json()["left"] > 60
    expect(warning).to_be_hidden()
    expect(page).not_to_have_title(re.compile("^Session ends soon"))
    expect(warning).to_be_visible()  # and again, a minute before the new end


def test_a_page_whose_session_is_over_says_so_and_leads_back(
    start_site: StartSite, page: Page
) -> None:
    page.clock.install()
    site = start_site()
    give_password(page, site, "caregiver", "/login?next=/account")
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()
    run(site, END_ALL)
    page.clock.fast_forward("30:00")
    expect(page.get_by_role("heading", name="Your session has ended")).to_be_visible()
    page.get_by_role("link", name="Log in again").click()
    give_name = page.get_by_label("User name")
    expect(give_name).to_be_visible()
    assert "next=%2Faccount" in page.url or "next=/account" in page.url


def test_a_click_on_an_open_page_renews_the_session(start_site: StartSite, page: Page) -> None:
    page.clock.install()
    site = start_site()
    give_password(page, site, "caregiver", "/login?next=/account")
    heading = page.get_by_role("heading", name="Your account")
    expect(heading).to_be_visible()
    page.wait_for_load_state()  # its scripts run
    page.clock.fast_forward("01:05")
    with page.expect_response(
        lambda answer: answer.url.endswith("/session") and answer.request.method == "POST"
    ) as renewed:
        heading.click()
    assert renewed.value.json()["left"] > 1_790
