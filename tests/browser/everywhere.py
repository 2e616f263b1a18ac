"""Somebody of every role, and every page on which something of a person may stand."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Site

SETTINGS = {"UAC_DEMO_WITHOUT_SECOND_FACTOR": "true", "LOG_LEVEL": "DEBUG"}
MAKE_EVERYTHING = f"""
from django.contrib.auth.models import User
from django.utils import timezone
from memory.models import App, RoleGrant, Team, TeamMembership
from memory.rights import Role
now = timezone.now()
staff = User.objects.create_superuser("everything", password={PASSWORD!r})
team = Team.objects.create(name="Everybody's", created_at=now)
TeamMembership.objects.create(team=team, staff=staff, starts_at=now)
for role in Role.values:
    RoleGrant.objects.create(staff=staff, role=role, starts_at=now)
App.objects.update(team=team)
"""
PAGES = (
    *("/", "/alerts", "/people", "/proposals", "/proposals?status=decided", "/audit", "/data"),
    *("/rules", "/rules/drug_allergy", "/tables", "/tables?q=amoxicillin", "/try"),
    *("/account", "/api/v1/docs", "/admin/", "/admin/memory/memoryuser/", "/admin/memory/job/"),
)
TABS = ("overview", "facts", "state", "alerts", "query")
OF_PERSON = ("fragment", "needs", "code", "data", "rules/drug_allergy")


def log_in(site: Site, page: Page) -> None:
    """As the member of staff with every role, who is made for it."""
    site._manage("shell", "--verbosity", "0", "--command", MAKE_EVERYTHING)
    log_in_again(site, page)


def log_in_again(site: Site, page: Page) -> None:
    """As the member of staff with every role, who is there already."""
    page.goto(f"{site.url}/login")
    page.get_by_label("User name").fill("everything")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("link", name="People", exact=True)).to_be_visible()


def pages_of(page: Page, site: Site, person: str) -> Iterator[str]:
    """Visit every page there is of the site and of a person, and say which it is."""
    paths = [
        *PAGES,
        *(f"/people/{person}?tab={tab}" for tab in TABS),
        *(f"/people/{person}/{part}" for part in OF_PERSON),
        f"/admin/memory/memoryuser/{person}/change/",
    ]
    for path in paths:
        page.goto(site.url + path)
        yield path
    for place, link in (("/", "a[href*='alert=']"), ("/proposals", "a[href^='/proposals/']")):
        page.goto(site.url + place)
        found = page.locator(link).evaluate_all("links => links.map(one => one.href)")
        for address in sorted(set(found))[:5]:
            page.goto(address)
            yield address.removeprefix(site.url)
