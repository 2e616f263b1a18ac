"""The keepers of this process: started when needed, shared by its threads, never by its forks."""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from memory.sandbox import frames
from memory.sandbox.errors import LimitExceeded, NoWorker, WorkerCrashed

ROOT = Path(__file__).resolve().parent.parent.parent
SPARE = 2  # drugs, journeys, and one for what comes in between
GRACE = 1.0  # seconds past the deadline in which a keeper may still say itself that time is up
INHERITED = ("PATH", "MONTY_BIN", "LD_LIBRARY_PATH", "TZDIR")


class Keeper:
    """A process that talks to Monty for us, and the socket to it."""

    def __init__(self) -> None:
        self.prepared_for = ""  # the key of the prefix with which it ran last
        self.channel, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "memory.sandbox.monty"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
                env=_environment(),
                start_new_session=True,  # so that it and its worker can be killed as one
            )

    @property
    def alive(self) -> bool:
        """Whether the process has not ended and its socket says nothing unasked for."""
        unasked = select.poll()
        unasked.register(self.channel, select.POLLIN)
        return not unasked.poll(0) and self.process.poll() is None

    def ask(self, request: dict[str, Any], deadline: float) -> dict[str, Any]:
        """The keeper's answer; after any exception the keeper is of no more use."""
        request["seconds"] = deadline - time.monotonic()
        try:
            frames.send(self.channel, frames.pack(request), deadline + GRACE)
            answer = frames.receive(self.channel, deadline + GRACE)
        except TimeoutError:
            raise LimitExceeded("The run's time was used up.", limit="time") from None
        except (OSError, frames.BrokenFrame):
            answer = None
        if answer is None:
            raise self._died()
        return answer

    def _died(self) -> WorkerCrashed | LimitExceeded:
        with suppress(subprocess.TimeoutExpired):
            if self.process.wait(GRACE) == -signal.SIGALRM:
                return LimitExceeded("The run's time was used up.", limit="time")
        return WorkerCrashed("The process that ran this program died.")

    def stop(self) -> None:
        """End the process and its worker."""
        self.channel.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def forget(self) -> None:
        """Give up a forked copy: close its socket here, leave the process to the parent."""
        self.channel.close()
        self.process.returncode = 0  # it is not our child; keeps Popen from looking for it


def _environment() -> dict[str, str]:
    """The keeper's environment: nothing secret is in it, whatever ours holds."""
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**kept, "PYTHONPATH": path, "LANG": "C.UTF-8"}


_pools: WeakSet[Pool] = WeakSet()  # every pool there is, whoever made it


class Pool:
    """At most `size` keepers at work; a caller waits for a free one no longer than it says.

    Up to `spare` more rest meanwhile, so that as many prefixes stay prepared.
    """

    def __init__(self, size: int, *, spare: int = 0) -> None:
        self.size = size
        self.spare = spare
        self.pid = os.getpid()
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: deque[Keeper] = deque()  # the one that has rested longest first: it is prepared
        self._all: set[Keeper] = set()
        _pools.add(self)

    @contextmanager
    def keeper(self, deadline: float, prefix: str = "") -> Iterator[Keeper]:
        """A keeper for this thread alone, prepared for the prefix with this key if one is.

        Raises NoWorker when none is free before `deadline`.
        """
        if not self._slots.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise NoWorker(f"All {self.size} sandbox workers stayed busy; try again.")
        try:
            keeper = self._take(prefix)
            try:
                yield keeper
            except BaseException:
                self._discard(keeper)  # it may be in the middle of anything
                raise
            keeper.prepared_for = prefix
            self._give_back(keeper)
        finally:
            self._slots.release()

    def _take(self, prefix: str) -> Keeper:
        while True:
            with self._lock:
                keeper = self._prepared(prefix)
                if keeper is None:
                    return self._start()
                if (
                    keeper.prepared_for not in ("", prefix)
                    and len(self._all) < self.size + self.spare
                ):
                    # So that next time there is one for each
                    self._idle.append(self._start())
            if keeper.alive:
                return keeper
            self._discard(keeper)

    def _prepared(self, prefix: str) -> Keeper | None:
        """Of those prepared for the prefix, else of all, the one that has rested longest."""
        for wanted in (prefix, ""):
            for keeper in self._idle:
                if keeper.prepared_for == wanted:
                    self._idle.remove(keeper)
                    return keeper
        return self._idle.popleft() if self._idle else None

    def _give_back(self, keeper: Keeper) -> None:
        with self._lock:
            current = keeper in self._all
            if current:
                self._idle.append(keeper)
        if not current:
            keeper.stop()

    def renew(self) -> None:
        """Stop the keepers that rest, and the others once they are done, with all they keep."""
        with self._lock:
            resting, self._idle = self._idle, deque()
            self._all = set()
        for keeper in resting:
            keeper.stop()

    def _start(self) -> Keeper:
        """One keeper more; the caller holds the lock."""
        try:
            keeper = Keeper()
        except OSError as error:
            raise NoWorker(f"No sandbox worker could be started: {error.strerror}.") from error
        self._all.add(keeper)
        return keeper

    def _discard(self, keeper: Keeper) -> None:
        with self._lock:
            self._all.discard(keeper)
        keeper.stop()

    def close(self) -> None:
        """Stop every keeper; a run in another thread ends as `WorkerCrashed`."""
        with self._lock:
            keepers, self._all, self._idle = self._all, set(), deque()
        for keeper in keepers:
            keeper.stop()

    def forget(self) -> None:
        """In a forked child: let go of the parent's keepers without touching them."""
        for keeper in self._all:
            keeper.forget()


_pool: Pool | None = None
_pool_lock = threading.Lock()


def pool() -> Pool:
    """This process's pool, made on first use; `UAC_SANDBOX_PROCESSES` keepers work at most."""
    global _pool
    current = _pool
    if current is not None and current.pid == os.getpid():
        return current
    with _pool_lock:
        if _pool is None or _pool.pid != os.getpid():
            _pool = Pool(configured_size(), spare=SPARE)
        return _pool


def configured_size() -> int:
    """`UAC_SANDBOX_PROCESSES`, else one a CPU and at least two."""
    configured = os.environ.get("UAC_SANDBOX_PROCESSES", "")
    return max(1, int(configured)) if configured else max(2, os.cpu_count() or 2)


def close() -> None:
    """Stop this process's keepers; the next run starts new ones."""
    global _pool
    with _pool_lock:
        closing, _pool = _pool, None
    if closing is not None and closing.pid == os.getpid():
        closing.close()


def renew() -> None:
    """Have this process's keepers replaced, of whichever pool; runs under way end as usual."""
    for one in list(_pools):
        if one.pid == os.getpid():
            one.renew()


def _after_fork_in_child() -> None:
    # The lock may have been held by a thread that does not exist here.
    global _pool, _pool_lock
    inherited, _pool, _pool_lock = _pool, None, threading.Lock()
    if inherited is not None:
        inherited.forget()


os.register_at_fork(after_in_child=_after_fork_in_child)
atexit.register(close)
