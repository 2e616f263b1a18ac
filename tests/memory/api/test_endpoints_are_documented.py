"""Every address of the API stands in the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from uac_site.urls import api

DOCS = Path(__file__).parents[3] / "docs"
ADDRESSES = [
    re.sub(r"<\w+:(\w+)>", r"{\1}", str(route.pattern)) for route in api if route.name != "unknown"
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_documented(address: str) -> None:
    plain = address.replace("{user_id}", "{id}")
    in_shell = address.replace("{user_id}", "$PERSON").partition("/{")[0]
    text = "".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md")))
    assert re.search(rf"/({re.escape(plain)}|{re.escape(in_shell)})(?![\w.])", text)
