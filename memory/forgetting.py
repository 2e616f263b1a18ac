"""What processes keep in memory of people, dropped after an erasure.

Bounded caches hold what came from people (their code, texts of their records, checked queries), and
the sandbox's keepers their sessions. The process that erased forgets at once; every other one when
its next request or job begins, since each looks every few seconds whether somebody was erased.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from typing import Any
from uuid import UUID

from django.db import DatabaseError, connection

from memory.models import Erasure, ErasureStatus
from memory.project.review.cache import ByteCache
from memory.sandbox import renew

logger = logging.getLogger(__name__)

PACKAGES = ("memory.", "alerts.")
LOOK_SECONDS = 5.0


class Newest:
    """The erasure that this process has last heard of, and when it looked."""

    def __init__(self) -> None:
        self.known: UUID | None = None
        self.looked = float("-inf")


_newest = Newest()


def forget() -> None:
    """Drop every cache of this process that may hold something of a person."""
    for cached in bounded_caches():
        cached.cache_clear()
    for kept in byte_caches():
        kept.clear()
    renew()


def bounded_caches() -> Iterator[_lru_cache_wrapper[Any]]:
    """The caches of our modules with a bound; one without holds only what ships."""
    for value in _of_our_modules():
        if isinstance(value, _lru_cache_wrapper) and value.cache_parameters()["maxsize"]:
            yield value


def byte_caches() -> Iterator[ByteCache[Any]]:
    """The caches of our modules that hold so many bytes, such as the diffs that were shown."""
    for value in _of_our_modules():
        if isinstance(value, ByteCache):
            yield value


def _of_our_modules() -> Iterator[object]:
    for name, module in list(sys.modules.items()):
        if name.startswith(PACKAGES):
            yield from list(vars(module).values())


def forget_erased() -> None:
    """Forget here and now, and write SQLite's file anew, so that it keeps no deleted text."""
    forget()
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM")
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except DatabaseError:
            logger.warning("the database file was in use: run `manage.py forget_erased` later")


def forget_if_told() -> None:
    """Forget if somebody was erased since this process last looked; one query every few seconds."""
    now = time.monotonic()
    if now - _newest.looked < LOOK_SECONDS:
        return
    first, _newest.looked = _newest.looked == float("-inf"), now
    done = Erasure.objects.filter(status=ErasureStatus.DONE).order_by("-decided_at", "pk")
    try:
        newest = done.values_list("pk", flat=True).first()
    except DatabaseError:  # whoever needs the database says so
        return
    if newest != _newest.known and not first:
        forget()
    _newest.known = newest
