"""What the tests of alerts share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic

import pytest

from memory.sandbox.pool import pool


@pytest.fixture
def no_room() -> Iterator[None]:
    """Every worker of the sandbox is at work."""
    with ExitStack() as busy:
        for _ in range(pool().size):
            busy.enter_context(pool().keeper(monotonic() + 30.0))
        yield
