"""Every staff page as axe-core sees it: light, dark, and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.api_client import HOST as IN_PROCESS
from tests.browser.axe import violations
from tests.browser.conftest import HOST, StartSite
from tests.browser.everywhere import log_in_again
from tests.browser.whole_site import ASKED_BY_FORM, FOR_THE_LOGGED_OUT, addresses, everything

pytestmark = [pytest.mark.browser, pytest.mark.any_database]

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 420, "height": 900}
LOOKS = (("light", WIDE, ()), ("dark", WIDE, ("color-contrast",)), ("dark", PHONE, ()))
"""Theme, window and rules: the dark theme changes nothing but colours."""
SETTINGS = {
    "UAC_DEMO_WITHOUT_SECOND_FACTOR": "true",
    "ALLOWED_HOSTS": f"{HOST},{IN_PROCESS}",
}


def _looked_at(page: Page) -> list[str]:
    """What is wrong with the page at hand, in both themes and narrow."""
    found = []
    for theme, size, rules in LOOKS:
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        page.set_viewport_size(size)  # type: ignore[arg-type]
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if wide > 0:
            found.append(f"{theme}, {size['width']} px: {wide} px wider than the window")
        found += [f"{theme}, {size['width']} px: {one}" for one in violations(page, rules)]
    return found


def test_no_page_has_a_serious_violation(start_site: StartSite, page: Page) -> None:
    site = start_site(**SETTINGS)
    samples = everything(site)
    wrong: dict[str, list[str]] = {}

    def look(path: str) -> None:
        answer = page.goto(site.url + path)
        status = answer.status if answer is not None else None
        if found := _looked_at(page) if status == 200 else [f"status {status}"]:
            wrong[path] = found

    for path in FOR_THE_LOGGED_OUT:
        look(path)
    log_in_again(site, page)
    seen = list(addresses(samples))
    for path in seen:
        look(path)
    for address, field, text, result in ASKED_BY_FORM:
        path = address.format(**samples)
        page.goto(site.url + path)
        page.locator(f"main [name={field}]").first.fill(text)
        page.locator(f"main [name={field}]").first.evaluate("field => field.form.requestSubmit()")
        expect(page.locator(result)).to_be_visible()
        if found := _looked_at(page):
            wrong[f"{path}, asked"] = found
    assert len(seen) > 30
    report = "\n".join(f"{path}\n  " + "\n  ".join(found) for path, found in wrong.items())
    assert not wrong, report
