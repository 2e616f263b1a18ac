"""The rows of the reference tables that a program may look up: those named in what it reads.

The tables hold ten thousand rows and more; a program gets those of which a name occurs anywhere in
the texts that it can see, and whatever belongs to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memory.library.reference import load
from memory.sandbox import Encoded, encoded

# In source code the end of a line stands in a text as two characters, of which one is a letter
_ESCAPED = re.compile(r"\\[a-zA-Z]")


def named_in_records(source: str) -> frozenset[str]:
    """The ids of the rows named in rendered records; nothing of a person's is kept here."""
    return load().named_in(_ESCAPED.sub(" ", source))


@lru_cache(maxsize=1_024)
def named_in_source(source: str) -> frozenset[str]:
    """The ids of the rows named in the source code of a rule or a test."""
    return named_in_records(source)


@lru_cache(maxsize=1_024)
def rows_about(row_ids: frozenset[str]) -> Encoded:
    """These rows and what belongs to them, as an input of many runs."""
    return encoded(load().rows_about(row_ids))


def rows_for(sources: Iterable[str]) -> Encoded:
    """The rows that programs of these sources may look up by the names written in them."""
    return rows_about(frozenset().union(*map(named_in_source, sources)))
