"""The bounds of one exchange: its end, its size, and whether anybody still wants it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memory.checkpointer.model.errors import Cancelled, ModelError, OutOfTime, TooLarge

ASK_SECONDS = 0.5
"""How long a silence may last before it is asked again whether the answer is still wanted."""


@dataclass
class Guard:
    """Asked before and after every read and write of a connection.

    `ends` is a moment of `clock`; `most_bytes` bounds what is received, headers and all. What broke
    a bound, or was raised by `cancelled`, is kept in `broken`, since libraries between here and
    there wrap what they meet.
    """

    ends: float
    most_bytes: int
    clock: Callable[[], float]
    cancelled: Callable[[], bool]
    received: int = 0
    broken: Exception | None = None

    def left(self) -> float:
        """Seconds that are left. Raises OutOfTime and Cancelled."""
        try:
            cancelled = self.cancelled()
        except Exception as error:
            self.broken = error
            raise
        if cancelled:
            raise self.broke(Cancelled("the call was cancelled"))
        left = self.ends - self.clock()
        if left <= 0:
            raise self.broke(OutOfTime("the time of the call is over"))
        return left

    def count(self, size: int) -> None:
        """Note what came in. Raises TooLarge."""
        self.received += size
        if self.received > self.most_bytes:
            raise self.broke(TooLarge(f"the answer is larger than {self.most_bytes:,} bytes"))

    def broke(self, error: ModelError) -> ModelError:
        """Keep an error and give it back, to be raised."""
        self.broken = error
        return error
