"""Read several tables as they are at one moment, without holding anybody up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from psycopg import IsolationLevel


@contextmanager
def snapshot() -> Iterator[None]:
    """A read-only transaction in which every query sees the same commit.

    PostgreSQL: repeatable read. SQLite: a deferred transaction, which takes no write lock (the
    project's other transactions are immediate).
    """
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        # On the connection it becomes part of BEGIN; a SET would be one more round trip
        begin: Any = connection.connection
        wanted: dict[str, Any] = {
            "isolation_level": IsolationLevel.REPEATABLE_READ,
            "read_only": True,
        }
    else:
        begin = connection
        wanted = {"transaction_mode": "DEFERRED"}
    usual = {name: getattr(begin, name) for name in wanted}
    _set(begin, wanted)
    try:
        with transaction.atomic():
            yield
    finally:
        _set(begin, usual)


def _set(begin: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        setattr(begin, name, value)
