"""Every address there is, from the resolver itself, so that a new one cannot be forgotten."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

CONVERTED = re.compile(r"<(?:\w+:)?(\w+)>")
GROUPED = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
API = "api/v1/"


def routes(patterns: Sequence[Any] | None = None, before: str = "") -> Iterator[str]:
    """The route of each pattern, such as `people/<uuid:user_id>`."""
    found = get_resolver().url_patterns if patterns is None else patterns
    for pattern in found:
        route = before + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


def pages() -> list[str]:
    """Routes that a browser opens."""
    return sorted({route for route in routes() if not route.startswith(API)})


def resources() -> list[str]:
    """Routes of the API."""
    return sorted({route for route in routes() if route.startswith(API)})


def shown(route: str) -> str:
    """A route as the table shows it, with the names of its parts alone."""
    plain = GROUPED.sub(lambda found: f"<{found[1]}>", CONVERTED.sub(r"<\1>", route))
    return "/" + plain.removesuffix("$").replace(r"\Z", "")


def address(route: str, sample: Callable[[str, str], str]) -> str:
    """The address of a sample: `sample` gives the value of each part of a route."""
    return re.sub(r"<(\w+)>", lambda found: sample(route, found[1]), shown(route))
