"""An error says what went wrong, in which feed, and on which of its lines."""

from __future__ import annotations

import pickle
from datetime import date

import pytest

from memory.sandbox import (
    CodeRaised,
    Feed,
    LimitExceeded,
    Limits,
    NoWorker,
    Program,
    SandboxError,
    SyntaxRefused,
    TypeRefused,
    run,
)

from .conftest import NOW, RunCode


def test_an_exception_names_the_innermost_line_and_shows_the_way_to_it(run_code: RunCode) -> None:
    with pytest.raises(CodeRaised) as caught:
        run_code("def f(x):\n    return 1 / x", "\n\nf(0)")
    error = caught.value
    assert (error.type_name, error.message) == ("ZeroDivisionError", "division by zero")
    assert (error.feed, error.line) == ("first.py", 2)
    assert str(error) == "first.py:2: ZeroDivisionError: division by zero"
    assert error.display.splitlines() == [
        "Traceback (most recent call last):",
        '  File "second.py", line 3, in <module>',
        "    f(0)",
        "    ~~~~",
        '  File "first.py", line 2, in f',
        "    return 1 / x",
        "           ~~~~~",
        "ZeroDivisionError: division by zero",
    ]


def test_a_failed_assert_says_what_was_compared(run_code: RunCode) -> None:
    with pytest.raises(CodeRaised, match="assert 2 == 5") as caught:
        run_code("1", "x = 2\nassert x == 5")
    assert (caught.value.feed, caught.value.line) == ("second.py", 2)


UNPARSABLE = {
    "x = (": 1,
    "\nx = 1 +": 2,
    "def f():\n    yield 1": 2,
    "1\nclass A(Exception): pass": 2,
    "from datetime import *": 1,
}


@pytest.mark.parametrize("code", UNPARSABLE, ids=repr)
def test_code_that_cannot_be_parsed_is_refused_with_its_line(code: str, run_code: RunCode) -> None:
    with pytest.raises(SyntaxRefused) as caught:
        run_code("1", code)
    assert (caught.value.feed, caught.value.line) == ("second.py", UNPARSABLE[code])
    assert 'File "second.py", line' in caught.value.display


@pytest.mark.parametrize("code", ["'\ud800'", "x = 1\0"])
def test_source_that_is_not_text_is_refused(code: str, run_code: RunCode) -> None:
    with pytest.raises(SyntaxRefused) as caught:
        run_code(code)
    assert caught.value.feed == "first.py"


@pytest.mark.parametrize("code", ["raise SyntaxError('mine')", "eval('1 +')"])
def test_a_syntax_error_raised_by_running_code_is_an_exception(
    code: str, run_code: RunCode
) -> None:
    with pytest.raises(CodeRaised) as caught:
        run_code(code)
    assert (caught.value.type_name, caught.value.line) == ("SyntaxError", 1)


@pytest.mark.parametrize("name", ["TimeoutError", "MemoryError", "RecursionError"])
def test_an_exception_named_like_a_limit_is_not_one(name: str, run_code: RunCode) -> None:
    with pytest.raises(CodeRaised) as caught:
        run_code(f"raise {name}('mine')")
    assert caught.value.type_name == name


def test_type_errors_are_refused_with_one_diagnostic_a_line(run_code: RunCode) -> None:
    with pytest.raises(TypeRefused) as caught:
        run_code("def f(x: int) -> int:\n    return x", "y = 1\nf('a')\nunknown", type_check=True)
    error = caught.value
    assert (error.feed, error.line) == ("second.py", 2)
    first, second = error.display.strip().splitlines()
    assert first.startswith("second.py:2:3: error[invalid-argument-type]")
    assert second.startswith("second.py:3:1: error[unresolved-reference]")


def test_types_are_checked_only_on_request(run_code: RunCode) -> None:
    assert run_code("def f(x: int): return x\nf('a')").values == ("a",)


def test_stubs_declare_inputs_to_the_type_checker() -> None:
    feed = Feed("rule.py", "today.year", {"today": date(2026, 3, 1)})
    stubs = "from datetime import date\ntoday: date\n"
    assert run(Program((feed,), now=NOW, stubs=stubs), type_check=True).values == (2026,)
    with pytest.raises(TypeRefused, match="type checker"):
        run(Program((feed,), now=NOW), type_check=True)


LIMITS = {
    "time": ("while True: pass", Limits(feed_seconds=0.1)),
    "memory": ("'a' * 10**9", Limits(memory_bytes=1024**2)),
    "recursion": ("def f(n): return f(n + 1)\nf(0)", Limits(recursion=50)),
    "output": ("print('x' * 20_000)", Limits(printed_bytes=10_000)),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_names_itself_and_the_feed(limit: str, run_code: RunCode) -> None:
    code, limits = LIMITS[limit]
    with pytest.raises(LimitExceeded) as caught:
        run_code("1", code, limits=limits)
    assert (caught.value.limit, caught.value.feed) == (limit, "second.py")


RETURNED = [
    ("[1] * 11", Limits(returned_items=11)),
    ("'x' * 11", Limits(returned_text=10)),
    ("[[[1]]]", Limits(returned_depth=3)),
    ("{'x' * 11: 1}", Limits(returned_text=10)),
]


@pytest.mark.parametrize(("code", "limits"), RETURNED)
def test_returned_values_are_bounded(code: str, limits: Limits, run_code: RunCode) -> None:
    with pytest.raises(LimitExceeded) as caught:
        run_code(code, limits=limits)
    assert caught.value.limit == "returned"


def test_values_at_the_bounds_pass(run_code: RunCode) -> None:
    assert run_code("[1] * 10", limits=Limits(returned_items=11)).values == ([1] * 10,)
    assert run_code("'x' * 10", limits=Limits(returned_text=10)).values == ("x" * 10,)
    assert run_code("[[1]]", limits=Limits(returned_depth=3)).values == ([[1]],)


def test_the_bounds_hold_for_all_feeds_together(run_code: RunCode) -> None:
    with pytest.raises(LimitExceeded) as caught:
        run_code("[1] * 10", "[1] * 10", limits=Limits(returned_items=15))
    assert caught.value.feed == "second.py"


def test_text_in_an_error_is_bounded_and_clean(run_code: RunCode) -> None:
    with pytest.raises(CodeRaised) as caught:
        run_code("raise ValueError('x\\0' * 10**6)")
    error = caught.value
    assert len(error.message) < 3_000
    assert len(error.display) < 10_000
    assert "\0" not in error.message + error.display


def test_an_error_keeps_its_fields_when_pickled(run_code: RunCode) -> None:
    with pytest.raises(SandboxError) as caught:
        run_code("1 / 0")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is CodeRaised
    assert (copy.__dict__, str(copy)) == (caught.value.__dict__, str(caught.value))


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 1e-6, 1e-4, 1e-3])
def test_time_that_was_used_up_before_the_run_began_is_a_limit_of_time(
    run_code: RunCode, seconds: float
) -> None:
    limits = Limits(total_seconds=seconds, feed_seconds=seconds)
    with pytest.raises((LimitExceeded, NoWorker)) as refused:
        run_code("while True:\n    pass\n", limits=limits)
    assert getattr(refused.value, "limit", "time") == "time"
    assert run_code("1 + 1").values == (2,)
