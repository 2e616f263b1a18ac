"""What a program gives back: values, text, and the same again."""

from __future__ import annotations

import pickle
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from memory.sandbox import Feed, Instance, Limits, Outcome, Program, ValueRefused, close, run

from .conftest import NOW, RunCode

PLAIN = [
    None,
    True,
    7,
    -(2**200),
    1.5,
    -0.0,
    float("inf"),
    "é😀 and a ' quote",
    b"\x00\xff",
    date(2024, 2, 29),
    datetime(2026, 3, 1, 12, 0, 0, 123456),
    datetime(2026, 3, 1, 12, 0, tzinfo=timezone(timedelta(hours=-9, minutes=-30))),
    time(23, 59, 59),
    timedelta(days=-1, microseconds=1),
    Decimal("1.20"),
    [1, [2, []]],
    (1, "a", (None,)),
    {"a": 1, 2: [3], None: True, date(2026, 1, 1): "x", (1, "b"): 2},
    {1, 2},
    frozenset({2, 3}),
    ["list", "dict"],
    {"list": ["tuple"]},
]


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_pass_in_and_out_unchanged(value: Any) -> None:
    outcome = run(Program((Feed("echo", "value", {"value": value}),), now=NOW))
    assert outcome.values == (value,)
    assert type(outcome.values[0]) is type(value)
    assert repr(outcome.values[0]) == repr(value) or isinstance(value, set | frozenset)


def test_each_feed_has_a_value_and_what_it_defines_the_next_can_use(run_code: RunCode) -> None:
    outcome = run_code("x = 20", "def f(n):\n    return n + x\nf(1)", "print('hi')\nf(2)")
    assert outcome.values == (None, 21, 22)
    assert outcome.printed == "hi\n"
    assert 0 < outcome.seconds < 5


DATACLASSES = """
from dataclasses import dataclass
from datetime import date
@dataclass
class Allergy:
    id: str
    noted_on: date | None = None
@dataclass
class Alert:
    summary: str
    evidence: list
a = Allergy("penicillin", date(2024, 2, 29))
[Alert("one", [a, a]), Alert("two", [a])]
"""


def test_dataclass_objects_come_back_with_name_and_attributes(run_code: RunCode) -> None:
    allergy = Instance("Allergy", {"id": "penicillin", "noted_on": date(2024, 2, 29)})
    assert run_code(DATACLASSES).values == (
        [
            Instance("Alert", {"summary": "one", "evidence": [allergy, allergy]}),
            Instance("Alert", {"summary": "two", "evidence": [allergy]}),
        ],
    )


def test_a_named_tuple_comes_back_as_a_tuple(run_code: RunCode) -> None:
    code = "from collections import namedtuple\nP = namedtuple('P', 'a b')\nP(1, [P(2, 3)])"
    (value,) = run_code(code).values
    assert value == (1, [(2, 3)])
    assert type(value) is tuple


def test_text_that_a_database_refuses_is_cleaned(run_code: RunCode) -> None:
    outcome = run_code("print('a\\0b')\n{'k\\0': 'a\\0b\\ud800'}")
    assert outcome.values == ({"k\ufffd": "a\ufffdb\ufffd"},)
    assert outcome.printed == "a\ufffdb\n"


REFUSED = ["int", "print", "...", "1j", "ValueError('x')", "from pathlib import Path\nPath('/a')"]


@pytest.mark.parametrize("code", REFUSED)
def test_what_is_not_data_is_refused(code: str, run_code: RunCode) -> None:
    with pytest.raises(ValueRefused) as caught:
        run_code("1", f"{code}\n")
    assert caught.value.feed == "second.py"


UNFIT = {
    "object": object(),
    "surrogate": "\ud800",
    "nul": "a\0b",
    "object inside": {1: object()},
    "huge": 10**5000,
}


@pytest.mark.parametrize("value", UNFIT.values(), ids=UNFIT)
def test_an_input_that_cannot_pass_is_refused_by_name(value: Any) -> None:
    with pytest.raises(ValueRefused, match="input 'rows'") as caught:
        run(Program((Feed("a.py", "1", {"rows": value}),), now=NOW))
    assert caught.value.feed == "a.py"


RANDOM = "import random\n[random.random() for _ in range(3)]"


def test_the_same_program_gives_the_same_outcome(run_code: RunCode) -> None:
    code = (
        "import time\nprint(time.time(), id([]))\n"
        f"{RANDOM} + [list({{'a', 'bb', 'ccc', 'dddd'}}), hash('a'), str(lambda: 1)]"
    )

    def told(outcome: Outcome) -> Any:
        return outcome.values, outcome.printed

    first = told(run_code(code))
    close()  # so that the second runs in another worker
    assert told(run_code(code)) == first


def test_another_seed_gives_other_numbers(run_code: RunCode) -> None:
    assert run_code(RANDOM, seed=1).values != run_code(RANDOM, seed=2).values


def test_the_clock_stands_still_at_the_persons_local_time(run_code: RunCode) -> None:
    code = "from datetime import date, datetime\n"
    code += "[date.today(), datetime.now(), datetime.now().astimezone()]"
    assert run_code(code).values == ([date(2026, 3, 1), datetime(2026, 3, 1, 12), NOW],)


def test_the_local_date_is_not_that_of_utc() -> None:
    late = datetime(2026, 2, 28, 23, 30, tzinfo=UTC).astimezone(NOW.tzinfo)
    program = Program((Feed("a", "from datetime import date\ndate.today()"),), now=late)
    assert run(program).values == (date(2026, 3, 1),)


def test_a_clock_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        Program((), now=datetime(2026, 3, 1))


def test_no_feeds_give_no_values() -> None:
    assert run(Program((), now=NOW)).values == ()


def test_a_second_run_sees_nothing_of_the_first(run_code: RunCode) -> None:
    run_code("secret = 5\nimport json\nlen = lambda x: 99")
    with pytest.raises(Exception, match="secret"):
        run_code("secret")
    assert run_code("len([1])").values == (1,)


def test_an_outcome_can_be_pickled(run_code: RunCode) -> None:
    outcome = run_code(DATACLASSES)
    assert pickle.loads(pickle.dumps(outcome)) == outcome


def test_large_state_arrives_in_chunks(run_code: RunCode) -> None:
    numbers = ", ".join(map(str, range(1_000_000, 1_030_000)))
    outcome = run_code(f"xs = [{numbers}]", f"xs += [{numbers}]", "len(xs)", limits=Limits())
    assert outcome.values == (None, None, 60_000)
