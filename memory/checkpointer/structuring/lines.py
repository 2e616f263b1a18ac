"""Values as lines of a prompt, and the lines that fit. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memory.checkpointer.reading.item import Shown

LONGEST_VALUE, LONGEST_RECORD = 300, 1_200


def as_json(value: Any) -> str:
    """A value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


def size(text: str) -> int:
    """The bytes of a text, as tokens are estimated from."""
    return len(text.encode("utf-8", "surrogatepass"))


def cut(lines: Iterable[str], room: int) -> str:
    """The lines that fit, in order; one that does not is left out."""
    taken: list[str] = []
    for line in lines:
        if (needed := size(line) + 1) <= room:
            taken.append(line)
            room -= needed
    return "\n".join(taken) or "(none)"


def record_line(shown: Shown) -> str:
    """A record as a line of JSON, its texts cut."""
    line: dict[str, Any] = {"kind": shown.kind, "id": shown.record_id}
    for name, value in shown.data.items():
        if value not in (None, [], {}):
            more = {**line, name: value[:LONGEST_VALUE] if isinstance(value, str) else value}
            if size(as_json(more)) <= LONGEST_RECORD:
                line = more
    return as_json(line)
