"""What was said and fits no other domain."""

from dataclasses import dataclass

from uac import kind


@kind("notes", key=())
@dataclass
class Note:
    """One statement kept as text."""

    id: str
    text: str
    topic: str | None = None  # one or two words to find it by
