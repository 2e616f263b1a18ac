"""What one asks of many records: averages, groups, counts, and keys for weeks and months.

Decimals stay Decimal and exact, or rounded to the 28 digits of a division. The functions take any
iterable; the keys sort as text in order of time.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def mean(numbers: "Iterable[Any]") -> Any:
    """The arithmetic mean; ValueError when there are no numbers."""
    values = list(numbers)
    if not values:
        raise ValueError("no mean of nothing")
    return sum(values) / len(values)


def median(numbers: "Iterable[Any]") -> Any:
    """The middle number, or the mean of the middle two; ValueError when there are none."""
    values = sorted(numbers)
    if not values:
        raise ValueError("no median of nothing")
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2


def stdev(numbers: "Iterable[Any]") -> Any:
    """The sample standard deviation (divided by n - 1); ValueError for fewer than two numbers."""
    values = list(numbers)
    if len(values) < 2:
        raise ValueError("no standard deviation of fewer than two numbers")
    centre = mean(values)
    variance = sum([(value - centre) * (value - centre) for value in values]) / (len(values) - 1)
    return variance.sqrt() if isinstance(variance, Decimal) else variance**0.5


def rounded(number: Any, places: int = 0) -> Any:
    """The number with so many decimal places, as Decimal, int or float, whichever it was.

    Halves go to the even digit. `round` itself gives other floats in the sandbox.
    """
    if isinstance(number, int):
        return number
    if isinstance(number, Decimal):
        return number.quantize(Decimal(1).scaleb(-places))
    return float(f"{number:.{places}f}")


def group_by(items: "Iterable[Any]", key: "Callable[[Any], Any]") -> "dict[Any, list[Any]]":
    """The items in lists by `key(item)`; groups and items in order of first appearance."""
    groups: dict[Any, list[Any]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def count_by(items: "Iterable[Any]", key: "Callable[[Any], Any]") -> "dict[Any, int]":
    """How many items have each `key(item)`."""
    return {name: len(group) for name, group in group_by(items, key).items()}


def sum_by(
    items: "Iterable[Any]", key: "Callable[[Any], Any]", value: "Callable[[Any], Any]"
) -> "dict[Any, Any]":
    """The sum of `value(item)` for each `key(item)`."""
    return {
        name: sum([value(item) for item in group]) for name, group in group_by(items, key).items()
    }


def most_common(values: "Iterable[Any]", limit: int | None = None) -> "list[tuple[Any, int]]":
    """Each value with its count, the commonest first; equal counts in order of appearance."""
    counts = count_by(values, lambda value: value)
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return ranked if limit is None else ranked[:limit]


def week_key(day: date) -> str:
    """The ISO week, `2026-W12`; the first days of January may belong to the year before."""
    plain = date(day.year, day.month, day.day)
    # The week belongs to the year of its Thursday. Not by `isocalendar`, which the sandbox lacks.
    thursday = plain + timedelta(days=3 - plain.weekday())
    week = (thursday - date(thursday.year, 1, 1)).days // 7 + 1
    return f"{thursday.year:04d}-W{week:02d}"


def month_key(day: date) -> str:
    """`2026-03`."""
    return f"{day.year:04d}-{day.month:02d}"


def quarter_key(day: date) -> str:
    """`2026-Q1`."""
    return f"{day.year:04d}-Q{(day.month + 2) // 3}"


def year_key(day: date) -> str:
    """`2026`, with as many zeros as make four digits."""
    return f"{day.year:04d}"
