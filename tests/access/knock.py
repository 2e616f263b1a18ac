"""Knock at a door, see what comes of it, and leave everything as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db import transaction

OPENED = {200, 201, 202, 204, 301, 400, 409, 415, 422}
"""Answers of a door that is open, whatever it then says of the request."""
LOGIN = ("/login", "/session-ended", "/admin/login/")


@contextmanager
def undone() -> Iterator[None]:
    """What is written inside is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def outcome(ask: Callable[[], Any], *, writes: bool) -> str:
    """`open`, `login`, or the status that keeps somebody out.

    What only reads is not wrapped: some of it needs a transaction of its own, of another isolation.
    """
    with undone() if writes else nullcontext():
        answer = ask()
    if answer.status_code == 302:
        away = answer["Location"].partition("?")[0] in LOGIN
        return "login" if away else "open"
    return "open" if answer.status_code in OPENED else str(answer.status_code)
