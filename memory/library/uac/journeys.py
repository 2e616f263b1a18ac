"""The days of a trip, its country, and which of two trips takes the one entry of a permit."""

from datetime import date
from typing import TYPE_CHECKING, Any

from .places import is_country
from .text import long_date, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable


def last_day_of_trip(trip: Any) -> date | None:
    """The day of return, or of departure when no sensible return is recorded."""
    departs: date | None = trip.departs_on
    returns: date | None = trip.returns_on
    if returns is None or departs is None:
        return departs
    return max(returns, departs)


def is_to_begin(trip: Any, today: date) -> bool:
    """Whether the trip is still to begin: not over, not called off, departing today or later."""
    departs: date | None = trip.departs_on
    if trip.status in ("done", "cancelled") or departs is None:
        return False
    return departs >= today


def country_of_trip(trip: Any) -> str:
    """The country of the trip; empty when neither it nor a country as destination was said."""
    country: str = trip.country or ""
    if country.strip():
        return country
    destination: str = trip.destination
    return destination if is_country(destination) else ""


def journey_words(trip: Any) -> str:
    """`Paris (booked): departure Friday, May 1, 2026, return not recorded`."""
    departs = long_date(trip.departs_on) if trip.departs_on else "not recorded"
    returns = long_date(trip.returns_on) if trip.returns_on else "not recorded"
    idea = "an idea so far" if trip.status == "considering" else trip.status
    return f"{shorten(trip.destination)} ({idea}): departure {departs}, return {returns}"


def surest_first(trips: "Iterable[Any]") -> list[Any]:
    """Trips as they take a single entry: what is over, what is firm, then ideas, each by day."""
    return sorted(
        trips,
        key=lambda trip: (
            trip.status != "done",
            trip.status == "considering",
            trip.departs_on or trip.returns_on or date.max,
            trip.id,
        ),
    )
