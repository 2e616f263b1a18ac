"""`manage.py serve` as a real process: it stops when told, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Queue

import httpx
import pytest

from uac_site.env import BASE_DIR
from uac_site.serving import free_port

PATIENCE = 60


class Served:
    """A running `manage.py serve` on a SQLite file of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
            "REDIS_URL": "",
            "HTTPS": "false",
            "LOG_LEVEL": "WARNING",
        }
        self.manage("migrate", "--verbosity", "0").wait(PATIENCE)
        self.process = self.manage("serve", "--port", str(self.port))
        self.lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def manage(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=BASE_DIR,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)

    def wait_for(self, words: str) -> None:
        while words not in self.lines.get(timeout=PATIENCE):
            pass

    def children(self) -> dict[int, str]:
        """The descendants, by process id, with their commands."""
        found: dict[int, str] = {}
        waiting = [self.process.pid]
        while waiting:
            parent = waiting.pop()
            for child in _children_of(parent):
                found[child] = _command(child)
                waiting.append(child)
        return found


def _children_of(parent: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in listed.stdout.split()]


def _command(pid: int) -> str:
    listed = subprocess.run(
        ["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return listed.stdout.strip()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The site, serving."""
    site = Served(tmp_path)
    try:
        site.wait_for("Serving http://localhost")
        yield site
    finally:
        if site.process.poll() is None:
            site.process.terminate()
            site.process.wait(PATIENCE)


def test_told_to_stop_it_leaves_no_process(served: Served) -> None:
    answer = httpx.get(f"http://127.0.0.1:{served.port}/api/v1/users")
    assert answer.status_code == 401
    children = served.children()
    assert [command for command in children.values() if "uvicorn" in command]
    assert [command for command in children.values() if "qcluster" in command]
    served.process.send_signal(signal.SIGINT)
    served.process.send_signal(signal.SIGINT)  # make and the shell may both pass it on
    assert served.process.wait(PATIENCE) == 0
    left = {pid: command for pid, command in children.items() if _command(pid) == command}
    assert left == {}


def test_when_the_worker_dies_it_stops_the_web_process_and_fails(served: Served) -> None:
    children = served.children()
    worker = next(pid for pid, command in children.items() if "qcluster" in command)
    os.kill(worker, signal.SIGKILL)
    assert served.process.wait(PATIENCE) == 1
    served.wait_for("worker ended by itself")
    assert {pid for pid, command in children.items() if _command(pid) == command} == set()


def test_a_port_that_is_taken_is_said_with_the_remedy() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert f"PORT={port + 1} make demo" in ended.stderr
