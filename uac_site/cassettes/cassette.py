"""Cassettes: TOML files of recorded answers, looked up by what was asked."""

from __future__ import annotations

import json
import re
import threading
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from uac_site.cassettes.request import Asked

HEAD = "# Answers of a language model as it gave them, with digests of what it was asked.\n"
NOT_LITERAL = re.compile(r"'''|'\Z|[^\t\n -~\x80-\U0010ffff]")


@dataclass(frozen=True)
class Exchange:
    """An answer, who gave it, and the digests of the request; `said` is a label for readers."""

    stage: str
    about: str
    exact: str
    model: str
    answer: str
    said: str = ""

    def as_toml(self) -> str:
        """The exchange as it stands in a file."""
        lines = ["[[exchange]]"]
        for name in ("stage", "about", "exact", "model"):
            lines.append(f"{name} = {_basic(getattr(self, name))}")
        if self.said:
            lines.append(f"said = {_basic(self.said)}")
        return "\n".join([*lines, f"answer = {_multiline(self.answer)}", ""])


@dataclass
class Cassettes:
    """The exchanges of some files; `stale` counts answers given to a request that has changed."""

    exact: dict[str, Exchange] = field(default_factory=dict)
    about: dict[str, Exchange] = field(default_factory=dict)
    given: int = 0
    stale: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, place: Path) -> Cassettes:
        """Those of a file, or of all files below a folder; of none where there is nothing yet."""
        files = sorted(place.rglob("*.toml")) if place.is_dir() else [place]
        found = cls()
        for file in files:
            if file.exists():
                found._take(read_exchanges(file))
        return found

    def find(self, asked: Asked) -> Exchange | None:
        """The answer recorded for exactly this, else the first one for what it is about."""
        with self._lock:
            found = self.exact.get(asked.exact)
            if found is None:
                found = self.about.get(asked.about)
                self.stale += found is not None
            self.given += found is not None
            return found

    def add(self, exchange: Exchange, file: Path) -> None:
        """Keep an exchange, in the file too."""
        with self._lock:
            self._take([exchange])
            file.parent.mkdir(parents=True, exist_ok=True)
            begun = file.exists()
            with file.open("a", encoding="utf-8") as out:
                out.write(("" if begun else HEAD) + "\n" + exchange.as_toml())

    def _take(self, exchanges: Iterable[Exchange]) -> None:
        for one in exchanges:
            self.exact.setdefault(one.exact, one)
            self.about.setdefault(one.about, one)


def read_exchanges(file: Path) -> list[Exchange]:
    """The exchanges of a file, in order."""
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Exchange(**one) for one in found.get("exchange", [])]


def as_recorded(answer: str) -> str:
    """An answer as it is kept and given: JSON that is told apart by its values alone is set out."""
    try:
        value = json.loads(answer, object_pairs_hook=_named_once)
        text = json.dumps(value, indent=2, ensure_ascii=False)
        text.encode()
    except ValueError:
        return answer
    # Both stand within texts of the JSON only, where they may be written so
    return text.replace("'''", "''\\u0027").replace("\x7f", "\\u007f")


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object. Raises ValueError where a name occurs twice: set out, it would be another one."""
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a name occurs twice")
    return value


def _multiline(text: str) -> str:
    """A literal text over several lines where TOML has one for it."""
    return _basic(text) if NOT_LITERAL.search(text) else f"'''\n{text}'''"


def _basic(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
