"""Prompts: Markdown files with named places, told apart by the digest of their bytes. Pure.

`{{facts}}` is a place for data, `{{> fences}}` puts another file in. What is filled in is always a
stranger's text. It stands between two markers that carry a code which the text cannot contain, so
that no text can end its own fence and go on as if it were the prompt.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
PART = re.compile(r"\{\{> ([a-z_]+)\}\}")
PLACE = re.compile(r"\{\{([a-z_]+)\}\}")
DEEPEST = 4
CODE_LENGTH = 16


class PromptError(ValueError):
    """A prompt that cannot be made: a file or a place is missing, or one too many is filled."""


@dataclass(frozen=True)
class Filled:
    """A prompt's text, and the name and digest of the template that it was made from."""

    name: str
    digest: str
    text: str


@dataclass(frozen=True)
class Prompt:
    """A template, its parts put in; `digest` is the SHA-256 of all its bytes."""

    name: str
    template: str

    @property
    def digest(self) -> str:
        """The version of the prompt."""
        return hashlib.sha256(self.template.encode()).hexdigest()

    @property
    def places(self) -> frozenset[str]:
        """The names of the places."""
        return frozenset(PLACE.findall(self.template))

    def fill(self, **texts: str) -> Filled:
        """The prompt with a fenced text in each place. Raises PromptError."""
        if texts.keys() != self.places:
            odd = ", ".join(sorted(texts.keys() ^ self.places))
            raise PromptError(f"prompt {self.name}: missing or not asked for: {odd}")
        code = _code(texts)
        fenced = {name: _fenced(name, code, text) for name, text in texts.items()}
        return Filled(
            self.name, self.digest, PLACE.sub(lambda found: fenced[found[1]], self.template)
        )


def _code(texts: Mapping[str, str]) -> str:
    """A code that none of the texts holds, the same for the same texts."""
    every = "\0".join(f"{name}\0{text}" for name, text in sorted(texts.items()))
    code = ""
    while not code or code in every.casefold():
        code = hashlib.sha256((code + every).encode("utf-8", "surrogatepass")).hexdigest()
        code = code[:CODE_LENGTH]
    return code


def _fenced(name: str, code: str, text: str) -> str:
    return f"<<<{name} {code}\n{text}\n{name} {code}>>>"


@cache
def prompt(name: str) -> Prompt:
    """The prompt of a file in this folder. Raises PromptError."""
    return Prompt(name, expanded(name, _read))


def expanded(name: str, read: Callable[[str], str], depth: int = 0) -> str:
    """A template with its parts put in; `read` gives the text of a name. Raises PromptError."""
    if depth > DEEPEST:
        raise PromptError(f"prompt {name} contains itself")
    return PART.sub(lambda found: expanded(found[1], read, depth + 1).strip(), read(name))


def _read(name: str) -> str:
    path = FOLDER / f"{name}.md"
    if not re.fullmatch(r"[a-z_]+", name) or not path.is_file():
        raise PromptError(f"there is no prompt {name}")
    return path.read_text(encoding="utf-8")
