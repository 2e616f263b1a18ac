"""A Redis that is there for one run, keeps nothing on disk, and is heard on loopback alone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uac_site.serving import Process, free_port

HOST = "127.0.0.1"


class NoRedis(RuntimeError):
    """The program is not installed."""


def redis_process(port: int, folder: Path) -> Process:
    """A Redis on this port, not yet started. Raises NoRedis."""
    program = shutil.which("redis-server")
    if program is None:
        raise NoRedis("redis-server is not installed: install it, or name a Redis with --redis.")
    where = ("--port", str(port), "--bind", HOST, "--dir", str(folder))
    return Process([program, *where, "--save", "", "--appendonly", "no"], log=folder / "redis.log")


@contextmanager
def own_redis(folder: Path) -> Iterator[str]:
    """The address of a Redis that is ended afterwards. Raises NoRedis."""
    port = free_port(HOST)
    process = redis_process(port, folder)
    try:
        process.start()
        process.wait_for_port(HOST, port)
        yield f"redis://{HOST}:{port}/0"
    finally:
        process.stop()
