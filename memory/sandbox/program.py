"""What goes into the sandbox and what comes out of it: plain values, no behaviour."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

MiB = 1024 * 1024

Value: TypeAlias = Any
"""None, bool, int, float, str, bytes, date, datetime, time, timedelta, Decimal, `Instance`, and
list, tuple, dict, set, frozenset of these. Nothing else crosses the border in either direction."""


@dataclass(frozen=True)
class Instance:
    """An object of a class that the sandboxed code defined: the class's name and the attributes.

    Both are chosen by that code; nothing says that `name` is the class one expects.
    """

    name: str
    attributes: dict[str, Value]


@dataclass(frozen=True)
class Encoded:
    """An input in the form in which it crosses the border, made ahead for many runs (`encoded`)."""

    data: Any


@dataclass(frozen=True)
class Feed:
    """One source file. All feeds of a program share one namespace, in order.

    `name` stands in for the file in messages; `inputs` become globals before the code runs.
    The feed's value is that of its last statement if that is an expression, else None.
    """

    name: str
    code: str
    inputs: Mapping[str, Value | Encoded] = field(default_factory=dict)


@dataclass(frozen=True)
class Prefix:
    """What programs begin with that differ only in the rest: a state, say, under many queries.

    A worker that ran it lately restores it instead of running it again. `key` must name all that
    the feeds hold; `feeds` is called only where no worker has it. The restored session is a copy:
    nothing a program does to it is seen by the next. What is `personal` is not kept for long.
    """

    key: str
    feeds: Callable[[], tuple[Feed, ...]]
    personal: bool = True


@dataclass(frozen=True)
class Program:
    """Feeds that run one after the other in a fresh session, or in one restored from `prefix`.

    `now` is the frozen clock: aware, in the person's local time; only its offset is kept, so the
    code sees one fixed zone. `stubs` declares names for the type checker (`today: date`), which
    does not know the inputs.
    """

    feeds: tuple[Feed, ...]
    now: datetime
    seed: int = 0
    stubs: str = ""
    prefix: Prefix | None = None

    def __post_init__(self) -> None:
        if self.now.utcoffset() is None:
            raise ValueError("Program.now must be aware: the person's local time with its offset.")


@dataclass(frozen=True)
class Limits:
    """What one run may use; going past any of these is a `LimitExceeded`."""

    total_seconds: float = 5.0
    """From the call to the answer: waiting for a worker, starting one, and all feeds."""
    feed_seconds: float = 2.0
    """Execution time of any one feed."""
    memory_bytes: int = 128 * MiB
    recursion: int = 400
    printed_bytes: int = 64 * 1024
    returned_items: int = 20_000
    """Values in all results together, counting each time a shared one is seen."""
    returned_text: int = 1_000_000
    """Characters in all returned text together."""
    returned_depth: int = 24


@dataclass(frozen=True)
class Outcome:
    """What a program gave: one value a feed, all it printed, and how long it took."""

    values: tuple[Value, ...]
    printed: str
    seconds: float
