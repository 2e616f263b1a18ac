"""The log's triggers, lifted for the two who may: the teardown, and a test that plays the thief."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

# What migrations put there, and every test may rely on.
KEPT = {
    "auth_permission",
    "django_content_type",
    "django_migrations",
    "django_q_schedule",
}


@contextmanager
def triggers_lifted() -> Iterator[None]:
    """No trigger fires inside; afterwards all stand as before."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            try:
                yield
            finally:
                cursor.execute("SET session_replication_role = DEFAULT")
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        try:
            yield
        finally:
            for _, statement in triggers:
                cursor.execute(statement)


def empty_database() -> None:
    """Delete every row but those of the migrations: Django's own flush cannot get past triggers."""
    tables = [name for name in connection.introspection.table_names() if name not in KEPT]
    with transaction.atomic(), triggers_lifted(), connection.cursor() as cursor:
        for statements in _batches([f'DELETE FROM "{table}"' for table in tables]):
            cursor.execute(statements)


def _batches(statements: list[str]) -> list[str]:
    """PostgreSQL takes them in one round trip, SQLite one by one."""
    return ["; ".join(statements)] if connection.vendor == "postgresql" else statements
