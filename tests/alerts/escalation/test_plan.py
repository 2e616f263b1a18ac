"""When a step comes, and when it is quiet."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from alerts.escalation.plan import Quiet, due_at, next_minutes

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Quiet(time(22), time(7), frozenset({"warning"}), BERLIN)


def _berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-11-22T21:59", None),
        ("2026-11-22T22:00", "2026-11-23T07:00"),
        ("2026-11-23T03:00", "2026-11-23T07:00"),
        ("2026-11-23T07:00", None),
    ],
)
def test_a_night_goes_over_midnight(now: str, until: str | None) -> None:
    assert NIGHT.until("warning", _berlin(now)) == (until and _berlin(until))
    assert NIGHT.until("critical", _berlin(now)) is None


def test_hours_are_those_of_the_clock_when_it_is_put_back() -> None:
    # On 25 October 2026 the clock is put back at 3:00: the night has an hour more
    now = _berlin("2026-10-24T23:00")
    ends = NIGHT.until("warning", now)
    assert ends is not None
    assert ends.astimezone(UTC) - now.astimezone(UTC) == timedelta(hours=9)


def test_the_same_hours_are_the_whole_day() -> None:
    whole = Quiet(time(8), time(8), frozenset({"info"}), BERLIN)
    for hour in range(24):
        assert whole.until("info", _berlin(f"2026-11-22T{hour:02}:30")) is not None


def test_steps_follow_one_another() -> None:
    assert [next_minutes({15, 0, 5}, through) for through in (-1, 0, 5, 15)] == [0, 5, 15, None]


def test_what_waited_before_the_policy_counts_from_then() -> None:
    since, begun = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    assert due_at(since, begun, 5) == begun + timedelta(minutes=5)
    assert due_at(begun, since, 5) == begun + timedelta(minutes=5)
