"""A caregiver watches a conversation being read, and ends it, without a reload."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartSite
from tests.browser.test_live_dashboard import assert_never_reloaded, remember_this_page
from tests.memory.checkpointer.reading.conftest import answer, entry
from tests.model_server import Act, Connection, Request, Script, answers, model_server, silence

pytestmark = pytest.mark.browser

OpenDashboard = Callable[[Site], Page]
PATIENCE = 60.0


@pytest.fixture
def model() -> Iterator[Script]:
    """A model that plays what a test says."""
    with model_server() as script:
        yield script


def _nothing_in(count: int, go: Event) -> Act:
    """Nothing to remember in so many messages, once the test lets the model answer."""
    said = answers(answer(*[entry(at, nothing="talk") for at in range(1, count + 1)]))

    def act(to: Connection, request: Request) -> None:
        assert go.wait(PATIENCE)
        said(to, request)

    return act


def _site(start_site: StartSite, model: Script) -> Site:
    return start_site(
        worker=True,
        OPENAI_BASE_URL=model.url,
        OPENAI_API_KEY="sk-test",
        UAC_MODEL="small",
        WORKER_PROCESSES="1",
    )


def _say(site: Site, person: str, count: int) -> None:
    turns = [{"role": "user", "content": f"Talk number {at}"} for at in range(count)]
    site.post(f"users/{person}/messages", {"messages": turns})


def test_the_line_follows_the_job_to_its_end(
    start_site: StartSite, open_dashboard: OpenDashboard, model: Script
) -> None:
    first, second = Event(), Event()
    model.plays(_nothing_in(12, first), _nothing_in(8, second))
    site = _site(start_site, model)
    person = site.new_person("Ada")
    page = open_dashboard(site)
    page.goto(f"{site.url}/people/{person}")
    remember_this_page(page)
    line = page.locator("#person-work .job")
    expect(line).to_have_count(0)

    _say(site, person, 20)
    expect(line).to_contain_text("asking the model")
    expect(line).to_contain_text("0 of 20")
    expect(page.locator("#person-reading")).to_contain_text("20 to be read")
    first.set()
    expect(line).to_contain_text("12 of 20")
    expect(page.get_by_role("progressbar", name="Reading")).to_have_attribute("value", "12")
    second.set()
    expect(line).to_have_count(0)
    expect(page.locator("#person-reading")).to_contain_text("0 to be read")
    assert_never_reloaded(page)


def test_a_click_ends_it(
    start_site: StartSite, open_dashboard: OpenDashboard, model: Script
) -> None:
    model.plays(silence)
    site = _site(start_site, model)
    person = site.new_person("Ada")
    _say(site, person, 3)
    page = open_dashboard(site)
    page.goto(f"{site.url}/people/{person}")
    expect(page.locator("#person-work .job")).to_contain_text("asking the model")
    page.get_by_role("button", name="Cancel Reading").click()
    expect(page.get_by_text("Cancelled. What was not done waits")).to_be_visible()
    expect(page.locator("#person-work .job")).to_have_count(0)
    expect(page.locator("#person-reading")).to_contain_text("3 to be read")
    page.locator("#person-reading a").click()
    expect(page).to_have_url(re.compile("/reading$"))
    expect(page.get_by_text("It waits: cancelled by caregiver")).to_be_visible()
    model.plays(_nothing_in(3, _at_once()))
    page.get_by_role("button", name="Read now").click()
    expect(page.get_by_text("It is being read.")).to_be_visible()


def _at_once() -> Event:
    event = Event()
    event.set()
    return event
