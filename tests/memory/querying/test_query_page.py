"""docs/query.md says what is there, and what the limits are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memory.library.uac import stats
from memory.project.policy.check import LONGEST_QUERY, STATE_NAMES
from memory.project.shipped import library
from memory.querying.ask import LIMITS
from memory.querying.lanes import LANES

PAGE = (Path(__file__).parents[3] / "docs" / "query.md").read_text(encoding="utf-8")
OFFERED = next(one for one in library().modules if one.name == stats.__name__.split(".")[-1])
NAMES = sorted((OFFERED.provides & library().exports) | set(STATE_NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_what_analysts_ask_with_is_named(name: str) -> None:
    assert re.search(rf"`{name}\b", PAGE)


@pytest.mark.parametrize(
    "words",
    [
        f"{LONGEST_QUERY:,} characters",
        f"{LIMITS.feed_seconds:g} s for the query, {LIMITS.total_seconds:g} s with",
        f"{LIMITS.memory_bytes // 2**20} MiB",
        f"{LIMITS.printed_bytes // 1024} KiB",
        f"{LIMITS.returned_items:,} parts, {LIMITS.returned_text:,} characters",
        f"{LIMITS.returned_depth} levels",
    ],
)
def test_the_limits_are_those_of_the_code(words: str) -> None:
    assert words in PAGE


def test_the_number_of_workers_is_told() -> None:
    assert LANES == 2
    assert "Queries have two workers of their own" in PAGE
