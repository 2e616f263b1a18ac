"""What could fool the person who decides on a change: found by code, to be ticked one by one.

It would rather say too much than too little: a doubt costs a look, and is no judgement.
"""

from __future__ import annotations

import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache

from memory.project.review.doubt import Concern, Doubt
from memory.project.review.hidden import alike_names, instructions, long_lines, odd_characters
from memory.project.review.lessened import lessened_schema, lessened_tests
from memory.project.review.tree import FileChange, changed_files
from memory.project.review.weakened import weakened
from memory.project.tree import Project

Look = Callable[[FileChange], Iterator[Doubt]]
MOST = 20  # doubts of one concern in one file; with more, the last tells how many more


@lru_cache(maxsize=32)
def doubts(old: Project, new: Project) -> tuple[Doubt, ...]:
    """Every doubt about a change, in order of the files; the same change has the same doubts."""
    changes = changed_files(old.files, new.files)
    found: dict[tuple[str, Concern], list[Doubt]] = defaultdict(list)
    for one in (*_of_files(changes), *alike_names(changes, old.files, new.files)):
        found[one.path, one.concern].append(one)
    groups = sorted(found.items(), key=lambda item: item[0][0])
    return tuple(one for _, group in groups for one in _bounded(group))


def _of_files(changes: tuple[FileChange, ...]) -> Iterator[Doubt]:
    for change in changes:
        for look in (odd_characters, long_lines, instructions, *_of_place(change.path)):
            try:
                yield from list(look(change))
            except (RecursionError, tokenize.TokenError, IndentationError):
                words = "parts of it are written so that code cannot look through them"
                yield Doubt("unread", change.path, 1, words)


def _of_place(path: str) -> tuple[Look, ...]:
    """What is looked at besides, by what a file is."""
    match path.split("/"):
        case ["rules", _]:
            return (weakened,)
        case ["tests", _]:
            return (lessened_tests,)
        case ["domains", _, "schema.py"]:
            return (lessened_schema,)
    return ()


def _bounded(group: list[Doubt]) -> list[Doubt]:
    if len(group) <= MOST:
        return group
    last = group[MOST - 1]
    more = f"and {len(group) - MOST + 1:,} more of this sort from here on"
    return [*group[: MOST - 1], Doubt(last.concern, last.path, last.line, more, last.gone)]
