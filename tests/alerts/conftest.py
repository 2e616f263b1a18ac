"""What the tests of alerts share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.project import shipped
from tests.shipped_copy import ShippedCopy, forget


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ShippedCopy]:
    """The shipped code, to change at will."""
    copy = ShippedCopy(tmp_path)
    monkeypatch.setattr(shipped, "SHIPPED", copy.folder)
    forget()
    yield copy
    monkeypatch.undo()
    forget()
