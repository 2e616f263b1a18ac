"""axe-core on an open page: what it calls serious or critical."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

GRAVE = ("serious", "critical")
RUN = "() => axe.run(document, {resultTypes: ['violations']})"


def violations(page: Page) -> list[str]:
    """A line for each rule and element that is violated gravely; empty where all is well.

    The script is evaluated by the debugger, as no policy of a page would let it in.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN)["violations"]
    return [
        f"{one['id']} ({one['impact']}) {' '.join(map(str, node['target']))}: {node['html'][:160]}"
        for one in found
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
