"""A database that exists for one run of a benchmark."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

POSTGRESQL = "postgres://postgres@127.0.0.1/postgres"
CONNECT_SECONDS = 3


@dataclass(frozen=True)
class Scratch:
    """An empty database, and a folder that goes with it."""

    name: str
    url: str
    folder: Path


def answers(server: str) -> bool:
    """Whether a PostgreSQL server answers there."""
    try:
        psycopg.connect(server, connect_timeout=CONNECT_SECONDS).close()
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def sqlite() -> Iterator[Scratch]:
    """A SQLite file in a folder of its own; both are gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="uac-benchmark-") as folder:
        path = Path(folder)
        yield Scratch("sqlite", f"sqlite:///{path / 'scratch.sqlite3'}", path)


@contextmanager
def postgresql(server: str) -> Iterator[Scratch]:
    """A new database on the server; dropped afterwards, whoever is still connected."""
    name = f"uac_benchmark_{secrets.token_hex(6)}"
    with tempfile.TemporaryDirectory(prefix="uac-benchmark-") as folder:
        _execute(server, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            url = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
            yield Scratch("postgresql", url, Path(folder))
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            _execute(server, drop.format(sql.Identifier(name)))


def _execute(server: str, statement: sql.Composed) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement)
