"""Start and stop the web process and the worker, for `manage.py serve`, benchmarks and tests."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from uac_site.env import BASE_DIR

READY_SECONDS = 60.0
LOOK = 0.05


class NotReady(RuntimeError):
    """A process ended, or did not answer in time."""


def web_command(host: str, port: int, app: str = "uac_site.asgi:application") -> list[str]:
    """The command of the web process."""
    return [
        *(sys.executable, "-m", "uvicorn", app),
        *("--host", host, "--port", str(port)),
        *("--http", "httptools", "--ws", "websockets-sansio"),
        *("--log-level", "warning", "--no-access-log", "--lifespan", "off"),
    ]


def worker_command() -> list[str]:
    """The command of the worker."""
    return [sys.executable, str(BASE_DIR / "manage.py"), "qcluster"]


def free_port(host: str = "127.0.0.1") -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass
class Process:
    """A process of the application in a group of its own, so that its children end with it."""

    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    log: Path | None = None
    _running: subprocess.Popen[bytes] | None = None
    _log: IO[bytes] | None = None

    @property
    def pid(self) -> int:
        """The process id; raises NotReady where it was never started."""
        if self._running is None:
            raise NotReady("not started")
        return self._running.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._running is not None and self._running.poll() is None

    def start(self) -> None:
        """Start it; output goes to `log`, else to ours."""
        self._log = self.log.open("ab") if self.log else None
        self._running = subprocess.Popen(
            list(self.command),
            cwd=BASE_DIR,
            env={**os.environ, **self.environment},
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )

    def wait_for_port(self, host: str, port: int) -> None:
        """Return once it listens. Raises NotReady."""
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            if not self.alive:
                raise NotReady(f"{' '.join(self.command[:4])} ended before it listened")
            with suppress(OSError), socket.create_connection((host, port), timeout=1):
                return
            time.sleep(LOOK)
        raise NotReady(f"nothing listens on {host}:{port} after {READY_SECONDS:.0f} s")

    def stop(self, patience: float = 10.0) -> None:
        """End it and its children: first kindly, then for certain.

        Only the process itself is asked: django-q waits for ever for a guard that a signal to the
        whole group has ended.
        """
        if self._running is not None:
            self._running.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self._running.wait(patience)
            self.kill()
        if self._log is not None:
            self._log.close()
            self._log = None

    def kill(self) -> None:
        """`kill -9`, children included."""
        if self._running is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
