"""How many questions a web process asks a model at a time: the rest of it goes on answering."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from memory.querying.remarks import NotNow

_lock = threading.Lock()
_asking = 0


@contextmanager
def a_turn() -> Iterator[None]:
    """Hold one of the places while a question is asked. Raises NotNow where none is free."""
    global _asking
    with _lock:
        if _asking >= settings.ASKED_AT_ONCE:
            raise NotNow("Other questions are still being answered; try again in a moment.")
        _asking += 1
    try:
        yield
    finally:
        with _lock:
            _asking -= 1
