"""What a request to a language model is about, so that its recorded answer is found again. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MARK = re.compile(r"^<<<[a-z_]+ ([0-9a-f]{16})$", re.MULTILINE)
SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "read": ("messages",),
    "structure": ("facts", "review"),
    "ask": ("question",),
    "judge": ("answers",),
}
"""The stage of a prompt, and the places in it that hold what it is about, line by line."""
DECISIVE = ("messages", "response_format")


@dataclass(frozen=True)
class Asked:
    """A request by two digests (SHA-256, hexadecimal).

    `exact` covers all that decides an answer. `about` covers only the texts that the prompt is
    about and what was found wrong with the answers before: it stays when instructions change.
    """

    stage: str
    about: str
    exact: str
    texts: tuple[str, ...]


def asked_of(body: Mapping[str, Any]) -> Asked:
    """The request of a body for `/chat/completions`; one of no known stage is about all it says."""
    contents = [str(turn.get("content", "")) for turn in body.get("messages", [])]
    exact = _digest({name: body.get(name) for name in DECISIVE})
    for stage, places in SUBJECTS.items():
        subjects = [fenced(contents[0], place) for place in places] if contents else [None]
        if None not in subjects:
            lines = [line for subject in subjects if subject for line in subject.split("\n")]
            texts = tuple(map(_text, lines))
            return Asked(stage, _digest([stage, texts, _problems(contents[1:])]), exact, texts)
    return Asked("", exact, exact, ())


def fenced(prompt: str, place: str) -> str | None:
    """What stands in a place of a prompt; None where it has no such place.

    The first marker is the prompt's own, and no text holds the code in it.
    """
    mark = MARK.search(prompt)
    if mark is None:
        return None
    begin, end = f"<<<{place} {mark[1]}\n", f"\n{place} {mark[1]}>>>"
    _, found, rest = prompt.partition(begin)
    return rest.partition(end)[0] if found else None


def _text(line: str) -> str:
    """The `text` of a line of JSON, or the line where it is none."""
    try:
        value = json.loads(line)
    except ValueError:
        return line
    return str(value.get("text", line)) if isinstance(value, dict) else line


def _problems(turns: Sequence[str]) -> list[str | None]:
    """What was found wrong, once for each answer that was sent back."""
    return [fenced(turn, "problem") for turn in turns[1::2]]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
