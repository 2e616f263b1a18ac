"""What was said or noted, as a question and its answer name it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal


@dataclass(frozen=True)
class Excerpt:
    """A fact or a message, whole or cut; `at` is when it was true or said, in the person's zone."""

    stream: Literal["fact", "message"]
    seq: int
    text: str
    speaker: str
    at: datetime

    @property
    def when(self) -> str:
        """The day and the time, as a prompt has it."""
        return f"{self.at:%A} {self.at:%Y-%m-%d %H:%M}"
