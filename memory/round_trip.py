"""Send several statements to the database at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def one_round_trip() -> Iterator[None]:
    """Statements whose results are looked at in the end; what fails does so then.

    PostgreSQL gets them in one pipeline, which a look at a result sends. SQLite is in this process:
    nothing is to be saved.
    """
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        with connection.connection.pipeline():
            yield
    else:
        yield
