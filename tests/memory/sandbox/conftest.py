"""What the sandbox's tests share: a clock, small limits, and a way to run one piece of code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from memory.sandbox import Feed, Limits, Outcome, Pool, Program, close, run

KOLKATA = timezone(timedelta(hours=5, minutes=30))
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=KOLKATA)

RunCode = Callable[..., Outcome]


@pytest.fixture
def small() -> Limits:
    """Limits that hostile code reaches soon."""
    return Limits(total_seconds=1.5, feed_seconds=0.25, memory_bytes=32 * 1024**2, recursion=200)


@pytest.fixture
def run_code() -> RunCode:
    """Run pieces of code as the feeds `first.py`, `second.py`, … of one program."""

    def run_feeds(*codes: str, seed: int = 0, **options: Any) -> Outcome:
        names = ["first.py", "second.py", "third.py"]
        feeds = tuple(Feed(name, code) for name, code in zip(names, codes, strict=False))
        return run(Program(feeds, now=NOW, seed=seed), **options)

    return run_feeds


@pytest.fixture
def one_worker() -> Iterator[Pool]:
    """A pool of one worker, closed afterwards."""
    pool = Pool(1)
    yield pool
    pool.close()


@pytest.fixture(scope="session", autouse=True)
def _close_workers() -> Iterator[None]:
    yield
    close()


def children(pid: int) -> list[int]:
    """The process ids of a process's children, whichever of its threads started them."""
    tasks = Path(f"/proc/{pid}/task")
    return [
        int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()
    ]
