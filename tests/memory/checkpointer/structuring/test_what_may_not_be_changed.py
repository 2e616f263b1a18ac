"""What an answer may not change is found by reading it, before anything of it runs."""

from __future__ import annotations

from typing import Any

import pytest

from memory.checkpointer.structuring.answer import StructureAnswer
from memory.checkpointer.structuring.bounds import Bounded, Bounds, bounded
from memory.project.shipped import baseline
from memory.project.tree import Project
from tests.memory.checkpointer.structuring.written import PATHS, RULE, SCHEMA, TEST, written

SHIPPED = baseline()
OWN = Project({**SHIPPED.files, **dict(zip(PATHS, (SCHEMA, RULE, TEST), strict=True))})
FINANCE, TRAVEL = "domains/finance/schema.py", "domains/travel/schema.py"
PETS, ALONE, TESTS = PATHS


def of(answer: dict[str, Any], base: Project = SHIPPED, **more: Any) -> Bounded:
    """What an answer would change; finance may be changed, and fact 1 and need 1 were given."""
    given: dict[str, Any] = {
        "changeable": frozenset({FINANCE, *(PATHS if base is OWN else ())}),
        "facts": frozenset({1}),
        "needs": frozenset({1}),
        **more,
    }
    return bounded(StructureAnswer.model_validate(answer), Bounds(base, SHIPPED, **given))


def changed(path: str, old: str, new: str, base: Project = SHIPPED) -> str:
    """A file with something else in it."""
    assert old in base.files[path]
    return base.files[path].replace(old, new, 1)


def test_a_good_answer_has_nothing_wrong_and_says_what_is_new() -> None:
    done = of(written())
    assert done.problems == []
    assert done.detail == f"new: {', '.join(PATHS)}"
    assert done.rules == ["pet_alone"]


@pytest.mark.parametrize(
    "path",
    [
        "domains/pets/state.py",
        "manifest.py",
        "domains/pets/manifest.py",
        "../rules/x.py",
        "rules/../../x.py",
        "/etc/passwd",
        "rules/sub/x.py",
        "rules/X.py",
        "tests/pet.py",
        "rules/x.py\n",
        "",
    ],
)
def test_a_project_holds_schemas_rules_and_tests_only(path: str) -> None:
    done = of(written(files={path: "x = 1\n"}))
    assert done.problems[0].startswith(f"{path}: a project holds domains/<name>/schema.py")
    assert path not in done.project.files


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({TRAVEL: "x"}, f"{TRAVEL}: you may change {FINANCE}; else write a new domain"),
        (
            {"rules/drug_allergy.py": RULE},
            "rules/drug_allergy.py: this rule ships and stays as it is",
        ),
        (
            {"tests/test_drug_allergy.py": TEST},
            "tests/test_drug_allergy.py: this test ships and stays as it is",
        ),
        ({TESTS: None}, f"{ALONE}: no test imports from it; write tests/test_pet_alone.py"),
        (
            {ALONE: RULE.replace("Facts: 1.", "")},
            f"{ALONE}:1: end the docstring with the facts it comes from",
        ),
        (
            {ALONE: RULE.replace("Facts: 1.", "Facts: 1, 99.")},
            f"{ALONE}:1: fact 99 is none of the facts that were given",
        ),
    ],
)
def test_what_is_not_the_answers_to_change_is_refused(files: dict[str, Any], told: str) -> None:
    assert [one for one in of(written(files=files)).problems if one.startswith(told)]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("    number: str | None = None\n", "", "Account.number is gone"),
        ("number: str |", "number: int |", "Account.number takes less than before"),
        ('"frozen"] = "open"', '] = "open"', "Account.status takes less than before"),
        ('"frozen"] = "open"', '"frozen"] = "closed"', "Account.status has another default"),
        ('"accounts", key=("name",)', '"accounts", key=()', "@kind of Account is another"),
        ("class Charge:", "class Fee:", "the kind Charge is gone"),
    ],
)
def test_a_shipped_schema_may_only_be_widened(old: str, new: str, told: str) -> None:
    text = changed(FINANCE, old, new)
    problems = of(written(files={FINANCE: text})).problems
    assert [told in one for one in problems] == [True]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"closed", "frozen"]', '"closed", "frozen", "lost"]'),
        ("    closes_on: date", "    colour: str | None = None\n    closes_on: date"),
        ("    amount: Decimal\n    currency", "    amount: Decimal | None\n    currency"),
    ],
)
def test_a_wider_schema_is_none_of_these(old: str, new: str) -> None:
    done = of(written(files={FINANCE: changed(FINANCE, old, new)}))
    assert (done.problems, done.changed) == ([], [FINANCE])


def test_what_was_not_shown_stays_and_its_name_is_taken() -> None:
    done = of(written(), OWN, changeable=frozenset())
    assert done.problems == [
        "files: nothing changes; write what the needs ask for, or say in cannot why not"
    ]
    done = of(written(files={ALONE: f"{RULE}\n"}), OWN, changeable=frozenset())
    assert done.problems[0].startswith(f"{ALONE}: this rule is there and was not given to you")


def test_tests_that_were_approved_lose_no_assert_and_are_named() -> None:
    fewer = TEST.replace("    assert alone(None) == []\n", "")
    done = of(written(files={TESTS: fewer}), OWN)
    assert done.problems == [f"{TESTS}: it had 5 asserts and has 4; keep what it asserted"]
    done = of(written(files={TESTS: TEST.replace("time(11)", "time(10)")}), OWN)
    assert done.problems == []
    assert f"tests changed or removed: {TESTS}" in done.detail


def test_tests_go_with_their_rule_only() -> None:
    files: dict[str, Any] = dict.fromkeys(PATHS)
    gone = of(written(files=files, removed=[TESTS]), OWN)
    assert gone.problems == [f"{TESTS}: it tests {ALONE}, which stays; keep it"]
    assert of(written(files=files, removed=[TESTS, ALONE]), OWN).problems == []
    shipped = of(written(removed=["rules/drug_allergy.py"]), OWN)
    assert shipped.problems[0].startswith("rules/drug_allergy.py: this rule ships")
    assert of(written(removed=["rules/none.py"])).problems == [
        "rules/none.py: there is no such file to remove"
    ]


def test_every_need_is_met_or_said_not_to_be() -> None:
    nothing: dict[str, Any] = dict.fromkeys(PATHS)
    why = [{"need": 1, "why": "drug_allergy watches it"}]
    assert of(written(files=nothing, cannot=why)).problems == []
    assert of(written(cannot=why)).problems[0].startswith("cannot: it names every need")
    assert of(written(cannot=[{"need": 7, "why": "x"}])).problems == ["cannot: there is no need 7"]
    assert of(written(summary=" ")).problems[0].startswith("summary:")
    twice = written()
    twice["files"].append(twice["files"][0])
    assert of(twice).problems == [f"{PETS}: it occurs twice"]
