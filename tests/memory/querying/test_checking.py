"""What is said of a query before it runs."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from memory.project.shipped import baseline, library
from memory.project.tree import Project
from memory.querying.checking import Checker
from memory.querying.remarks import MOST_REMARKS, QueryFailed, Remark
from memory.sandbox import SandboxError

PEOPLE = '''"""People."""

from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from typing import Literal

from uac import PartialDate, Ref, kind


@kind("friends", key=("name",))
@dataclass
class Friend:
    """Somebody."""

    id: str
    name: str
    kind: str
    rank: Literal[1, 2] = 1
    owes: Decimal | None = None
    wakes_at: time | None = None
    born: PartialDate | None = None
    best_friend: Ref["Friend"] | None = None


@kind("diary", singleton=True)
@dataclass
class Diary:
    """One."""

    id: str
    pages: int = 0
'''


@pytest.fixture(scope="module")
def checker() -> Checker:
    """Checks queries over the baseline and two kinds more."""
    return Checker(Project({**baseline().files, "domains/people_/schema.py": PEOPLE}), library())


def refused(checker: Checker, code: str) -> Remark:
    with pytest.raises(QueryFailed) as caught:
        checker.check(code)
    return caught.value.remarks[0]


def under(remark: Remark) -> str:
    """The text that the caret underlines."""
    return remark.source_line[remark.column - 1 : len(remark.caret)]


@pytest.mark.parametrize(
    ("code", "detail", "place"),
    [
        ("len(tripz)", "there is no tripz; did you mean trips?", "tripz"),
        ("len(TRIPS)", "there is no TRIPS; did you mean trips?", "TRIPS"),
        ("xyzzy", "there is no xyzzy", "xyzzy"),
        ("[t.contry for t in trips]", "Trip has no field contry; did you mean country?", "contry"),
        ("count_by(trips, lambda t: t.contry)", "Trip has no field contry; did", "contry"),
        ("mean_by(trips, lambda t: t.country, lambda t: t.cost)", "no field cost; it has:", "cost"),
        ("trips[0].zzz", "Trip has no field zzz; it has: id, destination", "zzz"),
        ("trips.where()", "list[Trip] has no attribute where", "where"),
        ("len(5)", "Expected Sized", "5"),
        ("today < 'x'", "Operator < is not supported", "today"),
        ("Trip()", "No argument", "Trip"),
        ("diary.pagez if diary else 0", "Diary has no field pagez; did you mean pages?", "pagez"),
        ("import os", "module os is not available", None),
        ("import statistics", "uac has mean, median and stdev", None),
        ("date.today()", "use the argument today", None),
        ("round(1.5, 1)", "rounded(value, 2) from uac", None),
        ("open('/etc/passwd')", "there are no files", None),
        ("trips = []", "trips is taken: it is a collection of travel", None),
        ("len(trips", "'(' was never closed", None),
        ("class A(B):\n    pass", "A inherits", None),
        ("mean", "mean is not called; write mean(...)", None),
        ("lambda: 1", "this is a function; call it", None),
        ("# only a comment", "write an expression", None),
    ],
)  # fmt: skip
def test_what_cannot_be_right_is_refused_at_its_place(
    checker: Checker, code: str, detail: str, place: str | None
) -> None:
    remark = refused(checker, code)
    assert detail in remark.detail
    if place is not None:
        assert under(remark) == place


def test_the_line_is_that_of_the_query(checker: Checker) -> None:
    remark = refused(checker, "first = 1\nsecond = [\n    t.contry\n    for t in trips\n]\nsecond")
    assert (remark.line, remark.column, remark.source_line) == (3, 7, "    t.contry")
    assert remark.caret == "      ^^^^^^"


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("[t.returns_on.year for t in trips]", "year is not defined on None"),
        ("[t for t in trips if t.returns_on > today]", "objects of type date | None and date"),
        ("sum(f.owes for f in friends)", "No overload of function sum"),
        ("diary.pages", "pages is not defined on None"),
        ("x: int = 'a'\nx", "not assignable to"),
        (
            "[t for t in trips if t.departs_on == '2026-03-01']",
            "Trip.departs_on is never '2026-03-01': it is a date; compare it with date(2026, 3, 1)",
        ),
        ("[t for t in trips if '2026-03-01' != t.departs_on]", "it is a date"),
        ("[t for t in trips if t.status == 'bokked']", "did you mean booked?"),
        ("[t for t in trips if t.status in ('booked', 'planed')]", "never 'planed'"),
        ("[f for f in friends if f.rank == '1']", "Friend.rank is never '1': it is one of 1, 2"),
        ("[f for f in friends if f.id == 7]", "Friend.id is never 7: it is text"),
        ("[f for f in friends if f.owes == '7']", "it is a Decimal; compare it with Decimal("),
        ("[f for f in friends if f.wakes_at == '07:00']", "compare it with time(20, 14)"),
        ("[f for f in friends if f.born == 1990]", "compare it with PartialDate(2026, 3)"),
        ("x = len(trips)", "the last line is no expression"),
        ("for t in trips:\n    print(t)", "the last line is no expression"),
    ],
)  # fmt: skip
def test_what_may_go_well_runs_with_a_warning(checker: Checker, code: str, detail: str) -> None:
    warnings = checker.check(code).warnings
    assert [one for one in warnings if detail in one.detail], warnings


@pytest.mark.parametrize(
    "code",
    [
        "total = 0\nfor t in trips:\n    total += 1\ntotal",
        "[t.returns_on.year for t in trips if t.returns_on]",
        "max([t.departs_on for t in trips if t.departs_on], default=None)",
        "[f for f in friends if f.kind == 'cat' and f.rank == 1 and f.owes == 5]",
        "[f for f in friends if f.best_friend == friends[0].id]",
        "diary.pages if diary else 0",
        "def later(day: date) -> bool:\n    return day > today\n\nlater(date(2026, 1, 1))",
        "from collections import Counter\nCounter(t.country for t in trips).most_common(3)",
        "import math\nmath.sqrt(2)",
        "group_by(trips, lambda t: t.country)",
        "{k: mean(v) for k, v in group_by([1, 2], lambda n: n % 2).items()}",
        "from domains.travel.state import trips\nlen(trips)",
        "find_drug('amoxicillin')",
        "Decimal('1.50') + sum([f.owes for f in friends if f.owes], Decimal(0))",
        "[t for t in trips if t.status in ('booked', 'done')]",
    ],
)  # fmt: skip
def test_what_analysts_write_passes_without_a_word(checker: Checker, code: str) -> None:
    assert checker.check(code).warnings == ()


def test_a_query_reads_the_collections_it_names(checker: Checker) -> None:
    code = (
        "trips = 1\n" * 0
        + "len(trips) + len([v for v in visas]) + len([today for allergies_ in [1]])"
    )
    assert checker.check(code).reads.collections == ("trips", "visas")
    from_state = "from domains.health.state import allergies\nlen([1])"
    assert checker.check(from_state).reads.collections == ("allergies",)


def test_the_same_query_is_checked_once(checker: Checker) -> None:
    assert checker.check("1 + 1") is checker.check("1 + 1")
    first, second = refused(checker, "1 +"), refused(checker, "1 +")
    assert first is second


def test_hostile_text_stays_text(checker: Checker) -> None:
    with pytest.raises(QueryFailed) as caught:
        checker.check("'<script>' + tripz  # \u202e")
    assert any("U+202E" in one.detail for one in caught.value.remarks)
    assert refused(checker, "x\x00y").line == 1
    assert refused(checker, f"{'(' * 400}1{')' * 400}").detail
    assert refused(checker, "1 + " * 10_000 + "1").detail


@pytest.mark.parametrize(
    "code",
    [
        "-" * 19_000 + "1",
        "not " * 4_900 + "1",
        "x" + ".a" * 9_000,
        "[" * 190 + "]" * 190,
        "lambda: " * 2_400 + "1",
        "f'{" * 100 + "}'" * 100,
        "1 if 1 else " * 1_600 + "1",
        "trips" + "[0]" * 6_000,
        "(" * 9_000 + ")" * 9_000,
        "a = " * 4_900 + "1",
        "x if " * 3_000,
        "\n".join(f"{' ' * depth}if 1:" for depth in range(150)),
        "0x" + "f" * 19_000,
        "9" * 19_000,
        "'" + "a" * 19_000 + "'",
        ";" * 19_000,
        "\\\n" * 9_000,
    ],
    ids=lambda code: f"{code[:12]!r} {len(code)}",
)
def test_monstrous_code_is_refused_or_answered_in_good_time(checker: Checker, code: str) -> None:
    began = time.monotonic()
    with ThreadPoolExecutor(1) as threads, suppress(QueryFailed, SandboxError):
        threads.submit(checker.check, code).result()
    assert time.monotonic() - began < 10


def test_of_very_many_faults_the_first_are_told(checker: Checker) -> None:
    began = time.monotonic()
    with pytest.raises(QueryFailed) as caught:
        checker.check("\n".join(f"trip{number}" for number in range(2_000)))
    assert len(caught.value.remarks) == MOST_REMARKS
    assert time.monotonic() - began < 5
