"""When a drug, a food or a drink is taken, as far as it was said, and whether two of them meet."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from .names import normalise
from .text import long_date

if TYPE_CHECKING:
    from collections.abc import Iterable

_uac_first_day = date(1, 1, 1)
_uac_last_day = date(9999, 12, 31)
# Forms that act where they are put, and forms that are swallowed or injected.
_uac_local_text = (
    "cream ointment lotion gel shampoo foam drop drops eye ear ophthalmic otic nasal spray topical"
    " inhaler inhalation inhaled nebulizer nebuliser hfa diskus vaginal rinse mouthwash"
)
_uac_inner_text = (
    "tablet tablets tab tabs capsule capsules cap caps caplet caplets pill pills oral orally syrup"
    " suspension injection injectable infusion iv im subcutaneous"
)
_uac_long_text = (
    "er xr xl sr cr la sa cd ec contin extended sustained controlled prolonged long depot modified"
)
_uac_local_words = set(_uac_local_text.split())
_uac_inner_words = set(_uac_inner_text.split())
_uac_long_words = set(_uac_long_text.split())


@dataclass
class Taking:
    """The days on which something is taken; `first` and `last` lie at the ends of time if open."""

    record: Any
    first: date
    last: date
    idea: bool  # only considered
    over: bool  # stopped by today, or never taken
    lost: bool  # stopped, and nobody said when


def taking_of(record: Any, today: date) -> Taking:
    """The days of a record with `status`, `started_on` and `stopped_on`.

    Something stopped without a date is over, and its last day is not known; something avoided was
    never taken.
    """
    first = record.started_on or _uac_first_day
    last = record.stopped_on or _uac_last_day
    idea = record.status == "considered"
    if record.status == "avoided":
        return Taking(record, _uac_last_day, _uac_first_day, False, True, False)
    stopped = record.status == "stopped"
    lost = stopped and record.stopped_on is None
    over = lost or last < today or (stopped and last == today)
    return Taking(record, first, last, idea, over, lost)


def _uac_counts(record: Any, today: date, longest: int) -> bool:
    last: date | None = record.stopped_on
    if record.status == "stopped":
        if last is None:
            return longest > 0
        return last > today or (today - last).days < longest
    return (last is None or (today - last).days < max(longest, 1)) and record.status != "avoided"


def takings_of(records: "Iterable[Any]", today: date, longest: int = 0) -> list[Taking]:
    """The days of the records that are not over, or not for `longest` days, sorted by id.

    With `longest` days of wash-out, those that were stopped at an unknown time are among them.
    """
    found = [taking_of(record, today) for record in records if _uac_counts(record, today, longest)]
    return sorted(found, key=lambda taking: taking.record.id) if len(found) > 1 else found


def _uac_lingers(gone: Taking, taken: Taking, today: date, days: int) -> str:
    """How the wash-out of one lies to the days of the other: `after`, `unknown` or ``."""
    if days == 0 or taken.over or gone.idea:
        return ""
    if gone.lost:
        return "unknown"
    if gone.last >= date(9998, 1, 1) or gone.last < _uac_first_day + timedelta(days=1):
        return ""
    start = max(taken.first, gone.first, today)
    return "after" if start <= min(taken.last, washed_out_on(gone, days) - timedelta(1)) else ""


def washed_out_on(gone: Taking, days: int) -> date:
    """The first day on which something stopped counts no more; `days` after its last day."""
    return gone.last + timedelta(days=days)


def how_taken_together(
    one: Taking, other: Taking, today: date, one_days: int = 0, other_days: int = 0
) -> str:
    """Whether two are taken on one day, today or later: `together`.

    Otherwise whether one is taken while the other still counts, `one_days` or `other_days` after
    its last day: `after one`, `after other`; `unknown one`, `unknown other` where nobody said when
    that last day was. Empty when they do not meet.
    """
    start = max(one.first, other.first, today)
    if not one.over and not other.over and start <= min(one.last, other.last):
        return "together"
    lingering = _uac_lingers(one, other, today, one_days)
    if lingering:
        return f"{lingering} one"
    lingering = _uac_lingers(other, one, today, other_days)
    return f"{lingering} other" if lingering else ""


def taking_words(record: Any, prescriber: str | None = None) -> str:
    """`is taken from Monday, March 2, 2026, prescribed by Dr. Albers`; the name stands before."""
    verbs = {
        "considered": "is only considered so far",
        "prescribed": "is prescribed",
        "taking": "is taken",
        "stopped": "was stopped",
        "regular": "is taken in regularly",
        "occasional": "is taken in now and then",
        "avoided": "is avoided",
    }
    words = verbs[record.status]
    if record.status == "stopped":
        words += f" on {long_date(record.stopped_on)}" if record.stopped_on else ", no date said"
    else:
        words += f" from {long_date(record.started_on)}" if record.started_on else ""
        words += f" to {long_date(record.stopped_on)}" if record.stopped_on else ""
    return words + (f", prescribed by {prescriber}" if prescriber else "")


@dataclass
class _UacForm:
    route: str
    long_acting: bool
    plain: str


_uac_forms: dict[str, _UacForm] = {}  # one name is compared with many others
_uac_forms_at_most = 2000


def _uac_form(name: str) -> _UacForm:
    known = _uac_forms.get(name)
    if known is None:
        words = set("".join([c if c.isalnum() else " " for c in name.casefold()]).split())
        local = not words.isdisjoint(_uac_local_words)
        inner = not words.isdisjoint(_uac_inner_words)
        route = "local" if local else "inner" if inner else ""
        known = _UacForm(route, not words.isdisjoint(_uac_long_words), normalise(name))
        if len(_uac_forms) < _uac_forms_at_most:
            _uac_forms[name] = known
    return known


def route_of(name: str) -> str:
    """`local` or `inner` where the name tells the form (cream, drops, tablet), else empty."""
    return _uac_form(name).route


def is_long_acting(name: str) -> bool:
    """Whether the name says that the drug is released over hours or days (`XR`, `depot`)."""
    return _uac_form(name).long_acting


def same_plain_name(first: str, second: str) -> bool:
    """Whether two names differ at most in strength, form, case and punctuation."""
    return _uac_form(first).plain == _uac_form(second).plain
