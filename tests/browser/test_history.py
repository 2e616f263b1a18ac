"""The history of somebody's code, and the way from a new line to the words behind it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from memory.project.review.tree import key_of
from tests.browser.conftest import PATIENCE_MS, Site, StartSite
from tests.browser.test_hostile_facts import INERT, NOTHING
from tests.facts import fact

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

OpenDashboard = Callable[[Site], Page]
RULE, HOSTILE = "rules/water.py", "rules/hostile.py"
LINES = '"""Water it.\n\nFacts: 1.\n"""\n\n\ndef check(today):\n    return []\n'
MAKE = """
from django.contrib.auth.models import User
from memory.models import MemoryUser
from tests.browser.test_history import LINES, WICKED
from tests.proposals import approved, proposed, with_files
person = MemoryUser.objects.get(pk="PERSON")
staff = User.objects.get(username="caregiver")
for text in (LINES, LINES.replace("return", "found = []\\n    return")):
    files = {"rules/water.py": text, "rules/hostile.py": WICKED}
    approved(proposed(person, with_files(person, files), facts=[1]), staff)
files = {"rules/water.py": text.replace("1.", "1, 2."), "rules/hostile.py": WICKED.upper()}
said = {"rule": "water", "key": "k", "severity": "warning", "summary": "<b data-hostile>Dry",
        "evidence": [{"kind": "notes.Note", "id": "x", "facts": [1]}]}
steps = [{"seq": 1, "on": "2026-03-06", "opened": [said], "cleared": []},
         {"seq": None, "on": "2026-04-01", "opened": [], "cleared": [said]}]
made = proposed(person, with_files(person, files), facts=[1, 2], replay=steps)
print(made.pk)
"""
WICKED = (
    "x = '<script>window.hostile=true</script><b data-hostile>'  # \u202e {{ 73*73 }}\n"
    "# </table></td><img src=x onerror=window.hostile=true>\n#" + "y" * (2**20 - 1) + "\n"
)


@pytest.fixture
def site(start_site: StartSite) -> Site:
    """A site on which the caregiver reviews too."""
    site = start_site(UAC_DEMO_WITHOUT_SECOND_FACTOR="true")
    site.grant("caregiver", "reviewer")
    return site


def told(site: Site) -> tuple[str, str]:
    """The page of a person with two versions of code, and the address of a proposal."""
    person = site.new_person("Ada")
    turns = [{"role": "user", "content": one} for one in ("Hi", "I have a fern", "It is <b>dry")]
    site.post(f"users/{person}/messages", {"messages": turns, "session": "evening"})
    for number, text in ((2, "A fern"), (3, "It is <b data-hostile>dry")):
        site.post(f"users/{person}/facts", {**fact(text), "message": number, "session": "evening"})
    made = site._manage("shell", "--verbosity", "0", "--command", MAKE.replace("PERSON", person))
    proposal = made.strip().splitlines()[-1]
    return f"{site.url}/people/{person}/code", f"{site.url}/proposals/{proposal}"


def test_versions_are_looked_through_and_blamed_by_line(
    site: Site, open_dashboard: OpenDashboard
) -> None:
    code, _ = told(site)
    page = open_dashboard(site)
    page.goto(code)
    page.get_by_role("link", name="Version 1", exact=True).first.click()
    expect(page).to_have_url(f"{code}#v1")
    page.get_by_label("What differs between").select_option("version 1")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("article", name=RULE)).to_contain_text("found = []")

    page.goto(f"{code}/2")
    page.get_by_role("link", name="water.py", exact=True).click()
    page.get_by_role("link", name="Line 7", exact=True).click()
    page.get_by_role("link", name="Line 9", exact=True).click(modifiers=["Shift"])
    address = f"{code}/2/{key_of(RULE)}#L7-L9"
    expect(page).to_have_url(address)
    expect(page.locator("tr.here")).to_have_count(3)
    page.reload()
    expect(page.locator("tr.here")).to_have_count(3)
    expect(page.get_by_role("button", name="copy the link to these lines")).to_be_visible()
    page.get_by_role("link", name="blame").click()
    expect(page).to_have_url(f"{code}/2/{key_of(RULE)}/blame#L7-L9")
    assert page.locator("td.by a").all_inner_texts() == ["v1", "v2", "v1"]
    expect(page.locator("#L8")).to_contain_text("found = []")
    expect(page.locator("#L8 td.by")).to_contain_text("caregiver")


def test_hostile_code_is_inert_wherever_it_is_shown(
    site: Site, open_dashboard: OpenDashboard
) -> None:
    code, proposal = told(site)
    page = open_dashboard(site)
    own = f"{code}/2/{key_of(HOSTILE)}"
    compared = f"{code}/compare?from=0&to=2"
    for address in (own, f"{own}/blame", f"{own}/raw", compared, code, proposal,
                    f"{proposal}?view=split"):  # fmt: skip
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, f"{address}: {answer.status}"
        assert page.evaluate(INERT) == NOTHING, address
    page.goto(own)
    expect(page.locator("#L1 .odd")).to_have_text("U+202E")
    expect(page.locator("#L3")).to_contain_text("1,048,577 characters")


def test_a_fact_opens_beside_the_line_it_is_behind(
    site: Site, open_dashboard: OpenDashboard
) -> None:
    _, proposal = told(site)
    page = open_dashboard(site)
    for view in ("unified", "split"):
        page.goto(f"{proposal}?view={view}")
        link = page.get_by_role("article", name=RULE).get_by_role("link", name="F2")
        link.click()
        beside = page.locator("tr.beside")
        expect(beside.get_by_role("blockquote")).to_have_text("It is <b data-hostile>dry")
        expect(beside.get_by_role("listitem")).to_have_count(3)
        expect(beside).to_contain_text("I have a fern")
        expect(link).to_have_attribute("aria-expanded", "true")
        assert page.evaluate(INERT) == NOTHING
        page.keyboard.press("Escape")
        expect(beside).to_have_count(0)
        expect(link).to_be_focused()


def test_without_a_script_the_link_leads_to_the_words_below(
    site: Site, open_dashboard: OpenDashboard
) -> None:
    code, proposal = told(site)
    page = open_dashboard(site)
    browser = page.context.browser
    assert isinstance(browser, Browser)
    plain = browser.new_context(
        java_script_enabled=False, storage_state=page.context.storage_state()
    ).new_page()
    plain.set_default_timeout(PATIENCE_MS)
    plain.goto(proposal)
    plain.get_by_role("article", name=RULE).get_by_role("link", name="F2").click()
    expect(plain).to_have_url(f"{proposal}#F2")
    expect(plain.locator("li#F2")).to_be_in_viewport()
    expect(plain.locator("li#F2")).to_contain_text("I have a fern")
    plain.locator("li#F2").get_by_role("link", name=f"{RULE}:3").click()
    expect(
        plain.get_by_role("article", name=RULE).get_by_role("link", name="F2")
    ).to_be_in_viewport()
    plain.goto(f"{code}/2/{key_of(RULE)}#L8")
    expect(plain.locator("tr:target")).to_contain_text("found = []")
