"""A drug name said of one person is nowhere but on pages for those who may see it.

Not in a log line, an address, a message of the socket, what the browser keeps, or an error page.
"""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, Request, WebSocket, expect

from tests.browser.conftest import Site, StartSite
from tests.browser.everywhere import SETTINGS, log_in, pages_of
from tests.facts import allergy, fact, medication, reading

pytestmark = pytest.mark.browser

CANARY = "canarycillin"
KEPT = """() => JSON.stringify([Object.entries(localStorage),
    Object.entries(sessionStorage), document.cookie, history.state])"""
BREAK = "from django.db import connection; connection.cursor().execute('{}')"
TAKE = "ALTER TABLE memory_record RENAME TO memory_record_away"
GIVE = "ALTER TABLE memory_record_away RENAME TO memory_record"


def said(site: Site) -> str:
    """A person of whom the drug is known in many ways, with an alert that names it."""
    person = site.new_person("Ada")
    own = f"users/{person}"
    site.post(f"{own}/facts", allergy("penicillin", severity="severe"))
    site.post(f"{own}/facts", medication(f"Amoxicillin {CANARY}", dose=CANARY))
    for number in range(210):  # more than a page of records holds, each with the name in its id
        if number % 70 == 0:
            some = [medication(f"{CANARY} {number + one}") for one in range(70)]
            site.post(f"{own}/facts", {"facts": some})
    site.post(f"{own}/facts", fact(CANARY, reading("odd.Thing", name=CANARY)))
    site.post(f"{own}/messages", {"messages": [{"role": "user", "content": CANARY}]})
    return person


def use(site: Site, page: Page, person: str) -> None:
    """Every page, the second page of a list, a search, a query, and an alert that is dealt with."""
    for _ in pages_of(page, site, person):
        assert CANARY not in page.evaluate(KEPT)
    page.goto(f"{site.url}/people/{person}?tab=state&kind=health.Medication")
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile("after="))
    page.goto(f"{site.url}/people")
    page.get_by_placeholder("Name or id").fill(CANARY)
    page.get_by_role("button", name="Search").click()
    page.goto(f"{site.url}/people/{person}?tab=query")
    page.get_by_label("Ask in Python").fill(
        f"[m for m in medications if '{CANARY}' in m.name][0].nme"
    )
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#query-result")).to_contain_text("did you mean")
    page.goto(f"{site.url}/")
    expect(page.locator("[data-live-light]")).to_have_attribute("data-state", "live")
    site.post(f"users/{person}/facts", medication(f"Amoxicillin {CANARY} forte"))
    page.get_by_role("button", name="Acknowledge").first.click()
    page.wait_for_timeout(1_000)


def api_errors(site: Site, person: str) -> list[str]:
    """Problems that the API answers with to requests about the person that say nothing of it."""
    found = []
    with httpx.Client(base_url=f"{site.url}/api/v1/", timeout=30) as client:
        for key in (site.secret, "uac_wrong"):
            headers = {"Authorization": f"Bearer {key}"}
            for path in (
                "facts?limit=x",
                "state/no.Kind",
                "code/file?path=none",
                "facts?cursor=-1",
            ):
                found.append(client.get(f"users/{person}/{path}", headers=headers).text)
            found.append(client.post(f"users/{person}/facts", headers=headers, json={}).text)
            query = {"code": "medications[0].name + 1"}
            found.append(client.post(f"users/{person}/query", headers=headers, json=query).text)
        one = client.get(
            f"users/{person}/state/health.Medication",
            params={"limit": 1},
            headers={"Authorization": f"Bearer {site.secret}"},
        )
        found.append(one.json()["next"])
    return found


def error_pages(site: Site, page: Page, person: str) -> list[str]:
    """Pages not found, and one that breaks because a table is not there."""
    found = []
    for path in ("/nowhere", "/people/00000000-0000-0000-0000-000000000000"):
        page.goto(site.url + path)
        found.append(page.content())
    site._manage("shell", "--verbosity", "0", "--command", BREAK.format(TAKE))
    answer = page.goto(f"{site.url}/people/{person}")
    assert answer is not None
    assert answer.status == 500
    found.append(page.content())
    posted = httpx.post(
        f"{site.url}/api/v1/users/{person}/facts",
        json=medication(f"another {CANARY}"),
        headers={"Authorization": f"Bearer {site.secret}"},
        timeout=30,
    )
    assert posted.status_code == 500
    found.append(posted.text)
    site._manage("shell", "--verbosity", "0", "--command", BREAK.format(GIVE))
    return found


def test_the_name_of_a_drug_is_nowhere_it_should_not_be(start_site: StartSite, page: Page) -> None:
    site = start_site(worker=True, **SETTINGS)
    urls: list[str] = []
    frames: list[str] = []

    def note_request(request: Request) -> None:
        urls.append(request.url)
        urls.append(request.headers.get("referer", ""))

    def note_socket(socket: WebSocket) -> None:
        urls.append(socket.url)
        for way in ("framesent", "framereceived"):
            socket.on(way, lambda frame: frames.append(str(frame)))

    page.on("request", note_request)
    page.on("websocket", note_socket)
    log_in(site, page)
    person = said(site)
    use(site, page, person)
    assert CANARY in page.content() or page.goto(f"{site.url}/people/{person}?tab=facts")
    assert CANARY in page.content()
    failed = [*error_pages(site, page, person), *api_errors(site, person)]
    assert len(urls) > 200
    assert any("acknowledged" in frame or "opened" in frame for frame in frames)
    logs = "\n".join(path.read_text() for path in _logs(site))
    assert "OperationalError" in logs or "ProgrammingError" in logs
    for where, texts in (("address", urls), ("push", frames), ("error", failed), ("log", [logs])):
        assert [text for text in texts if CANARY in text.casefold()] == [], where


def _logs(site: Site) -> list[Path]:
    found = sorted(site.folder.glob("*.log"))
    assert len(found) == 2
    return found
