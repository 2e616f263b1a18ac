"""Money held against a limit that somebody set: what it covers, and the sums of its periods."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from .amounts import calendar_bounds, first_payment_day, payment_days
from .deadlines import day_from
from .outgoings import Outgoing

if TYPE_CHECKING:
    from collections.abc import Iterable

SPENDING_LOOK_BACK = 30  # days
_uac_looked_back_days = 7  # how long what is spent against one's own limit is told
_uac_look_ahead = 62  # days; how far what is repeated is counted


@dataclass
class PeriodSpending:
    """What is firm in one calendar period, in order of days; `left_out` is allowed beyond it."""

    counted: list[tuple[date | None, Outgoing]]
    left_out: list[tuple[date | None, Outgoing]]
    total: Decimal
    crossing: str = ""  # what brought the sum over the limit


def limit_covers(limit: Any, out: Outgoing) -> bool:
    """Whether the limit is about this money, whatever its amount and day."""
    if out.sort == "charge" and limit.account is None and limit.payee is None:
        return False
    return (
        (limit.binds is None or limit.binds == out.mover)
        and (limit.account is None or limit.account == out.account)
        and (limit.payee is None or limit.payee == out.payee)
        and (limit.category is None or limit.category in out.subjects)
    )


def charges_limited(charges: "Iterable[Any]", limits: "Iterable[Any]") -> list[Any]:
    """The charges that any of the limits can be about: those on its account or by its payee."""
    held = {limit.account for limit in limits} - {None}
    paid = {limit.payee for limit in limits} - {None}
    if not held and not paid:
        return []
    return [charge for charge in charges if charge.account in held or charge.payee in paid]


def may_go_beyond(limit: Any, out: Outgoing) -> bool:
    """Whether somebody who may exceed it orders it, or they or its setter approved it."""
    if out.mover in limit.may_exceed or not out.allowed_by:
        return out.mover in limit.may_exceed
    agreed = [who for who in out.allowed_by if who in limit.may_exceed or who == limit.said_by]
    return bool([who for who in agreed if who != out.mover])


def limit_holds(limit: Any, day: date) -> bool:
    """Whether the limit is in force on a day."""
    return (limit.since is None or limit.since <= day) and (
        limit.until is None or day <= limit.until
    )


def limit_stands(limit: Any, today: date) -> bool:
    """Whether the limit was not lifted and is not over."""
    return limit.status != "lifted" and (limit.until is None or today <= limit.until)


def judged_day(limit: Any, out: Outgoing, today: date) -> list[date]:
    """The first day on which the limit holds for it; [] where that is nobody's business today."""
    if out.day is None:
        return []
    since = max(out.day, limit.since or date.min)
    first = first_payment_day(out.day, out.repeats, out.until, since)
    oldest = today if out.stage == "idea" else day_from(today, 0, -SPENDING_LOOK_BACK)
    last = first_payment_day(out.day, out.repeats, out.until, max(since, oldest))
    if first is None or last is None or not limit_holds(limit, last):
        return []
    return [] if out.stage == "done" and last > today and out.repeats else [first]


def spending_window(per: str, today: date) -> tuple[date, date]:
    """The first and last day of the periods that are told of; what happens once may be later."""
    start = calendar_bounds(day_from(today, 0, -SPENDING_LOOK_BACK), per)[0]
    ahead = 0 if per == "year" else _uac_look_ahead
    return start, calendar_bounds(day_from(today, 0, ahead), per)[1]


def _uac_firm_days(
    limit: Any, covered: "Iterable[Outgoing]", today: date
) -> list[tuple[date, Outgoing]]:
    start, end = spending_window(limit.per, today)
    found: list[tuple[date, Outgoing]] = []
    for out in covered:
        if out.day is None or not out.amount or out.stage == "idea":
            continue
        if out.currency != limit.currency:
            continue
        if out.repeats is None:
            if out.day >= start:
                found.append((out.day, out))
            continue
        last = today if out.stage == "done" else end
        days = payment_days(out.day, out.repeats, out.until, start, last)
        found.extend([(day, out) for day in days])
    if limit.since is None and limit.until is None:
        return found
    return [pair for pair in found if limit_holds(limit, pair[0])]


def dated_spending(
    limit: Any, covered: "Iterable[Outgoing]", today: date
) -> dict[date, list[tuple[date, Outgoing]]]:
    """What is firm and in the limit's currency, by the period's first day, in order of days."""
    found = _uac_firm_days(limit, covered, today)
    lenient = bool(limit.may_exceed)
    # What may go beyond the limit comes last on its day: it leaves the others their room.
    found.sort(
        key=lambda pair: (
            pair[0],
            (lenient or bool(pair[1].allowed_by)) and may_go_beyond(limit, pair[1]),
            pair[1].record.id,
        )
    )
    periods: dict[date, list[tuple[date, Outgoing]]] = {}
    current: list[tuple[date, Outgoing]] = []
    last = date.min
    for pair in found:
        if not current or pair[0] > last:
            first, last = calendar_bounds(pair[0], limit.per)
            current = []
            periods[first] = current
        current.append(pair)
    return periods


def add_up(limit: Any, found: "Iterable[tuple[date, Outgoing]]") -> PeriodSpending:
    """The sum of one period; what goes beyond the limit with leave is left out."""
    counted: list[tuple[date | None, Outgoing]] = []
    left_out: list[tuple[date | None, Outgoing]] = []
    total, crossing = Decimal(0), ""
    for day, out in found:
        more = total + (out.amount or Decimal(0))
        if more > limit.amount:
            if may_go_beyond(limit, out):
                left_out.append((day, out))
                continue
            if total <= limit.amount:
                crossing = out.record.what
        counted.append((day, out))
        total = more
    return PeriodSpending(counted, left_out, total, crossing)


def telling_part(limit: Any, start: date, spent: PeriodSpending) -> str:
    """What tells one period over the limit apart from others, as text.

    What is over in every period by the same repeated payments is told once, of the first.
    """
    standing = [out for _, out in spent.counted if out.repeats]
    if sum([out.amount or Decimal(0) for out in standing], Decimal(0)) <= limit.amount:
        return start.isoformat()
    return repr(sorted({(out.sort, out.record.id) for out in standing}))


def only_to_look_back(limit: Any, counted: "Iterable[tuple[date | None, Outgoing]]") -> bool:
    """Whether nothing is left to decide: all is spent, and the limit names nobody else to ask."""
    others = [who for who in [limit.said_by, limit.binds, *limit.may_exceed] if who is not None]
    own = not [who for who in others if who != "me"]
    return own and not [out for _, out in counted if out.stage != "done"]


def is_looked_back_on(
    limit: Any, counted: "list[tuple[date | None, Outgoing]]", today: date
) -> bool:
    """Whether it is only to look back on, and the last of it is a week ago."""
    last = max([day or today for day, _ in counted], default=today)
    over = last <= day_from(today, 0, -_uac_looked_back_days)
    return over and only_to_look_back(limit, counted)
