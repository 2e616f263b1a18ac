"""One thing in a change that could fool the person who decides on it."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memory.project.parsing import parse_python

Concern = Literal[
    "characters",
    "names",
    "long line",
    "instructions",
    "severity",
    "rule",
    "limit",
    "field",
    "test",
    "unread",
]
LONGEST_QUOTE = 120


@dataclass(frozen=True)
class Doubt:
    """Where to look, and why; `line` is of the text before where `gone`, else of the text now."""

    concern: Concern
    path: str
    line: int
    words: str
    gone: bool = False

    @property
    def key(self) -> str:
        """What names it in a form and in the audit: the same doubt has the same key."""
        said = "\n".join((self.concern, self.path, str(self.line), str(self.gone), self.words))
        return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()[:24]


@lru_cache(maxsize=1_024)
def parsed(source: str) -> ast.Module | None:
    """A file as Python, or None where it is not; what is not Python cannot be approved."""
    try:
        return parse_python(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def quoted(text: str) -> str:
    """Words out of a file, on one line and not too many."""
    line = " ".join(text.split())
    return f"“{line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + '…'}”"
