"""A diff made, and shown again, beside what Pygments alone takes to highlight both sides."""

from __future__ import annotations

import gc
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from typing import get_args

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers.python import PythonLexer

from memory.project.lines import split_lines
from memory.project.review.render import CACHE, View, show_diff
from memory.project.review.tree import FileChange, changed_files
from memory.project.shipped import baseline
from uac_site.benchmarks.measure import Bound, Result, ms, p50, ratio, table

LINES = 5_000
CHANGED = 200
COLD_LIMIT = 1.5  # times what Pygments takes
CACHED_LIMIT = 5.0  # per cent of what it took cold
WORDS: Mapping[View, str] = {"unified": "one column", "split": "side by side"}

Say = Callable[[str], None]
Timings = dict[str, list[float]]


def run(rounds: int, seed: int, say: Say) -> Result:
    """Measure and print; processor time, each figure the median of the rounds."""
    old = shipped_lines()
    new = with_changes(old, seed)
    changes = changed_files(old, new)
    timings: Timings = defaultdict(list)
    for _ in range(rounds):
        timings["Pygments alone"].append(_seconds(partial(_highlight, changes)))
        for view in get_args(View):
            CACHE.clear()
            for what in ("cold", "cached"):
                taken = _seconds(partial(show_diff, old, new, view))
                timings[f"{WORDS[view]}, {what}"].append(taken)
    _show(say, changes, timings)
    return Result([bound for view in get_args(View) for bound in _bounds(view, timings)])


def shipped_lines() -> dict[str, str]:
    """So many lines of the code that ships, the last file cut."""
    files: dict[str, str] = {}
    room = LINES
    for path, text in sorted(baseline().files.items()):
        lines = split_lines(text)[:room]
        if lines:
            files[path] = "".join(lines)
        room -= len(lines)
    return files


def with_changes(files: Mapping[str, str], seed: int) -> dict[str, str]:
    """The files with one word more in some of their lines."""
    lines = {path: split_lines(text) for path, text in files.items()}
    places = [
        (path, n) for path, own in lines.items() for n, line in enumerate(own) if line.strip()
    ]
    draw = random.Random(seed)  # noqa: S311  (the same lines every time)
    for path, number in draw.sample(places, CHANGED):
        lines[path][number] = lines[path][number].rstrip("\n") + "  # changed\n"
    return {path: "".join(own) for path, own in lines.items()}


def _highlight(changes: tuple[FileChange, ...]) -> None:
    """Both sides of what differs, as Pygments itself makes HTML of them."""
    formatter: HtmlFormatter[str] = HtmlFormatter(nowrap=True)
    for change in changes:
        for text in (change.old, change.new):
            highlight(text, PythonLexer(), formatter)


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    work()
    return time.process_time() - began


def _bounds(view: View, timings: Timings) -> list[Bound]:
    alone, cold, cached = (
        p50(timings[name])
        for name in ("Pygments alone", f"{WORDS[view]}, cold", f"{WORDS[view]}, cached")
    )
    return [
        Bound(f"{WORDS[view]} cold", ratio(cold, alone), COLD_LIMIT, " × Pygments"),
        Bound(f"{WORDS[view]} cached", 100 * ratio(cached, cold), CACHED_LIMIT, " % of cold"),
    ]


def _show(say: Say, changes: tuple[FileChange, ...], timings: Timings) -> None:
    count = sum(len(split_lines(change.new)) for change in changes)
    say(f"\n{CHANGED} changed lines in {count:,} of {len(changes)} files.\n")
    say(table(("what", "ms"), [(name, ms(p50(taken))) for name, taken in timings.items()]))
