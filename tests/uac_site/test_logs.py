"""A log line has ids and codes, types and places, and not a word of what caused it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from uac_site.logs import WithoutMessages

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


def test_nobody_makes_a_line_of_their_own() -> None:
    text = _line("path %s", "/x\r\n2026-01-01 INFO forged \x1b[31m 100%")
    assert "\n" not in text
    assert "\x1b" not in text
    assert text.endswith("100%")
