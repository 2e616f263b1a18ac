"""Many threads that parse at once get their trees: a collection in between lets others in."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memory.project.parsing import parse_python

SOURCE = "\n".join(f"def f{n}(x):\n    return [x + {n}, {{'a': (x, {n})}}]" for n in range(200))
THREADS, TIMES = 4, 5


def _deep(levels: int, then: Callable[[], object]) -> None:
    """Call from that much further down the stack: each thread is at another depth."""
    if levels:
        _deep(levels - 1, then)
    else:
        then()


def test_threads_at_different_depths_parse_while_the_collector_lets_them_in_turn() -> None:
    failed: list[BaseException] = []

    def parse(depth: int) -> None:
        try:
            for _ in range(TIMES):
                _deep(depth, lambda: parse_python(SOURCE))
        except SystemError as error:
            failed.append(error)

    turns = threading.Event()

    def hand_over(*_: object) -> None:
        turns.wait(0.0001)  # gives up the interpreter in the midst of building a tree

    gc.callbacks.append(hand_over)
    try:
        threads = [threading.Thread(target=parse, args=(n * 20,)) for n in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.callbacks.remove(hand_over)
    assert not failed


def test_what_is_not_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        parse_python("def (")
    assert parse_python(Path(__file__).read_text(encoding="utf-8")).body
