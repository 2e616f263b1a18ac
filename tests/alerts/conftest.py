"""What the tests of alerts share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from memory.project import shipped
from memory.sandbox.pool import pool
from tests.shipped_copy import ShippedCopy, forget


@pytest.fixture
def no_room() -> Iterator[None]:
    """Every worker of the sandbox is at work."""
    with ExitStack() as busy:
        for _ in range(pool().size):
            busy.enter_context(pool().keeper(monotonic() + 30.0))
        yield


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ShippedCopy]:
    """The shipped code, to change at will."""
    copy = ShippedCopy(tmp_path)
    monkeypatch.setattr(shipped, "SHIPPED", copy.folder)
    forget()
    yield copy
    monkeypatch.undo()
    forget()
