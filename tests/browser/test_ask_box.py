"""The question box in a real browser: an answer with a chart, and its query changed and run."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, StartSite
from tests.facts import trip
from tests.memory.answering.conftest import UNKNOWN, query
from tests.model_server import answers, model_server

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

BY_COUNTRY = "rests_on = trips\ncount_by(rests_on, lambda t: t.country)"


def test_a_question_is_answered_on_the_page_and_its_query_edited(
    start_site: StartSite, open_dashboard: Callable[[Site], Page]
) -> None:
    with model_server() as model:
        model.plays(answers(query(BY_COUNTRY, "By country: {value}.")), answers(UNKNOWN))
        site = start_site(OPENAI_BASE_URL=model.url, UAC_MODEL="small")
        person = site.new_person("Ada")
        for number, country in enumerate(("Italy", "Italy", "Norway"), start=1):
            said = trip(f"Town {number}", f"2026-{number:02d}-01", country=country)
            site.post(f"users/{person}/facts", said)
        page = open_dashboard(site)
        refused: list[str] = []
        page.on("console", lambda said: refused.append(said.text) if said.type == "error" else None)
        page.goto(f"{site.url}/people/{person}?tab=query")

        question = page.get_by_label("Ask", exact=True)
        question.fill("How many trips did I take to each country?")
        question.press("Control+Enter")
        result = page.locator("#ask-result")
        expect(result.locator(".said")).to_have_text("By country: Italy: 2, Norway: 1.")
        bars = result.locator("figure.bars rect")
        expect(bars).to_have_count(2)
        assert bars.first.bounding_box()["width"] > 100  # type: ignore[index]
        expect(result.locator("tbody tr")).to_have_count(2)
        expect(result).to_contain_text("Rests on 3 records")
        if folder := os.environ.get("UAC_SCREENSHOTS"):
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.screenshot(path=f"{folder}/ask-{scheme}.png", full_page=True)
            page.emulate_media(color_scheme="light")

        # The query stands in the console at once; changed, it is run as any other.
        code = page.get_by_label("Ask in Python")
        expect(code).to_have_value(f"{BY_COUNTRY}\n")
        code.fill("count_by(trips, lambda t: month_key(t.departs_on))")
        page.get_by_role("button", name="Run Ctrl").click()
        expect(page.locator("#query-result figure.columns rect")).to_have_count(3)
        if folder := os.environ.get("UAC_SCREENSHOTS"):
            page.screenshot(path=f"{folder}/ask-columns.png", full_page=True)

        question.fill("Where is my umbrella?")
        page.get_by_role("button", name="Ask Ctrl").click()
        expect(result.locator(".said")).to_have_text("Not known.")
        expect(question).to_have_value("Where is my umbrella?")
        assert refused == []
