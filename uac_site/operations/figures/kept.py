"""What is asked for again within a few seconds is not counted again; each process keeps its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """A value that is made anew when it is asked for and older than `seconds`, by one at a time."""

    def __init__(self, make: Callable[[], T], seconds: float) -> None:
        self.make, self.seconds = make, seconds
        self._lock = threading.Lock()
        self._made: tuple[float, T] | None = None

    def get(self) -> T:
        """The value. Raises what making it raises, and keeps nothing then."""
        with self._lock:
            if self._made is None or time.monotonic() - self._made[0] >= self.seconds:
                value = self.make()
                # its age counts from now: who waited while it was slow must not make it once more
                self._made = time.monotonic(), value
            return self._made[1]

    def forget(self) -> None:
        """Make it anew the next time."""
        with self._lock:
            self._made = None
