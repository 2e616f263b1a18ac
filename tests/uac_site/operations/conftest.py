"""Figures are counted anew in every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.project import shipped
from tests.shipped_copy import ShippedCopy, forget
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


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ShippedCopy]:
    """The shipped code, to change at will."""
    copy = ShippedCopy(tmp_path)
    monkeypatch.setattr(shipped, "SHIPPED", copy.folder)
    forget()
    yield copy
    monkeypatch.undo()
    forget()
