"""Find the payloads that do not go with the others of their kind, so that they do not hold all up.

Facts cannot be changed: one that says `price: "free"` where a hundred say a number would otherwise
keep the kind from ever having a type.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from memory.project.columns import ITEM, MAX_DEPTH
from memory.project.naming import shown

Path = tuple[str, ...]
WORDS = {bool: "a boolean", int: "a number", float: "a number", str: "text", list: "a list"}


def odd_ones(
    payloads: Sequence[dict[str, Any]], *, beside: Sequence[dict[str, Any]] = ()
) -> dict[int, str]:
    """The payloads in which a value is of another JSON type than most others at its place.

    Each by its index, with the reason. `beside` are others that count, and are not in question. Of
    two types that are as frequent, the first one said wins.
    """
    shapes = [list(_shape((), payload)) for payload in payloads]
    counts: dict[Path, Counter[str]] = defaultdict(Counter)
    for shape in [*(list(_shape((), payload)) for payload in beside), *shapes]:
        for path, word in dict.fromkeys(shape):
            counts[path][word] += 1
    usual = {path: words.most_common(1)[0] for path, words in counts.items()}
    found = {}
    for index, shape in enumerate(shapes):
        for path, word in shape:
            common, times = usual[path]
            if word != common:
                name = ".".join(map(shown, path))
                found[index] = f"{name} is {word} where {_others(times)} {common}; send {common}"
                break
    return found


def _others(times: int) -> str:
    return "another has" if times == 1 else f"{times:,} others have"


def _shape(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """The JSON type at each place; null is of every type."""
    if value is None or len(path) > MAX_DEPTH:
        return
    if path:
        yield path, WORDS.get(type(value), "an object")
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _shape((*path, name), part)
    elif isinstance(value, list):
        for part in value:
            yield from _shape((*path, ITEM), part)


def largest_good(
    indexes: Sequence[int], good: Callable[[Sequence[int]], bool], *, trials: int
) -> list[int]:
    """Many indexes that are good together, in order; in doubt those that come first.

    Looked for by halves from both ends, then one by one, with no more than about `trials` trials
    each time; what has not been tried is left out. Often, not always, there is no larger set.
    """
    ahead = _by_halves(indexes, good, [trials])
    back = _by_halves(list(reversed(indexes)), good, [trials])
    found = back if len(back) > len(ahead) else ahead
    rest = [index for index in indexes if index not in set(found)]
    for index in rest[:trials]:
        if good(sorted([*found, index])):
            found = [*found, index]
    return sorted(found)


def _by_halves(
    indexes: Sequence[int], good: Callable[[Sequence[int]], bool], left: list[int]
) -> list[int]:
    if not indexes or left[0] <= 0:
        return []
    left[0] -= 1
    if good(sorted(indexes)):
        return list(indexes)
    if len(indexes) == 1:
        return []
    middle = (len(indexes) + 1) // 2
    first = _by_halves(indexes[:middle], good, left)
    second = _by_halves(indexes[middle:], good, left)
    both = [*first, *second]
    if first and second and left[0] > 0:
        left[0] -= 1
        if good(sorted(both)):
            return both
    return max(first, second, key=len)
