"""What pages of the reference tables need beyond Django's own."""

from __future__ import annotations

import re

from django import template

register = template.Library()

WEB = re.compile(r"https?://[^\s,;]+")
DOI = re.compile(r"\bdoi:(10\.[^\s,;]+)")


@register.filter
def web_address(reference: str) -> str:
    """The address of a source whose reference holds one or a DOI, else empty."""
    if found := WEB.search(reference):
        return found[0]
    doi = DOI.search(reference)
    return f"https://doi.org/{doi[1]}" if doi else ""
