"""Where a further page of a search begins: an offset, and the heads of the moment of the first."""

from __future__ import annotations

import re

from memory.models import Stream
from memory.retrieval.narrowing import Known
from memory.retrieval.search import DEEPEST

FORM = re.compile(r"(\d{1,4})-(\d{1,10})-(\d{1,10})\Z", re.ASCII)
ORDER = (Stream.FACT, Stream.MESSAGE)


class NoSuchPage(ValueError):
    """A text that `cursor_of` did not write."""


def cursor_of(offset: int, known: Known) -> str:
    """A page as a text, such as `20-120-700`."""
    return "-".join(map(str, (offset, *(known.heads.get(stream, 0) for stream in ORDER))))


def from_cursor(text: str, known: Known) -> tuple[int, Known]:
    """The page's offset, and what was known at the first one. Raises NoSuchPage."""
    found = FORM.match(text)
    if found is None or int(found[1]) >= DEEPEST:
        raise NoSuchPage(text)
    then = dict(zip(ORDER, map(int, found.groups()[1:]), strict=True))
    heads = {stream: min(head, then[stream]) for stream, head in known.heads.items()}
    return int(found[1]), Known(heads, known.moment)
