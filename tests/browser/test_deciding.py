"""A proposal is decided in a browser: by keys alone, by two, after its ground has moved."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memory.project.shipped import baseline
from tests.browser.conftest import PATIENCE_MS, Site, StartSite
from tests.browser.reviewers import REVIEWERS, SETTINGS, log_in, move, propose, shell
from tests.facts import note
from tests.memory.actions.test_editing_by_hand import QUIET, RULE, TEA, TEST, TESTS

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

SCHEMA = "domains/habits/schema.py"
SHIPPED = "rules/cancelled_charge.py"
SHOTS = os.environ.get("UAC_SHOTS", "")
"""A folder for pictures of every step."""
HOSTILE = "<script>window.hostile=true</script>{{ 73*73 }}\u202e<b data-hostile>"


class Steps:
    """What a reviewer does, step by step, each with a picture and the seconds it took."""

    def __init__(self, page: Page, name: str) -> None:
        self.page, self.name = page, name
        self.begun = self.last = time.monotonic()
        self.taken: list[tuple[str, float]] = []

    def done(self, what: str) -> None:
        now = time.monotonic()
        self.taken.append((what, round(now - self.last, 2)))
        if SHOTS:
            path = Path(SHOTS) / f"{self.name}-{len(self.taken):02}.png"
            self.page.screenshot(path=path)
            record = {"steps": self.taken, "seconds": round(now - self.begun, 2)}
            (Path(SHOTS) / f"{self.name}.json").write_text(json.dumps(record, indent=1))
        self.last = time.monotonic()


def told(site: Site) -> str:
    """Somebody who speaks of tea."""
    person = site.new_person("Ines Duarte")
    site.post(f"users/{person}/facts", {"facts": [note("Tea again"), note("And tea")]})
    return person


def shown(site: Site, page: Page, proposal: str) -> None:
    page.goto(f"{site.url}/proposals/{proposal}")
    expect(page.get_by_text("? keys")).to_be_visible()  # the script listens


def focused(page: Page) -> str:
    """The text of what has the focus."""
    text: str = page.evaluate("document.activeElement.textContent.trim()")
    return text


def test_a_reviewers_minute_by_keys_alone(start_site: StartSite, page: Page) -> None:
    """Three files, a doubt, a comment, an approval; the mouse is not touched, nor the page left."""
    site = start_site(worker=True, **SETTINGS)
    shell(site, REVIEWERS)
    person = told(site)
    shipped = baseline().files[SHIPPED].replace('severity="warning"', 'severity="info"', 1)
    proposal = propose(site, person, {RULE: TEA, TEST: TESTS, SHIPPED: shipped})
    log_in(site, page, "first")
    steps = Steps(page, "minute")
    shown(site, page, proposal)
    steps.done("the page is open")
    press = page.keyboard.press
    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    steps.done("? shows the keys")
    press("Escape")
    for path in sorted((RULE, SHIPPED, TEST)):
        press("j")
        assert path in page.evaluate("document.activeElement.getAttribute('aria-label')")
        steps.done(f"J: {path}")
    press("k")
    press("k")
    press("n")
    assert focused(page).isdigit()
    steps.done("N: the next change")
    press("Enter")
    said = page.get_by_label("Comment on")
    expect(said).to_be_focused()
    page.keyboard.type("Why is this one only information now?")
    steps.done("Enter, and a comment is written below the line")
    press("Tab")
    press("Enter")
    expect(page.locator("#comments")).to_contain_text("only information now?")
    steps.done("the comment stands")
    press("a")
    press("Enter")
    assert page.url.endswith(proposal)  # the browser asks for the tick before anything is sent
    steps.done("A, Enter: the doubt is not ticked yet, so nothing happens")
    boxes = page.locator("#doubts input[type=checkbox]")
    for _ in range(boxes.count()):
        press("t")
        press("Space")
    assert all(box.is_checked() for box in boxes.all())
    steps.done("T, Space: every doubt is ticked")
    press("a")
    expect(page.get_by_role("button", name="Approve")).to_be_focused()
    press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Approved: the code is active")
    expect(page.get_by_text("looked at and ticked")).to_be_visible()
    steps.done("A, Enter: approved; who, when and what was ticked stands there")
    assert page.url.endswith(f"{proposal}#main")
    assert sum(seconds for _, seconds in steps.taken) < 60, steps.taken


def test_the_other_keys_reject_and_edit(start_site: StartSite, page: Page) -> None:
    site = start_site(worker=True, **SETTINGS)
    shell(site, REVIEWERS)
    person = told(site)
    proposal = propose(site, person, {RULE: TEA, TEST: TESTS})
    log_in(site, page, "first")
    shown(site, page, proposal)
    page.keyboard.press("e")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Have it checked")).to_be_visible()
    expect(page.get_by_label(f"Text of {RULE}")).to_have_value(TEA)

    page.get_by_label(f"Text of {RULE}").fill(
        TEA.replace("MOST)", "LEAST)").replace("MOST:", "LEAST:")
    )
    page.get_by_label("What changes, and why?").fill("Less tea")
    page.get_by_role("button", name="Check and propose").click()
    expect(page.get_by_role("heading", name="It did not pass")).to_be_visible()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "edit-failed.png", full_page=True)
    page.get_by_role("button", name=f"{RULE}:").first.click()
    page.wait_for_url("**line=17")
    expect(page.locator("#text")).to_be_focused()
    assert "LEAST" in page.evaluate(
        "(text => text.value.slice(text.selectionStart, text.selectionEnd))"
        "(document.querySelector('#text'))"
    )
    page.get_by_label(f"Text of {RULE}").fill(TEA.replace("Much tea", "Very much tea"))
    page.get_by_role("button", name=TEST).click()
    page.get_by_label(f"Text of {TEST}").fill(TESTS.replace("Much tea", "Very much tea"))
    page.get_by_label("What changes, and why?").fill("In other words")
    page.get_by_role("button", name="Check and propose").click()
    expect(page.get_by_text("written by hand by first", exact=True)).to_be_visible()
    expect(page.get_by_text("You cannot approve this:")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "own-proposal.png", full_page=True)
    own = page.url

    log_in(site, page, "second")
    page.goto(own)
    expect(page.get_by_text("? keys")).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.type("Not like this")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Rejected")
    expect(page.get_by_text("Not like this")).to_be_visible()


def test_two_reviewers_where_it_is_critical(start_site: StartSite, page: Page) -> None:
    site = start_site(UAC_TWO_APPROVALS="critical", **SETTINGS)
    shell(site, REVIEWERS)
    person = told(site)
    proposal = propose(site, person, {RULE: TEA.replace('"info"', '"critical"'), TEST: TESTS})
    log_in(site, page, "first")
    shown(site, page, proposal)
    expect(page.get_by_role("heading", name="0 of 2 approvals")).to_be_visible()
    page.get_by_role("button", name="Approve, 1 of 2").click()
    expect(page.get_by_role("status")).to_contain_text("becomes active with that of another")
    expect(page.get_by_role("heading", name="1 of 2 approvals")).to_be_visible()
    expect(page.get_by_text("You have approved it.")).to_be_visible()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "one-of-two.png")
    log_in(site, page, "second")
    shown(site, page, proposal)
    page.get_by_role("button", name="Approve, 2 of 2").click()
    expect(page.get_by_role("status")).to_contain_text("Approved: the code is active")
    expect(page.get_by_text("Approved by 2 reviewers")).to_be_visible()


def test_code_that_moved_is_rebuilt_before_it_is_approved(
    start_site: StartSite, page: Page
) -> None:
    site = start_site(worker=True, **SETTINGS)
    shell(site, REVIEWERS)
    person = told(site)
    proposal = propose(site, person, {RULE: TEA, TEST: TESTS})
    log_in(site, page, "first")
    shown(site, page, proposal)
    move(site, person, {"rules/quiet.py": QUIET})
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Nothing was approved: the person's code has changed")).to_be_visible()
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / "moved.png")
    page.get_by_role("button", name="Rebuild").click()
    newer = page.get_by_role("link", name="Another proposal for Ines Duarte")
    for _ in range(PATIENCE_MS // 250):
        page.goto(f"{site.url}/proposals/{proposal}")
        if newer.count():
            break
        page.wait_for_timeout(250)
    newer.click()
    expect(page.get_by_text("Rebuilt on the code that is active now.")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status")).to_contain_text("Approved: the code is active")


def test_hostile_code_and_comments_are_inert_and_a_megabyte_in_a_line_is_cut(
    start_site: StartSite, page: Page
) -> None:
    site = start_site(**SETTINGS)
    shell(site, REVIEWERS)
    person = told(site)
    long = f'"""{HOSTILE}"""\nLONG = "{HOSTILE}{"x" * 1_000_000}"\n'
    closing = "</textarea></script><img src=x onerror=window.hostile=true>"
    hostile = f'"""{HOSTILE}"""\n\n# {HOSTILE} {closing}\n'
    proposal = propose(site, person, {"rules/long.py": long, RULE: hostile})
    log_in(site, page, "first")
    before = time.monotonic()
    shown(site, page, proposal)
    assert time.monotonic() - before < PATIENCE_MS / 1_000
    assert len(page.content()) < 500_000
    article = page.get_by_role("article", name="rules/long.py")
    expect(article).to_contain_text("of which the first 2,000 are shown")
    with page.expect_download() as download:
        article.get_by_role("link", name="whole file").click()
    assert download.value.path().read_text() == long
    page.get_by_role("article", name=RULE).locator("a[data-at]").first.click()
    page.get_by_label("Comment on").fill(HOSTILE)
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#comments")).to_contain_text("<script>window.hostile=true")
    for address in ("", "?view=split"):
        page.goto(f"{site.url}/proposals/{proposal}{address}")
        assert page.evaluate("window.hostile") is None
        assert page.locator("[data-hostile], main script, main iframe, main img").count() == 0
        assert "5329" not in page.locator("main").inner_text()
    page.locator("[data-edit-by-hand]").click()
    expect(page.get_by_role("heading", name="Have it checked")).to_be_visible()
    assert page.evaluate("window.hostile") is None
    assert page.locator("[data-hostile], main script").count() == 0
    if SHOTS:
        page.goto(f"{site.url}/proposals/{proposal}")
        page.screenshot(path=Path(SHOTS) / "megabyte.png")
