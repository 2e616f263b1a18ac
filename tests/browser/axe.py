"""axe-core on an open page: what it calls serious or critical."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

GRAVE = ("serious", "critical")
ALIKE = "tbody tr:nth-child(n+41)"
"""Rows of a long table or of code, which the same template makes as the forty before them."""
RUN = f"""rules => axe.run(
    {{include: [["html"]], exclude: [[{ALIKE!r}]]}},
    {{resultTypes: ["violations"], ...(rules.length && {{runOnly: rules}})}})"""


def violations(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """A line for each rule and element that is violated gravely; empty where all is well.

    `rules` are the names of those to look at, such as `color-contrast`; without any, all.

    The script is evaluated by the debugger, as no policy of a page would let it in. What moves is
    looked at where it comes to rest: a colour half way to that of another theme is nobody's.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate("() => document.getAnimations().forEach(one => one.finish())")
    found = page.evaluate(RUN, list(rules))["violations"]
    return [
        f"{one['id']} ({one['impact']}) {' '.join(map(str, node['target']))}: {node['html'][:160]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
