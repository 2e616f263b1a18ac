"""The queries of the analytical benchmark, and how their answers are judged."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from memory.project.bundle import Situation, StateSlice, query_feeds
from memory.project.infer import infer_kinds
from memory.project.naming import fit
from memory.project.payload import check_payload
from memory.project.policy import check_query
from memory.project.render import render_record
from memory.project.shipped import baseline, library
from memory.querying.values import as_json
from memory.sandbox import Feed, Program, run
from uac_site.benchmarks.analytical import CASES, WANTED, is_right, read_cases, read_queries
from uac_site.benchmarks.conversation import DATA, NoData

FEW = 50  # records; the benchmark takes the larger sets too
QUERIES = {name: part for name, part in read_queries().items() if name != "kinds"}
KINDS = read_queries()["kinds"]


def test_there_is_a_query_for_each_case() -> None:
    assert sum(map(len, QUERIES.values())) == WANTED
    assert QUERIES.keys() == KINDS.keys()
    for type_, queries in QUERIES.items():
        assert all(case.startswith(f"{type_}_") for case in queries)


def test_no_kind_of_theirs_is_in_the_baseline() -> None:
    assert not set(KINDS.values()) & baseline().kinds.keys()
    classes = {kind.partition(".")[2] for kind in KINDS.values()}
    assert not classes & baseline().kinds_by_class.keys()


@pytest.mark.parametrize(
    ("kind", "gold", "said", "right"),
    [
        ("int", 7, 7, True),
        ("int", 7, 8, False),
        ("int", 1, True, False),
        ("int", 7, "7", False),
        ("float", 1000.0, 1009.9, True),
        ("float", 1000.0, 1010.1, False),
        ("float", 0.1, 0.109, True),
        ("float", 5, 5, True),
        ("float", 5.0, None, False),
        ("string", "Amazon", "amazon, GreenMart", True),
        ("string", "Amazon", "Amaz", False),
        ("set", ["a", "B"], ["b", "A"], True),
        ("set", ["a"], ["a", "b"], False),
        ("list", ["a", "b"], ["A", "B"], True),
        ("list", ["a", "b"], ["b", "a"], False),
    ],
)
def test_an_answer_is_judged_by_the_conventions_of_the_data(
    kind: str, gold: Any, said: Any, right: bool
) -> None:
    assert is_right(kind, gold, said) is right


def cases() -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = read_cases(DATA)["cases"]
    except NoData:
        return []
    return [case for case in found if case["n"] <= FEW]


@pytest.mark.skipif(not cases(), reason=f"the evaluation data ({CASES}) is not there")
@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["case_id"]))
def test_a_query_over_inferred_kinds_is_right(case: dict[str, Any]) -> None:
    name, code = KINDS[case["type"]], QUERIES[case["type"]][case["case_id"]]
    records = read_cases(DATA)["records"][case["records"]]
    project = infer_kinds({name: records}, baseline()).applied_to(baseline())
    kind = project.kinds[name]
    rendered = []
    for number, record in enumerate(records):
        said = check_payload(kind, "assert", None, fit(kind, record), fallback_id=f"f{number}-1")
        rendered.append((said.record_id, render_record(kind, said.record_id, said.data)))
    state = StateSlice({kind.collection: [source for _, source in sorted(rendered)]})
    given = Situation(state, date(2026, 1, 1), {"drug_rows": []})
    feeds = (*query_feeds(project, library(), given), Feed("query.py", code))
    value = run(Program(feeds, now=datetime(2026, 1, 1, tzinfo=UTC))).values[-1]
    assert check_query(code, project, library()) == ()
    assert is_right(case["answer_kind"], case["gold"], as_json(value, {}))
