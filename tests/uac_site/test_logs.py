"""A log line has ids and codes, types and places, and not a word of what caused it."""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable

from uac_site.logs import WithoutMessages, places_of

WORD = "canarycillin"


def _line(message: str, *args: object, error: bool = False) -> str:
    record = logging.LogRecord(
        "x", logging.ERROR, "x.py", 1, message, args, sys.exc_info() if error else None
    )
    return WithoutMessages("%(levelname)s %(message)s").format(record)


def _raised(fails: Callable[[], object]) -> str:
    try:
        fails()
    except Exception:
        return _line("it failed", error=True)
    raise AssertionError("nothing was raised")


def test_an_exception_is_told_by_type_and_place() -> None:
    text = _raised(lambda: int(WORD))
    assert text.endswith("ValueError")
    assert "test_logs.py" in text
    assert WORD not in text


def test_what_led_to_it_is_told_too() -> None:
    def fails() -> None:
        try:
            raise KeyError(WORD)
        except KeyError as error:
            raise RuntimeError(f"no {WORD}") from error

    text = _raised(fails)
    assert "KeyError\nwhich led to" in text
    assert text.endswith("RuntimeError")
    assert WORD not in text


def test_an_exception_as_an_argument_is_its_type() -> None:
    assert _line("because of %s", ValueError(WORD)) == "ERROR because of ValueError"


def test_an_exception_is_its_type_wherever_it_stands_in_a_message() -> None:
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, ValueError(WORD), (), None)
    assert WithoutMessages("%(levelname)s %(message)s").format(record) == "ERROR ValueError"
    assert _line("because of %(it)s", {"it": KeyError(WORD)}) == "ERROR because of KeyError"


def test_an_error_of_the_system_has_its_code() -> None:
    taken = OSError(errno.EADDRINUSE, f"in use: {WORD}")
    assert _line("%s", taken) == "ERROR OSError EADDRINUSE"
    assert _line("%s", OSError(WORD)) == "ERROR OSError"


def test_nobody_makes_a_line_of_their_own() -> None:
    text = _line("path %s", "/x\r\n2026-01-01 INFO forged \x1b[31m 100%")
    assert "\n" not in text
    assert "\x1b" not in text
    assert text.endswith("100%")


def _loop() -> None:
    """Two exceptions, each the cause of the other."""
    first, second = ValueError(WORD), KeyError(WORD)
    first.__cause__, second.__cause__ = second, first
    raise first


def test_exceptions_that_name_each_other_as_cause_are_told_once_each() -> None:
    text = _raised(_loop)
    assert (text.count("ValueError"), text.count("KeyError")) == (1, 1)
    assert WORD not in text


def test_an_exception_that_is_its_own_context_is_told() -> None:
    error = ValueError(WORD)
    error.__context__ = KeyError(WORD)
    error.__context__.__context__ = error
    assert places_of(error) == ["KeyError", "which led to", "ValueError"]


def test_a_chain_without_end_is_told_from_its_end() -> None:
    error: Exception = ValueError(WORD)
    for _ in range(5_000):
        error, before = RuntimeError(WORD), error
        error.__cause__ = before
    lines = places_of(error)
    assert lines[-1] == "RuntimeError"
    assert len(lines) < 200
