"""A hundred questions over records of kinds unknown before, each answered by a query over HTTP.

The records of each set are posted as typed facts, structured by the queue, approved on the page;
then each question is asked as it stands in `analytical.toml`, written from the question alone.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.querying.values import as_json
from uac_site.benchmarks.client import Answer, Client
from uac_site.benchmarks.conversation import NoData
from uac_site.benchmarks.inside import Inside, settle
from uac_site.benchmarks.measure import Bound, Result, ms, none_of, p50, p95
from uac_site.benchmarks.plain import Plain
from uac_site.benchmarks.reviewer import Reviewer
from uac_site.benchmarks.server import web, worker
from uac_site.benchmarks.structuring import Newcomer, approve_all, newcomer, post_records

CASES = "analytical_cases.json.gz"
QUERIES = Path(__file__).resolve().parent / "analytical.toml"
WANTED = 100
AGAIN = 5
RELATIVE, ABSOLUTE = 0.01, 0.01  # the data's own convention for floats


def run(inside: Inside) -> Result:
    """Post, approve, ask."""
    data, written = read_cases(inside.options.data), read_queries()
    with web(inside.folder) as served, worker(inside.folder):
        client = Client(served.port, inside.secret)
        people = {name: newcomer(client, name) for name in data["records"]}
        types = {case["records"]: case["type"] for case in data["cases"]}
        effects: list[str] = []
        for name, records in data["records"].items():
            effects += post_records(client, people[name], written["kinds"][types[name]], records)
        approve_all(people.values(), Reviewer(served.port))
        settle()
        client.close()  # the server has ended a connection that was idle for so long
        asked = [
            ask(client, people[case["records"]], case, written[case["type"]][case["case_id"]])
            for case in data["cases"]
        ]
    return report(inside, effects, asked)


def read_cases(folder: Path) -> dict[str, Any]:
    """The records by the name of their set, and the cases. Raises NoData."""
    try:
        found: dict[str, Any] = json.loads(gzip.decompress((folder / CASES).read_bytes()))
    except FileNotFoundError as error:
        raise NoData(f"{folder / CASES} is missing; say where it is with --data") from error
    return found


def read_queries() -> dict[str, dict[str, str]]:
    """The queries by the type of their records and the id of their case; `kinds` by type."""
    return tomllib.loads(QUERIES.read_text(encoding="utf-8"))


@dataclass
class Asked:
    """A case with what was answered, and the seconds it took: at first, again, in CPython."""

    case: Mapping[str, Any]
    first: float
    again: list[float] = field(default_factory=list)
    plain: list[float] = field(default_factory=list)
    right: bool = False
    same: bool = False
    said: Any = None


def ask(client: Client, person: Newcomer, case: Mapping[str, Any], code: str) -> Asked:
    """Ask once, then again, then the same of plain CPython over the same objects."""
    answer = _query(client, person, code)
    asked = Asked(case, answer.seconds)
    if answer.status != 200:
        asked.said = f"{answer.status}: {answer.body.get('detail')}"
        return asked
    asked.said = answer.body["value"]
    asked.right = is_right(case["answer_kind"], case["gold"], asked.said)
    asked.again = [_query(client, person, code).seconds for _ in range(AGAIN)]
    plain = Plain(person.user)
    values = [plain.answer(code) for _ in range(AGAIN)]
    asked.same = all(as_json(value, {}) == asked.said for value, _ in values)
    asked.plain = [seconds for _, seconds in values]
    return asked


def _query(client: Client, person: Newcomer, code: str) -> Answer:
    return client.post(f"{person.path}/query", {"code": code})


def is_right(kind: str, gold: Any, said: Any) -> bool:
    """Whether an answer is the wanted one, by the conventions of the data."""
    match kind, said:
        case "int", bool():
            return False
        case "int", int():
            return bool(said == gold)
        case "float", int() | float():
            return bool(abs(said - gold) <= max(ABSOLUTE, RELATIVE * abs(gold)))
        case "string", str():
            return str(gold).casefold() in said.casefold()
        case "set", list():
            return {str(one).casefold() for one in said} == {str(one).casefold() for one in gold}
        case "list", list():
            return [str(one).casefold() for one in said] == [str(one).casefold() for one in gold]
    return False


def report(inside: Inside, effects: list[str], asked: list[Asked]) -> Result:
    """A row for each number of records, and the cases that went wrong."""
    by_n: dict[int, list[Asked]] = defaultdict(list)
    for one in asked:
        by_n[one.case["n"]].append(one)
    inside.show(
        "Queries over HTTP, beside the same in plain CPython",
        ("records", "cases", "right", "first ms", "p95", "again ms", "p95", "CPython ms"),
        [_row(n, some) for n, some in sorted(by_n.items())],
    )
    inside.say(
        f"{len(effects):,} records posted, all of kinds unknown before. First: with its check and"
        f" its records; again: {AGAIN} times the same."
    )
    for one in asked:
        if not (one.right and one.same):
            inside.say(f"WRONG {one.case['case_id']}: {str(one.said)[:200]}")
    return Result(
        [
            Bound("right", sum(one.right for one in asked), WANTED, at_least=True),
            none_of("answers other than CPython's", sum(not one.same for one in asked)),
            none_of("records known at once", sum(effect != "waiting" for effect in effects)),
        ]
    )


def _row(n: int, some: list[Asked]) -> tuple[object, ...]:
    first = [one.first for one in some]
    again = [seconds for one in some for seconds in one.again] or [0.0]
    plain = [seconds for one in some for seconds in one.plain] or [0.0]
    right = sum(one.right for one in some)
    return (
        n,
        len(some),
        right,
        ms(p50(first)),
        ms(p95(first)),
        ms(p50(again)),
        ms(p95(again)),
        f"{p50(plain) * 1_000:.3f}",
    )
