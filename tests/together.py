"""Several calls at once, each on a thread and a database connection of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event
from typing import Any, TypeVar

from django.db import connection

Result = TypeVar("Result")
PATIENCE = 60.0  # seconds until a wait counts as a deadlock


def _closing(call: Callable[[], Result]) -> Result:
    try:
        return call()
    finally:
        connection.close()


def together(*calls: Callable[[], Result]) -> list[Result]:
    """The result of each call; all of them start at the same moment. Raises what a call raises."""
    barrier = Barrier(len(calls))

    def started(call: Callable[[], Result]) -> Result:
        barrier.wait(PATIENCE)
        return _closing(call)

    with ThreadPoolExecutor(len(calls)) as threads:
        running = [threads.submit(started, call) for call in calls]
        return [one.result(PATIENCE) for one in running]


class Paused:
    """A call on another thread that has halted just before a statement of its choice."""

    def __init__(self, future: Future[Any], go: Event) -> None:
        self._future, self._go = future, go

    def finish(self) -> Any:
        """Let it go on, and give its result."""
        self._go.set()
        return self._future.result(PATIENCE)


@contextmanager
def paused_before(halt: Callable[[str], bool], call: Callable[[], Any]) -> Iterator[Paused]:
    """`call` on another thread, halted the first time it is about to send a statement that fits.

    The database sees exactly what it would see of a process that is slow at this place.
    """
    reached, go = Event(), Event()

    def pause(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not reached.is_set() and halt(sql):
            reached.set()
            assert go.wait(PATIENCE)
        return execute(sql, params, many, context)

    def run() -> Any:
        with connection.execute_wrapper(pause):
            return call()

    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(_closing, run)
        future.add_done_callback(lambda _: reached.set())
        try:
            assert reached.wait(PATIENCE)
            assert not future.done(), "it came to its end without such a statement"
            yield Paused(future, go)
        finally:
            go.set()


@contextmanager
def beside(call: Callable[[], Result]) -> Iterator[Future[Result]]:
    """`call` on another thread, as far as it gets: to its end, or to a lock that somebody holds."""
    with ThreadPoolExecutor(1) as threads:
        future = threads.submit(_closing, call)
        _settled(future)
        yield future
        future.result(PATIENCE)


def _settled(future: Future[Any]) -> None:
    """Return once the call has ended or waits for a lock; SQLite's one writer needs no look."""
    end = time.monotonic() + PATIENCE
    while connection.vendor == "postgresql" and not future.done():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        assert time.monotonic() < end


def writes(table: str) -> Callable[[str], bool]:
    """Whether a statement inserts into a table or updates it, however it is written."""
    shape = re.compile(rf'(\s*|WITH .*\s)(INSERT INTO|UPDATE)\s+"?{table}"?\s', re.I | re.S)
    return lambda sql: shape.match(sql) is not None


def stores_findings(sql: str) -> bool:
    """Whether this is the first statement of an evaluation's commit, the rules having run."""
    if connection.vendor == "sqlite":
        return sql == "BEGIN IMMEDIATE"
    # A person's first evaluation locks their row before
    return writes("alerts_watermark")(sql) or "FOR NO KEY UPDATE" in sql


def cut_off_before(halt: Callable[[str], bool], call: Callable[[], Any]) -> bool:
    """Run `call` as in a process that dies just before a statement that fits; whether it did."""

    def die(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if halt(sql):
            raise Died
        return execute(sql, params, many, context)

    with connection.execute_wrapper(die):
        try:
            call()
        except Died:
            return True
    return False


class Died(BaseException):
    """Nothing that the application could catch: its process is gone."""
