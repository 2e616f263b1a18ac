"""Warns of money that goes, or is about to go, beyond a limit that somebody set.

Only the limit's own currency is compared, and only what the records name by reference: account,
payee and subject. A charge is nobody's order and counts only against a limit that names the account
or the payee. What somebody ordered or approved who may go beyond the limit does not count as far as
it goes beyond. Periods are those of the calendar. Never critical: a limit says what is wanted, and
no record tells of harm. What has been over for 30 days is for nobody to stop and is not told; what
is spent against a limit that names nobody but the person is information, for a week.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from domains.finance.schema import SpendingLimit
from domains.finance.state import accounts, charges, payments, spending_limits
from domains.people.state import people
from domains.preferences.state import orders, subjects
from uac import (
    SPENDING_LOOK_BACK,
    Alert,
    Outgoing,
    PeriodSpending,
    add_up,
    beyond_words,
    calendar_bounds,
    calendar_words,
    charges_limited,
    counted_once,
    dated_spending,
    day_from,
    first_payment_day,
    is_looked_back_on,
    judged_day,
    limit_covers,
    limit_holds,
    limit_stands,
    limit_terms,
    limit_words,
    may_go_beyond,
    money,
    names_by_id,
    only_to_look_back,
    outgoings,
    sentence,
    shorten,
    speaker_words,
    spending_list,
    telling_part,
)

SPENDING_ALERTS_A_LIMIT = 3
MOST_SPENDING_EVIDENCE = 40


@dataclass
class LimitView:
    """One limit, the money that it covers, and the names of people."""

    limit: SpendingLimit
    covered: list[Outgoing]
    names: dict[str, str]
    today: date


def spending_detail(
    view: LimitView,
    counted: list[tuple[date | None, Outgoing]],
    left_out: list[tuple[date | None, Outgoing]],
) -> str:
    """The terms of the limit, what counts against it, and what was allowed beyond it."""
    detail = f"{limit_terms(view.limit, view.names)} Counted: {spending_list(counted, view.names)}."
    if left_out:
        detail += f" Not counted, being allowed: {spending_list(left_out, view.names)}."
    return shorten(detail, 1900)


def spending_unknown(view: LimitView, found: list[Outgoing]) -> list[str]:
    """What nobody has said and would change the judgement."""
    unknown = [] if view.limit.said_by else ["who set the limit"]
    if [out for out in found if out.day is None]:
        unknown.append("the day of the payment")
    who = [shorten(speaker_words(view.names, one), 40) for one in view.limit.may_exceed[:4]]
    if who:
        unknown.append(f"whether {' or '.join(who)} agreed")
    return unknown


def spending_action(view: LimitView, found: list[tuple[date | None, Outgoing]]) -> str:
    """The one thing to do, by whether money can still be kept."""
    limit, today = view.limit, view.today
    asked = limit.may_exceed[:1] or ([limit.said_by] if limit.said_by else [])
    whom = shorten(speaker_words(view.names, asked[0]), 40) if asked else "whoever set the limit"
    if [out for day, out in found if out.stage != "done" and (day or today) >= today]:
        return f"Ask {whom} before the money goes."
    if only_to_look_back(limit, found):
        return "Decide whether the limit still fits."
    return f"Find out whether {whom} agreed to it."


def limit_evidence(view: LimitView, found: list[Outgoing]) -> list[object]:
    """The records of the money, each once, the first of many, and the limit."""
    records: dict[tuple[str, str], object] = {}
    for out in found:
        if len(records) == MOST_SPENDING_EVIDENCE:
            break
        records.setdefault((out.sort, out.record.id), out.record)
    return [*records.values(), view.limit]


def beyond_alert(view: LimitView, out: Outgoing, day: date | None) -> Alert:
    """The alert on one payment that is larger than the limit by itself."""
    limit = view.limit
    again = f" It is repeated {out.repeats}." if out.repeats else ""
    return Alert(
        severity="info" if only_to_look_back(limit, [(day, out)]) else "warning",
        summary=beyond_words(limit, out, day, view.names),
        evidence=[out.record, limit],
        detail=spending_detail(view, [(day, out)], []) + again,
        unknown=spending_unknown(view, [out]),
        action=spending_action(view, [(day, out)]),
        due=day if day is not None and day >= view.today and out.stage != "done" else None,
    )


def unchecked_spending(view: LimitView, out: Outgoing, missing: str) -> Alert:
    """Says of money that is to go what is missing to hold it against the limit."""

    def words(what: str, limit: str) -> str:
        return f"{what} was not checked against the limit {limit}: {missing} is not recorded"

    return Alert(
        severity="info",
        summary=sentence(words, out.record.what, view.limit.what),
        evidence=[out.record, view.limit],
        detail=spending_detail(view, [(out.day, out)], []),
        grade="not checked",
        unknown=[missing],
        action=f"Record {missing}.",
        key="not checked",
    )


def single_findings(view: LimitView) -> list[Alert]:
    """The alerts on what is beyond the limit by itself, or cannot be compared with it."""
    limit, today = view.limit, view.today
    alerts: list[Alert] = []
    for out in view.covered:
        foreign = out.currency != limit.currency
        compared = out.amount is not None and not foreign
        # What has a day counts in its period; here it matters only where it cannot be compared.
        apart = limit.per == "payment" or out.day is None or not compared
        if not apart or (compared and (out.amount or 0) <= limit.amount):
            continue
        days = judged_day(limit, out, today)
        undated = out.day is None and out.stage != "done" and limit_holds(limit, today)
        if may_go_beyond(limit, out) or not (days or undated):
            continue
        if compared:
            day = days[0] if days else None
            if not is_looked_back_on(limit, [(day, out)], today):
                alerts.append(beyond_alert(view, out, day))
            continue
        # What an order costs is rarely said; it matters where the limit names what it is for.
        named = out.sort != "order" or limit.category is not None or limit.payee is not None
        if out.stage == "ahead" and named:
            rate = f"its amount in {limit.currency}"
            alerts.append(unchecked_spending(view, out, rate if foreign else "its amount"))
    return alerts


def period_alert(view: LimitView, start: date, spent: PeriodSpending) -> Alert:
    """The alert on all that is firm in one period."""
    limit = view.limit
    total, over = (
        money(spent.total, limit.currency),
        money(spent.total - limit.amount, limit.currency),
    )
    found = [out for _, out in spent.counted]
    when = calendar_words(start, limit.per)

    def words(what: str, name: str) -> str:
        most = limit_words(limit, view.names)
        return f"{name}: {total} {when} with {what}, {over} over {most}"

    return Alert(
        severity="info" if only_to_look_back(limit, spent.counted) else "warning",
        summary=sentence(words, spent.crossing, limit.what),
        evidence=limit_evidence(view, found),
        detail=spending_detail(view, spent.counted, spent.left_out),
        unknown=spending_unknown(view, found),
        action=spending_action(view, spent.counted),
    )


def idea_alert(view: LimitView, out: Outgoing, day: date, spent: PeriodSpending) -> Alert:
    """The alert on an idea that would bring a period over the limit."""
    limit = view.limit
    total = spent.total + (out.amount or Decimal(0))
    sum_words, over = money(total, limit.currency), money(total - limit.amount, limit.currency)
    when = calendar_words(day, limit.per)

    def words(what: str, name: str) -> str:
        return (
            f"{what}, only an idea so far, would bring “{name}” to {sum_words} {when}, "
            f"{over} over {limit_words(limit, view.names)}"
        )

    return Alert(
        severity="warning",
        summary=sentence(words, out.record.what, limit.what),
        evidence=limit_evidence(view, [out, *[one for _, one in spent.counted]]),
        detail=spending_detail(view, [(day, out), *spent.counted], spent.left_out),
        unknown=spending_unknown(view, [out]),
        action=spending_action(view, [(day, out)]),
        key="idea",
    )


def over_periods(view: LimitView, sums: dict[date, PeriodSpending]) -> list[Alert]:
    """The alerts on periods over the limit: those ended lately, this one, and what is to come."""
    alerts: dict[str, Alert] = {}
    for start, spent in sums.items():
        last = calendar_bounds(start, view.limit.per)[1]
        over = spent.total > view.limit.amount and last >= day_from(
            view.today, 0, -SPENDING_LOOK_BACK
        )
        gone = is_looked_back_on(view.limit, spent.counted, view.today)
        if over and not gone and len(alerts) < SPENDING_ALERTS_A_LIMIT:
            same = telling_part(view.limit, start, spent)
            if same not in alerts:
                alerts[same] = period_alert(view, start, spent)
    return list(alerts.values())


def period_findings(view: LimitView) -> list[Alert]:
    """The alerts on sums: firm ones, ideas that add too much, and what has no day but might."""
    limit, today = view.limit, view.today
    periods = dated_spending(limit, view.covered, today)
    sums = {start: add_up(limit, found) for start, found in periods.items()}
    current = calendar_bounds(today, limit.per)[0]
    most = max([spent.total for start, spent in sums.items() if start >= current], default=0)
    alerts = over_periods(view, sums)
    for out in view.covered:
        if out.amount is None or out.currency != limit.currency:
            continue
        if (out.day is not None and out.stage != "idea") or may_go_beyond(limit, out):
            continue
        undated = out.day is None and out.stage == "ahead" and limit_holds(limit, today)
        if undated and out.amount <= limit.amount < most + out.amount:
            alerts.append(unchecked_spending(view, out, "its day"))
        for first in judged_day(limit, out, today) if out.stage == "idea" else []:
            start = max(first, today)
            day = first_payment_day(first, out.repeats, out.until, start) or start
            spent = sums.get(calendar_bounds(day, limit.per)[0], PeriodSpending([], [], Decimal(0)))
            if spent.total <= limit.amount < spent.total + out.amount:
                alerts.append(idea_alert(view, out, day, spent))
    return alerts


def find_spending_over_limits(
    limits: list[SpendingLimit], money_out: list[Outgoing], names: dict[str, str], today: date
) -> list[Alert]:
    """All alerts for these limits and this money, limit by limit, whatever their order."""
    alerts: list[Alert] = []
    # Limits often differ in amount and period only.
    known: dict[tuple[str | None, str | None, str | None, str | None], list[Outgoing]] = {}
    for limit in sorted(limits, key=lambda one: one.id):
        if not limit_stands(limit, today):
            continue
        about = (limit.binds, limit.account, limit.payee, limit.category)
        if about not in known:
            known[about] = counted_once([out for out in money_out if limit_covers(limit, out)])
        view = LimitView(limit, known[about], names, today)
        alerts.extend(single_findings(view))
        if limit.per != "payment":
            alerts.extend(period_findings(view))
    return alerts


def check(today: date) -> list[Alert]:
    """The alerts for the recorded limits."""
    limits = [one for one in spending_limits if limit_stands(one, today)]
    if not limits:
        return []
    # The first day of any period that can still be told of.
    since = calendar_bounds(day_from(today, 0, -SPENDING_LOOK_BACK), "month")[0]
    if [limit for limit in limits if limit.per == "year"]:
        since = calendar_bounds(since, "year")[0]
    charged = charges_limited(charges, limits)
    money_out = outgoings(payments, charged, orders, subjects, accounts, day_from(since, 0, -7))
    return find_spending_over_limits(limits, money_out, names_by_id(people), today)
