"""Moments as the log has them: written in one way, and read whatever platform wrote them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from memory.project.chain import moment, parse_moment

DAY = timedelta(days=1)
OFFSETS = st.timedeltas(-DAY + timedelta(minutes=1), DAY - timedelta(minutes=1))
AWARE = st.builds(
    lambda said, offset: said.replace(tzinfo=timezone(offset)),
    st.datetimes(datetime.min + DAY, datetime.max - DAY),
    OFFSETS,
)
LENGTH = len("2026-11-21T20:14:00.000000Z")


@given(AWARE)
@example(datetime(1, 1, 2, tzinfo=UTC))
@example(datetime(476, 9, 4, 12, tzinfo=UTC))
@example(datetime(999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC))
@example(datetime(9999, 12, 30, 23, 59, 59, 1, tzinfo=UTC))
def test_every_moment_is_read_as_it_was_written(said: datetime) -> None:
    written = moment(said)
    assert parse_moment(written) == said
    assert len(written) == LENGTH


@given(AWARE, AWARE)
def test_moments_sort_as_their_texts_do(one: datetime, other: datetime) -> None:
    assert (moment(one) < moment(other)) == (one < other)


@given(AWARE)
def test_a_year_without_its_zeros_is_read_too(said: datetime) -> None:
    assert parse_moment(moment(said).lstrip("0")) == said
