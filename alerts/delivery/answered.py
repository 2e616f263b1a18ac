"""What came of an attempt to tell somebody."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Answered:
    """The HTTP status, or the code of what went wrong; a mail server that takes a message: 200."""

    status: int | None = None
    error: str = ""
    retry_after: float | None = None
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it was taken: a status from 200 to 299."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def gone(self) -> bool:
        """Whether the endpoint says that it wants no more, ever."""
        return self.status == 410
