"""The processes that a benchmark measures, on the database of its own environment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from uac_site.benchmarks.client import HOST
from uac_site.serving import Process, free_port, web_command, worker_command

SITE = "uac_site.asgi:application"


@dataclass
class Web:
    """A web process on a port of its own, which it keeps when it is started again."""

    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    app: str = SITE

    def __post_init__(self) -> None:
        self.port = free_port(HOST)
        self.process = Process(web_command(HOST, self.port, self.app), self.environment, self.log)

    def start(self) -> None:
        """Start it and wait until it listens."""
        self.process.start()
        self.process.wait_for_port(HOST, self.port)


@contextmanager
def web(
    folder: Path, environment: Mapping[str, str] | None = None, app: str = SITE
) -> Iterator[Web]:
    """A web process that listens, ended afterwards."""
    served = Web(folder / "web.log", environment or {}, app)
    try:
        served.start()
        yield served
    finally:
        served.process.stop()


@contextmanager
def worker(folder: Path, environment: Mapping[str, str] | None = None) -> Iterator[Process]:
    """A worker, ended afterwards with its children."""
    process = Process(worker_command(), environment or {}, folder / "worker.log")
    try:
        process.start()
        yield process
    finally:
        process.stop()
