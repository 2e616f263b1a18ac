"""Figures are counted anew in every test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from uac_site.operations.checks import READY
from uac_site.operations.figures.all import FIGURES, RULES
from uac_site.operations.figures.kept import Kept
from uac_site.operations.page import DAYS

EVERY: tuple[Kept[Any], ...] = (READY, FIGURES, RULES, DAYS)


@pytest.fixture(autouse=True)
def _counted_anew() -> Iterator[None]:
    """Nothing is kept from one test to the next."""
    for kept in EVERY:
        kept.forget()
    yield
    for kept in EVERY:
        kept.forget()
