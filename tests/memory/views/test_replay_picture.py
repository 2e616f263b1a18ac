"""The replay as a picture: a bar from the day an alert opened to the day it cleared."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.views.replay_picture import (
    LEFT,
    MOST_LANES,
    MOST_ROWS,
    RIGHT,
    ReplayStep,
    picture_of,
)

FIRST = date(2026, 1, 1)


def found(key: str, rule: str = "mine", *facts: int) -> dict[str, Any]:
    evidence = [{"kind": "notes.Note", "id": "x", "facts": [*facts]}]
    said = {"rule": rule, "key": key, "severity": "warning", "summary": f"about {key}"}
    return {**said, "evidence": evidence}


def step(day: int, opened: Any = (), cleared: Any = (), *, today: bool = False) -> ReplayStep:
    seq = None if today else day + 1
    on = FIRST + timedelta(days=day)
    return ReplayStep(seq, on, tuple(opened), tuple(cleared), (), 0, 0)


def test_a_bar_goes_from_the_opening_to_the_end() -> None:
    steps = [step(0, [found("a", "mine", 3, 7)]), step(50, [], [found("a")]), step(100, today=True)]
    picture = picture_of(steps)
    assert picture is not None
    (lane,) = picture.lanes
    (bar,) = lane.bars
    assert (lane.rule, bar.fact, bar.stands, bar.before) == ("mine", 7, False, False)
    assert (bar.x, bar.width) == (LEFT, (RIGHT - LEFT) / 2)
    assert bar.words == "warning: about a, from 1 Jan 2026 to 20 Feb 2026, as proposed"
    assert picture.words == "1 alert over the past log"


def test_what_stands_today_reaches_the_end() -> None:
    picture = picture_of([step(0, [found("a")]), step(100, today=True)])
    assert picture is not None
    (bar,) = picture.lanes[0].bars
    assert (bar.stands, bar.x + bar.width) == (True, RIGHT)
    assert "and stands today" in bar.words


def test_the_rules_that_are_there_now_are_drawn_beneath_in_the_same_lane() -> None:
    end = step(100, today=True)
    now, before = [step(40, [found("a")]), end], [step(0, [found("a")]), end]
    picture = picture_of(now, before)
    assert picture is not None
    (lane,) = picture.lanes
    new, old = lane.bars
    assert (new.before, old.before, lane.both) == (False, True, True)
    assert old.y > new.y
    assert (old.x, new.x) == (LEFT, LEFT + (RIGHT - LEFT) * 0.4)
    assert picture.compares
    assert "as the rule is now" in old.words


def test_nothing_to_tell_is_no_picture() -> None:
    assert picture_of([step(0, today=True)]) is None
    assert picture_of([]) is None


def test_what_cleared_though_it_never_opened_is_there_from_the_beginning() -> None:
    picture = picture_of([step(0, [found("b")]), step(10, [], [found("a")]), step(20, today=True)])
    assert picture is not None
    assert sorted(bar.x for bar in picture.lanes[0].bars) == [LEFT, LEFT]


def test_what_has_no_room_is_counted() -> None:
    many = [found(str(n)) for n in range(MOST_ROWS + 3)]
    picture = picture_of([step(0, many), step(9, today=True)])
    assert picture is not None
    assert (len(picture.lanes[0].bars), picture.lanes[0].more) == (MOST_ROWS, 3)
    rules = [found(str(n), f"rule_{n}") for n in range(MOST_LANES + 2)]
    picture = picture_of([step(0, rules), step(9, today=True)])
    assert picture is not None
    assert (len(picture.lanes), picture.more) == (MOST_LANES, 2)


@settings(derandomize=True, max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 300), st.sets(st.sampled_from("abcdefgh"))), max_size=12))
def test_bars_lie_on_the_line_and_beside_each_other(days: list[tuple[int, set[str]]]) -> None:
    steps, standing = [], set[str]()
    for day, said in sorted(days, key=lambda one: one[0]):
        opened, cleared = said - standing, standing - said
        steps.append(step(day, map(found, sorted(opened)), map(found, sorted(cleared))))
        standing = said
    picture = picture_of([*steps, step(301, today=True)])
    for lane in picture.lanes if picture else ():
        for bar in lane.bars:
            assert LEFT <= bar.x < bar.x + bar.width <= RIGHT + 0.2
            assert lane.y <= bar.y <= lane.y + lane.height
            beside = [one for one in lane.bars if one is not bar and one.y == bar.y]
            assert not any(
                one.x < bar.x + bar.width and bar.x < one.x + one.width for one in beside
            )
