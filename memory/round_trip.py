"""Send several statements to the database at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def one_round_trip() -> Iterator[None]:
    """Inserts and updates whose results nobody looks at; what fails does so at the end.

    PostgreSQL gets them in one pipeline. SQLite is in this process: nothing is to be saved.
    """
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        with connection.connection.pipeline():
            yield
    else:
        yield
