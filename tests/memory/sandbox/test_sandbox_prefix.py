"""A prefix is run once and restored afterwards, and no program sees what another did to it."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from memory.sandbox import CodeRaised, Feed, Pool, Prefix, Program, run

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Counted:
    """Feeds that count how often they were asked for."""

    def __init__(self, code: str) -> None:
        self.code, self.asked = code, 0

    def __call__(self) -> tuple[Feed, ...]:
        self.asked += 1
        return (Feed("state.py", self.code),)


@pytest.fixture
def one_worker():
    workers = Pool(1)
    yield workers
    workers.close()


def value(code: str, prefix: Prefix, workers: Pool):
    program = Program((Feed("query", code),), now=NOW, prefix=prefix)
    return run(program, workers=workers).values


def test_a_prefix_is_asked_for_once_and_serves_many_programs(one_worker):
    feeds = Counted("things = list(range(5))\n")
    prefix = Prefix("person:1", feeds)
    assert value("sum(things)", prefix, one_worker) == (10,)
    assert value("len(things)", prefix, one_worker) == (5,)
    assert feeds.asked == 1


def test_what_a_program_does_to_the_prefix_is_not_seen_by_the_next(one_worker):
    prefix = Prefix("person:1", Counted("things = [1]\n"))
    value("things.append(2)\nkept = 3", prefix, one_worker)
    assert value("things", prefix, one_worker) == ([1],)
    with pytest.raises(CodeRaised, match="kept"):
        value("kept", prefix, one_worker)


def test_another_key_is_another_state(one_worker):
    assert value("x", Prefix("a", Counted("x = 1\n")), one_worker) == (1,)
    assert value("x", Prefix("b", Counted("x = 2\n")), one_worker) == (2,)


def test_another_clock_does_not_restore_a_session_with_the_old_one(one_worker):
    feeds = Counted("from datetime import date\n")
    for day in (1, 2):
        program = Program(
            (Feed("query", "date.today().day"),),
            now=NOW.replace(day=day),
            prefix=Prefix("person:1", feeds),
        )
        assert run(program, workers=one_worker).values == (day,)
    assert feeds.asked == 2


def test_an_error_in_the_prefix_names_its_feed_and_is_not_kept(one_worker):
    feeds = Counted("1 / 0\n")
    for _ in range(2):
        with pytest.raises(CodeRaised) as caught:
            value("1", Prefix("broken", feeds), one_worker)
        assert caught.value.feed == "state.py"
    assert feeds.asked == 2


def test_a_line_number_points_into_the_program_after_a_restored_prefix(one_worker):
    prefix = Prefix("person:1", Counted("x = 0\n"))
    value("x", prefix, one_worker)
    with pytest.raises(CodeRaised) as caught:
        value("y = 1\n\n1 / x", prefix, one_worker)
    assert (caught.value.feed, caught.value.line) == ("query", 3)


def test_each_prefix_goes_back_to_the_worker_that_ran_it_last():
    workers = Pool(2)
    first, second = Counted("name = 1\n"), Counted("name = 2\n")
    for _ in range(4):
        assert value("name", Prefix("first", first), workers) == (1,)
        assert value("name", Prefix("second", second), workers) == (2,)
    with workers.keeper(time.monotonic() + 10), workers.keeper(time.monotonic() + 10):
        pass  # there are two, and no third
    workers.close()
    # The first prefix moved once, to the worker that was started when both were wanted
    assert (first.asked, second.asked) == (2, 1)
