"""Quotes, weekdays, moments, and which records count as protected: the pure parts."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory.checkpointer.reading.moments import NoMoment, when
from memory.checkpointer.reading.protected import PROTECTED, is_held
from memory.checkpointer.reading.quotes import WEEKDAYS, quote_problem, weekday_doubts
from memory.checkpointer.reading.relevance import score, stems
from memory.checkpointer.reading.schemas import kind_texts
from memory.project.kinds import Kind
from memory.project.shipped import baseline

BERLIN = ZoneInfo("Europe/Berlin")
SAID = datetime(2026, 3, 6, 23, 30, tzinfo=UTC)  # the 7th in Berlin
DATES = st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 1, 1))


@given(st.lists(st.text("abä 1\n\t,", min_size=1), min_size=1).map("word ".join), st.data())
def test_every_part_of_a_message_is_a_quote_of_it(text: str, data: Any) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    long = len(" ".join(text[start:end].split())) >= 4
    assume(long and any(map(str.isalnum, text[start:end])))
    assert quote_problem(text[start:end], text) == ""
    assert quote_problem(text[start:end].replace(" ", " \n\t"), text) == ""


@given(st.text(), st.text(min_size=1))
def test_what_is_not_in_a_message_is_no_quote(text: str, more: str) -> None:
    assume(more.strip())
    assert quote_problem(text + more + "x" + text, text) != ""


@given(DATES, st.sampled_from(WEEKDAYS))
def test_a_weekday_is_doubted_where_the_date_is_another(day: date, named: str) -> None:
    doubts = weekday_doubts(f"on {named.upper()} the", [{"on": day.isoformat()}])
    assert bool(doubts) == (WEEKDAYS[day.weekday()] != named)


def test_without_a_date_or_a_weekday_there_is_nothing_to_doubt() -> None:
    assert weekday_doubts("on Friday", [{"on": None, "text": "x"}]) == []
    assert weekday_doubts("tomorrow", [{"on": "2026-03-06"}]) == []
    assert weekday_doubts("Friday to Sunday", [{"on": "2026-03-06", "until": "2026-03-08"}]) == []
    assert weekday_doubts("Friday", [{"on": "2026-13-45"}]) == []


@pytest.mark.parametrize(
    ("text", "moment", "precision"),
    [
        (None, "2026-03-06T23:30:00+00:00", "moment"),
        ("2024", "2023-12-31T23:00:00+00:00", "year"),
        ("2024-07", "2024-06-30T22:00:00+00:00", "month"),
        ("2026-03-05", "2026-03-04T23:00:00+00:00", "day"),
        ("2026-03-07", "2026-03-06T23:30:00+00:00", "day"),
        ("2026-03-06T20:00", "2026-03-06T19:00:00+00:00", "moment"),
        ("2026-03-06T20:00+00:00", "2026-03-06T20:00:00+00:00", "moment"),
        ("2026-03-07T22:00", "2026-03-06T23:30:00+00:00", "moment"),
    ],
)
def test_a_moment_is_read_in_the_persons_zone(
    text: str | None, moment: str, precision: str
) -> None:
    found = when(text, SAID, BERLIN)
    assert (found[0].isoformat(), found[1]) == (moment, precision)


@pytest.mark.parametrize("text", ["", "soon", "2026-03-08", "9999", "2026-02-30", "0000", "24-1"])
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(NoMoment):
        when(text, SAID, BERLIN)


@given(st.text(max_size=30))
def test_any_text_is_a_moment_or_refused(text: str) -> None:
    try:
        moment, _ = when(text, SAID, BERLIN)
    except NoMoment:
        return
    assert moment <= SAID


@given(DATES, st.sampled_from(["Pacific/Kiritimati", "Pacific/Apia", "America/New_York"]))
def test_nothing_is_true_later_than_it_was_said(day: date, zone: str) -> None:
    try:
        moment, _ = when(day.isoformat(), SAID, ZoneInfo(zone))
    except NoMoment:
        assert day > SAID.astimezone(ZoneInfo(zone)).date()
    else:
        assert SAID - moment >= timedelta()


@given(
    st.sampled_from(sorted(PROTECTED)),
    st.sampled_from(["assert", "update", "retract"]),
    st.dictionaries(st.sampled_from("ab"), st.integers()),
    st.dictionaries(st.sampled_from("ab"), st.integers()),
)
def test_only_to_say_again_what_stands_is_free(
    kind: str, op: Any, data: dict[str, int], standing: dict[str, int]
) -> None:
    says_again = {
        "assert": data == standing,
        "update": data.items() <= standing.items(),
        "retract": False,
    }
    assert is_held(kind, op, data, standing) == (not says_again[op])
    assert not is_held(kind, op, data, None)
    assert not is_held("notes.Note", op, data, standing)


def test_every_protected_kind_is_one_that_ships() -> None:
    assert PROTECTED | {"finance.Contract"} <= baseline().kinds.keys()


@pytest.mark.parametrize("kind", [baseline().kinds[name] for name in sorted(baseline().kinds)])
def test_a_kind_is_shown_with_all_its_fields(kind: Kind) -> None:
    text = kind_texts(baseline())[kind.full_name]
    for field in kind.fields[1:]:
        mark = "" if field.required else "?"
        assert f"  {field.name}{mark}: " in text


def test_endings_do_not_matter_to_what_is_meant() -> None:
    assert score(stems("I stopped my medications"), "A medication that is over") > 0
    assert stems("I am not with the") == []
