"""Who reads a page, for the tags that show only what they may see."""

from __future__ import annotations

from typing import Any


def reader(context: dict[str, Any]) -> Any:
    """Who reads the page; None where no request is at hand."""
    return context["request"].user if "request" in context else None
