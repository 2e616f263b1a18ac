"""Keep what was worked out last, as much of it as fits into so many bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ByteCache(Generic[Value]):
    """Values by key, the least recently used dropped first; for use by several threads."""

    def __init__(self, limit: int, size: Callable[[Value], int]) -> None:
        self._limit = limit
        self._size = size
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._lock = Lock()
        self.held = 0
        """Bytes of all that is kept; never above the limit."""

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made now if it is not there. One above the limit is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        value = make()  # without the lock: two threads may make one value, and both are right
        size = self._size(value)
        with self._lock:
            if key not in self._kept and size <= self._limit:
                self._kept[key] = value, size
                self.held += size
            while self.held > self._limit:
                _, (_, freed) = self._kept.popitem(last=False)
                self.held -= freed
        return value

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()
            self.held = 0
