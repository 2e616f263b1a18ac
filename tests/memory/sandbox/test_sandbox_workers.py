"""Workers that die, hang, are shared by threads and inherited by forks."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory.querying import lanes
from memory.sandbox import (
    Feed,
    LimitExceeded,
    Limits,
    NoWorker,
    Pool,
    Program,
    SandboxError,
    WorkerCrashed,
    close,
    run,
)
from memory.sandbox.pool import configured_size, pool

from .conftest import NOW, RunCode, children

ENDLESS = Program((Feed("loop.py", "while True: pass"),), now=NOW)
SUM = Program((Feed("sum.py", "1 + 1"),), now=NOW)


def keepers() -> list[int]:
    """The processes of ours that run the sandbox."""
    return [
        pid
        for pid in children(os.getpid())
        if b"memory.sandbox.monty" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it never came about"
        os.sched_yield()


class Background(threading.Thread):
    """A run in a thread, and how it ended."""

    def __init__(self, program: Program, **options: object) -> None:
        super().__init__(daemon=True)
        self.program, self.options = program, options
        self.ending: object = None
        self.start()

    def run(self) -> None:
        try:
            self.ending = run(self.program, **self.options).values  # type: ignore[arg-type]
        except SandboxError as error:
            self.ending = error

    def result(self) -> object:
        self.join(20)
        assert not self.is_alive()
        return self.ending


def busy_keeper(known: list[int]) -> tuple[int, int]:
    """A new keeper and its Monty worker, once there is one and it is at work."""
    wait_for(lambda: [pid for pid in keepers() if pid not in known])
    (keeper,) = (pid for pid in keepers() if pid not in known)
    wait_for(lambda: children(keeper))
    (worker,) = children(keeper)
    wait_for(lambda: _cpu_ticks(worker) > 5)
    return keeper, worker


def _cpu_ticks(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11])


@pytest.mark.parametrize("victim", [0, 1], ids=["keeper", "monty"])
def test_a_killed_worker_fails_its_run_and_no_other(victim: int, one_worker: Pool) -> None:
    known = keepers()
    hanging = Background(ENDLESS, workers=one_worker, limits=Limits(10, 10))
    os.kill(busy_keeper(known)[victim], signal.SIGKILL)
    assert isinstance(hanging.result(), WorkerCrashed)
    assert run(SUM, workers=one_worker).values == (2,)


@pytest.mark.parametrize("victim", [0, 1], ids=["keeper", "monty"])
def test_a_worker_killed_while_idle_is_replaced_unnoticed(victim: int, one_worker: Pool) -> None:
    known = keepers()
    run(SUM, workers=one_worker)
    (keeper,) = (pid for pid in keepers() if pid not in known)
    target = [keeper, *children(keeper)][victim]
    os.kill(target, signal.SIGKILL)
    wait_for(lambda: _is_dead(target))
    assert run(SUM, workers=one_worker).values == (2,)


def _is_dead(pid: int) -> bool:
    if _state(pid) == "gone":
        return True
    # The first thread is a zombie before the others have ended.
    return _state(pid) == "Z" and len(list(Path(f"/proc/{pid}/task").iterdir())) <= 1


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return "gone"


@pytest.mark.parametrize("victim", [0, 1], ids=["keeper", "monty"])
def test_a_worker_that_hangs_is_ended_within_the_budget(victim: int, one_worker: Pool) -> None:
    known = keepers()
    run(SUM, workers=one_worker)
    (keeper,) = (pid for pid in keepers() if pid not in known)
    target = [keeper, *children(keeper)][victim]
    os.kill(target, signal.SIGSTOP)
    wait_for(lambda: _state(target) == "T")
    started = time.monotonic()
    with pytest.raises(LimitExceeded) as caught:
        run(SUM, workers=one_worker, limits=Limits(total_seconds=0.5))
    assert caught.value.limit == "time"
    assert time.monotonic() - started < 2.5
    assert run(SUM, workers=one_worker).values == (2,)


def test_the_budget_covers_all_feeds_together(run_code: RunCode) -> None:
    spin = "for i in range(10**12):\n    pass"
    limits = Limits(total_seconds=0.6, feed_seconds=0.4)
    with pytest.raises(LimitExceeded) as caught:
        run_code("1", spin, limits=limits)
    assert caught.value.feed == "second.py"
    started = time.monotonic()
    quarter = "n = 0\nwhile n < 400_000:\n    n += 1"
    with pytest.raises(LimitExceeded):
        run(Program(tuple(Feed("a", quarter) for _ in range(500)), now=NOW), limits=limits)
    assert time.monotonic() - started < 2.5


def test_waiting_for_a_worker_is_bounded(one_worker: Pool) -> None:
    known = keepers()
    hanging = Background(ENDLESS, workers=one_worker, limits=Limits(3, 2))
    busy_keeper(known)
    started = time.monotonic()
    with pytest.raises(NoWorker):
        run(SUM, workers=one_worker, limits=Limits(total_seconds=0.2))
    assert 0.15 < time.monotonic() - started < 1
    assert isinstance(hanging.result(), LimitExceeded)
    assert run(SUM, workers=one_worker).values == (2,)


def test_a_waiting_run_goes_on_when_a_worker_is_free(one_worker: Pool) -> None:
    known = keepers()
    hanging = Background(ENDLESS, workers=one_worker, limits=Limits(5, 0.4))
    busy_keeper(known)
    assert run(SUM, workers=one_worker).values == (2,)
    assert isinstance(hanging.result(), LimitExceeded)


def test_many_threads_each_get_their_own_answer() -> None:
    def square(n: int) -> object:
        program = Program((Feed("a", f"x = {n}"), Feed("b", "x * x")), now=NOW)
        return run(program, limits=Limits(total_seconds=30)).values[1]

    workers = Pool(3)
    known = keepers()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(square, range(200))) == [n * n for n in range(200)]
    assert len(keepers()) - len(known) <= configured_size()
    workers.close()


def test_a_hostile_neighbour_disturbs_nobody() -> None:
    evil = Program((Feed("e", "x = (1,)\nfor i in range(60): x = (x, x)\n{x: 1}"),), now=NOW)
    workers = Pool(2)
    hanging = Background(evil, workers=workers, limits=Limits(total_seconds=1))
    for _ in range(20):
        assert run(SUM, workers=workers).values == (2,)
    assert isinstance(hanging.result(), LimitExceeded)
    workers.close()


def _answer_in_child(connection: multiprocessing.connection.Connection) -> None:
    connection.send((pool().pid, run(SUM).values, len(keepers())))
    close()


def test_a_forked_child_makes_its_own_workers() -> None:
    assert run(SUM).values == (2,)
    parents = keepers()
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=_answer_in_child, args=(theirs,))
    child.start()
    assert ours.poll(20)
    assert ours.recv() == (child.pid, (2,), 1)
    child.join(20)
    assert child.exitcode == 0
    assert keepers() == parents
    assert run(SUM).values == (2,)


def test_a_fork_while_a_run_is_under_way_harms_neither() -> None:
    workers = Pool(1)
    known = keepers()
    hanging = Background(ENDLESS, workers=workers, limits=Limits(3, 0.5))
    busy_keeper(known)
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(0 if run(SUM).values == (2,) else 1)
        finally:  # whatever happens, the copy of the test run must not go on
            os._exit(2)
    assert os.waitpid(pid, 0)[1] == 0
    assert isinstance(hanging.result(), LimitExceeded)
    assert run(SUM, workers=workers).values == (2,)
    workers.close()


def test_one_process_has_one_pool() -> None:
    assert pool() is pool()
    assert pool().pid == os.getpid()


def test_closing_stops_the_workers_and_the_next_run_starts_new_ones() -> None:
    lanes.close()  # those of queries, which other tests may have started
    run(SUM)
    before = keepers()
    close()
    assert before
    assert not set(keepers()) & set(before)
    assert run(SUM).values == (2,)


@pytest.mark.parametrize(("setting", "size"), [("5", 5), ("1", 1), ("0", 1)])
def test_the_number_of_workers_is_a_setting(
    setting: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UAC_SANDBOX_PROCESSES", setting)
    assert configured_size() == size


def test_by_default_there_are_at_least_two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UAC_SANDBOX_PROCESSES", raising=False)
    assert configured_size() == max(2, os.cpu_count() or 2)


def test_a_worker_has_no_environment_to_give_away(
    monkeypatch: pytest.MonkeyPatch, one_worker: Pool
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "swordfish")
    known = keepers()
    run(SUM, workers=one_worker)
    (keeper,) = (pid for pid in keepers() if pid not in known)
    for pid in (keeper, *children(keeper)):
        assert b"swordfish" not in Path(f"/proc/{pid}/environ").read_bytes()
