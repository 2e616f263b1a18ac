"""The hundred analytical questions in words: what the model wrote as a query, and its value.

Records are posted, structured by the queue and approved as in the analytical benchmark; only the
questions go to the model, and only their values are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uac_site.benchmarks.analytical import is_right, read_cases, read_queries
from uac_site.benchmarks.asking import Json, asked, each, left_out
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.benchmarks.recorded import Stage, chosen, staged
from uac_site.benchmarks.reviewer import Reviewer
from uac_site.benchmarks.structuring import Newcomer, approve_all, newcomer, post_records
from uac_site.cassettes.player import FOLDER

NAME = "ask"
FILE = "records"
WANTED = 0.99


@dataclass(frozen=True)
class Answered:
    """A case, what was answered, and whether that is right."""

    case: Mapping[str, Any]
    body: Json
    right: bool


def run(inside: Inside) -> Result:
    """Post, approve, ask, compare."""
    if left_out(inside, FOLDER / NAME):
        return Result([], "records: left out, no answers are recorded")
    data, kinds = read_cases(inside.options.data), read_queries()["kinds"]
    ids = chosen(inside, [case["case_id"] for case in data["cases"]])
    cases = [case for case in data["cases"] if case["case_id"] in ids]
    with staged(inside, NAME, stages=("ask",)) as stage:
        people = _people(inside, stage, data["records"], cases, kinds)
        stage.record_as(FILE)

        def ask(case: Mapping[str, Any]) -> Answered:
            body = asked(inside, stage, people[case["records"]].path, case["question"])
            return Answered(case, body, right(case, body))

        found = each(stage, cases, ask)
        told = stage.player.told
    return report(inside, found, told)


def _people(
    inside: Inside,
    stage: Stage,
    records: Mapping[str, Any],
    cases: Sequence[Mapping[str, Any]],
    kinds: Mapping[str, str],
) -> dict[str, Newcomer]:
    """Somebody with each set of records that is asked about."""
    types = {case["records"]: case["type"] for case in cases}
    people = {name: newcomer(stage.client, name) for name in types}
    for name, type_ in types.items():
        post_records(stage.client, people[name], kinds[type_], records[name])
    approve_all(people.values(), Reviewer(stage.port))
    settle()
    return people


def right(case: Mapping[str, Any], body: Json) -> bool:
    """Whether the value of the query is the wanted one; a text may be the only one of a list."""
    value = body.get("value")
    if case["answer_kind"] == "string" and isinstance(value, list):
        value = ", ".join(map(str, value))
    if case["answer_kind"] == "float" and isinstance(value, str):
        value = _number(value)  # a Decimal, which JSON has as text
    return body["how"] == "query" and is_right(case["answer_kind"], case["gold"], value)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def report(inside: Inside, found: Sequence[Answered], told: str) -> Result:
    """The figures, and every answer that is not right."""
    for one in found:
        if not one.right:
            what = one.body.get("why") or one.body.get("answer")
            inside.say(f"WRONG {one.case['case_id']}: {one.body.get('value')!r}: {str(what)[:300]}")
    rows = Counter((one.case["type"], one.right) for one in found)
    types = sorted({type_ for type_, _ in rows})
    inside.show(
        "Questions in words over records",
        ("records", "asked", "right"),
        [(name, rows[name, True] + rows[name, False], rows[name, True]) for name in types],
    )
    count = sum(one.right for one in found)
    by_text = sum(one.body["how"] == "text" for one in found)
    mended = sum(one.body.get("refused", 0) > 0 for one in found)
    return Result(
        [
            Bound("right over records", count, WANTED * len(found), at_least=True),
            none_of("answered without a query", by_text),
        ],
        f"records: {count} of {len(found)} right, {mended} sent back before; {told}",
    )
