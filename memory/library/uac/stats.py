"""What one asks of many records: averages, groups, counts, and keys for weeks and months.

Decimals stay Decimal and exact, or rounded to the 28 digits of a division. The functions take any
iterable; the keys sort as text in order of time.
"""

from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .text import _uac_weekdays, add_months

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    # So that a type checker sees through `key` and `value` to the fields they name.
    ItemT = TypeVar("ItemT")
    GroupT = TypeVar("GroupT")


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


def variance(numbers: "Iterable[Any]") -> Any:
    """The sample variance (divided by n - 1); ValueError for fewer than two numbers."""
    values = list(numbers)
    if len(values) < 2:
        raise ValueError("no variance of fewer than two numbers")
    centre = mean(values)
    return sum([(value - centre) * (value - centre) for value in values]) / (len(values) - 1)


def stdev(numbers: "Iterable[Any]") -> Any:
    """The sample standard deviation (divided by n - 1); ValueError for fewer than two numbers."""
    values = list(numbers)
    if len(values) < 2:
        raise ValueError("no standard deviation of fewer than two numbers")
    spread = variance(values)
    return spread.sqrt() if isinstance(spread, Decimal) else spread**0.5


def quantile(numbers: "Iterable[Any]", share: float) -> Any:
    """The number below which a share (0 to 1) of them lies; between two neighbours in proportion.

    `quantile(costs, 0.9)` is the 90th percentile, `quantile(costs, 0.5)` the median. ValueError
    when there are no numbers, or for another share.
    """
    values = sorted(numbers)
    if not values:
        raise ValueError("no quantile of nothing")
    if not 0 <= share <= 1:
        raise ValueError("the share of a quantile is between 0 and 1")
    exact = isinstance(values[0], Decimal)
    place = (len(values) - 1) * (Decimal(str(share)) if exact else share)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def rounded(number: Any, places: int = 0) -> Any:
    """The number with so many decimal places, as Decimal, int or float, whichever it was.

    Halves go to the even digit. `round` itself gives other floats in the sandbox.
    """
    if isinstance(number, int):
        return number
    if isinstance(number, Decimal):
        return number.quantize(Decimal(1).scaleb(-places))
    return float(f"{number:.{places}f}")


def group_by(
    items: "Iterable[ItemT]", key: "Callable[[ItemT], GroupT]"
) -> "dict[GroupT, list[ItemT]]":
    """The items in lists by `key(item)`; groups and items in order of first appearance."""
    groups: dict[GroupT, list[ItemT]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def count_by(items: "Iterable[ItemT]", key: "Callable[[ItemT], GroupT]") -> "dict[GroupT, int]":
    """How many items have each `key(item)`."""
    return {name: len(group) for name, group in group_by(items, key).items()}


def share_by(items: "Iterable[ItemT]", key: "Callable[[ItemT], GroupT]") -> "dict[GroupT, float]":
    """Which part of all items, from 0 to 1, has each `key(item)`."""
    counts = count_by(items, key)
    total = sum(counts.values())
    return {name: count / total for name, count in counts.items()}


def sum_by(
    items: "Iterable[ItemT]", key: "Callable[[ItemT], GroupT]", value: "Callable[[ItemT], Any]"
) -> "dict[GroupT, Any]":
    """The sum of `value(item)` for each `key(item)`."""
    return {
        name: sum([value(item) for item in group]) for name, group in group_by(items, key).items()
    }


def mean_by(
    items: "Iterable[ItemT]", key: "Callable[[ItemT], GroupT]", value: "Callable[[ItemT], Any]"
) -> "dict[GroupT, Any]":
    """The mean of `value(item)` for each `key(item)`."""
    return {
        name: mean([value(item) for item in group]) for name, group in group_by(items, key).items()
    }


def most_common(values: "Iterable[ItemT]", limit: int | None = None) -> "list[tuple[ItemT, int]]":
    """Each value with its count, the commonest first; equal counts in order of appearance."""
    counts = count_by(values, lambda value: value)
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return ranked if limit is None else ranked[:limit]


def modes(values: "Iterable[ItemT]") -> "list[ItemT]":
    """The commonest values: all that come equally often, in order of appearance; [] of nothing."""
    counts = count_by(values, lambda value: value)
    most = max(counts.values(), default=0)
    return [value for value, count in counts.items() if count == most]


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


def weekday_name(day: date) -> str:
    """`Monday`."""
    return _uac_weekdays[day.weekday()]


def each_day(first: date, last: date) -> list[date]:
    """Every day from the first to the last, both included; none where the last comes before."""
    return [first + timedelta(days=step) for step in range((last - first).days + 1)]


def each_month(first: date, last: date) -> list[str]:
    """The key of every month from that of the first day to that of the last.

    So that months without anything are not left out: `[counts.get(m, 0) for m in each_month(...)]`.
    """
    months = (last.year - first.year) * 12 + last.month - first.month
    return [
        month_key(add_months(date(first.year, first.month, 1), step)) for step in range(months + 1)
    ]


def years_between(first: date, second: date) -> int:
    """How many whole years have passed from the first day to the second, as one counts an age."""
    passed = second.year - first.year
    return passed - 1 if (second.month, second.day) < (first.month, first.day) else passed
