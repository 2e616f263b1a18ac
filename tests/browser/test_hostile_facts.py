"""Hostile texts in every field of every kind of record are shown as text, on every page."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Dialog, Page, Request, expect

from memory.project.person_bundle import check
from tests.browser.conftest import Site, StartSite
from tests.browser.everywhere import SETTINGS, log_in, pages_of
from tests.facts import allergy, fact, medication, note, reading, trip

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

CORPUS = Path(__file__).with_name("hostile.txt")
MARKED = "window.hostile"
INERT = f"""() => ({{
    ran: {MARKED} === true || document.title.includes("PWNED"),
    made: document.querySelectorAll("[data-hostile], iframe, object, embed, main base, "
        + "main script:not([src]):not([type='application/json'])").length,
    handlers: [...document.querySelectorAll("*")].filter(one => [...one.attributes].some(
        attribute => /^on/i.test(attribute.name))).length,
    links: [...document.querySelectorAll("a[href], form[action]")].map(
        one => one.getAttribute("href") || one.getAttribute("action") || "").filter(
        where => /^\\s*(javascript|data|vbscript):/i.test(where)
            || where.includes("evil.example")).length,
    computed: document.body.innerText.includes("5329"),
}})"""
NOTHING = {"ran": False, "made": 0, "handlers": 0, "links": 0, "computed": False}


def hostile_texts() -> list[str]:
    """A text a line, as JSON strings, so that control and bidi characters can be seen."""
    lines = CORPUS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line and not line.startswith("#")]


def told(site: Site, texts: list[str]) -> str:
    """A person of whom all of it has been said, in every place there is."""
    made = site.post(
        "users", {"external_id": texts[0][:200], "display_name": texts[0].replace("\n", " ")[:200]}
    )
    own = f"users/{made['user_id']}"
    for number, text in enumerate(texts):
        short = text[:150]
        site.post(
            f"{own}/facts",
            {"facts": [
                {**fact(text), "source": short, "session": short, "metadata": {"x": text}},
                note(text),
                allergy(f"{short} penicillin", reaction=text),
                medication(f"amoxicillin {short}", dose=short),
                trip(f"{short} {number}", "2027-01-01", country=short),
                fact(text, reading("odd.Thing", title=text, note=f"{text} {number}")),
            ]},
        )  # fmt: skip
        turn = {"role": short[:40] or "user", "content": text}
        site.post(f"{own}/messages", {"messages": [turn], "session": short})
    return str(made["user_id"])


def test_nothing_hostile_runs_or_shows_as_anything_but_text(
    start_site: StartSite, page: Page
) -> None:
    texts = hostile_texts()
    site = start_site(worker=True, **SETTINGS)
    page.goto(f"{site.url}/login")
    strangers: list[str] = []
    dialogs: list[str] = []

    def note_stranger(request: Request) -> None:
        if not request.url.startswith((site.url, site.url.replace("http", "ws"), "data:")):
            strangers.append(request.url)

    def note_dialog(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("request", note_stranger)
    page.on("dialog", note_dialog)
    log_in(site, page)
    person = told(site, texts)
    _wait_for_proposal(site, page)
    visited = 0
    for path in pages_of(page, site, person):
        assert page.evaluate(INERT) == NOTHING, path
        visited += 1
    assert visited > 25
    assert (strangers, dialogs) == ([], [])
    _bidi_is_visible(site, page)
    _exports_are_inert(site, page, person, texts)


def _wait_for_proposal(site: Site, page: Page) -> None:
    for _ in range(60):
        page.goto(f"{site.url}/proposals")
        if page.locator("a[href^='/proposals/']").count():
            return
        page.wait_for_timeout(500)
    raise AssertionError("no proposal came")


def _bidi_is_visible(site: Site, page: Page) -> None:
    """A name that turns the direction does so within itself alone."""
    page.goto(f"{site.url}/people")
    expect(page.locator("tbody th bdi").first).to_be_visible()


def _exports_are_inert(site: Site, page: Page, person: str, texts: list[str]) -> None:
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    token = page.locator("input[name=csrfmiddlewaretoken]").first.input_value()
    with httpx.Client(base_url=site.url, cookies=cookies, timeout=60) as client:
        headers = {"Referer": site.url, "X-CSRFToken": token}
        exported = client.post(f"/people/{person}/export", headers=headers)
        audited = client.post("/audit.csv", headers=headers)
    assert exported.headers["content-type"] == "application/zip"
    assert "attachment" in exported.headers["content-disposition"]
    assert check(exported.content).faults == ()
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        assert all(not name.startswith(("/", "..")) for name in archive.namelist())
        lines = archive.read("log/facts.jsonl").decode().split("\n")[:-1]
    facts = [json.loads(line) for line in lines]
    assert {json.loads(row["canonical"])["text"] for row in facts} >= set(texts)
    rows: list[list[str]] = list(csv.reader(io.StringIO(audited.text)))
    assert len(rows) > 25
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    whole = audited.text
    assert not any(text in whole for text in texts if len(text) > 8)


def test_the_corpus_has_every_sort(request: Any) -> None:
    texts = hostile_texts()
    whole = "\n".join(texts)
    assert len(texts) >= 40
    for sort in (
        "<script",
        "onerror",
        "{{",
        "{%",
        "${",
        "\u202e",
        "=cmd",
        "@SUM",
        "Ignore all",
        "]]>",
    ):
        assert sort in whole, sort
