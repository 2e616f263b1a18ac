"""Engagements in words: when, how often, where, with whom and how firmly."""

from datetime import date
from typing import Any

from .calendar import repeat_words
from .speakers import speaker_words
from .text import clock, long_date, shorten

# Words of what can be done from wherever one is.
_uac_remote_words = (
    "call", "phone", "telephone", "video", "online", "remote", "zoom", "webinar", "virtual",
)  # fmt: skip
_uac_guests_named = 3


def can_be_done_from_anywhere(one: Any) -> bool:
    """Whether its title says that it is a call or the like."""
    words = "".join([c if c.isalnum() else " " for c in one.title.casefold()]).split()
    return bool([word for word in words if word in _uac_remote_words])


def day_and_time(one: Any, day: date) -> str:
    """`Thursday, March 5, 2026 at 6:00 PM`."""
    at = f" at {clock(one.starts_at)}" if one.starts_at is not None and not one.all_day else ""
    return f"{long_date(day)}{at}"


def hours_words(one: Any) -> str:
    """`8:00 AM to 5:00 PM`, `2:00 PM`, `all day`; empty where nobody said or it lasts longer."""
    if one.until is not None and one.on is not None and one.until > one.on:
        return ""
    if one.all_day:
        return "all day"
    if one.starts_at is None:
        return ""
    end = f" to {clock(one.ends_at)}" if one.ends_at is not None else ""
    return f"{clock(one.starts_at)}{end}"


def engagement_terms(one: Any, day: date, places: dict[str, Any], names: dict[str, str]) -> str:
    """An engagement as it is recorded, on one of its days."""
    words = [long_date(day)]
    if one.until is not None and one.on is not None and one.until > one.on:
        words.append(f"until {long_date(day + (one.until - one.on))}")
    if one.all_day:
        words.append("all day")
    elif one.starts_at is not None:
        words.append(f"from {clock(one.starts_at)}")
    if one.ends_at is not None and not one.all_day:
        words.append(f"until {clock(one.ends_at)}")
    if one.repeats is not None:
        words.append(repeat_words(one.repeats))
    if one.place in places:
        words.append(f"at {shorten(places[one.place].name)}")
    guests = [shorten(speaker_words(names, who), 40) for who in one.people if who != "me"]
    if guests:
        more = f" and {len(guests) - _uac_guests_named} more" if guests[_uac_guests_named:] else ""
        words.append(f"with {', '.join(guests[:_uac_guests_named])}{more}")
    words.append("an idea so far" if one.status == "considering" else one.status)
    return f"{shorten(one.title)}: {', '.join(words)}."
