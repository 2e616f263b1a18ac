"""The tests that a change brings, changes or takes away are told apart."""

from __future__ import annotations

from memory.project.review.touched import touched_tests
from memory.project.review.tree import FileChange, Status

PATH = "tests/test_tea.py"
KEPT = "def test_kept():\n    assert True\n\n\n"
OLD = KEPT + "def test_gone():\n    assert 1\n\n\ndef test_other():\n    assert 2\n"
HELPER = "def helper():\n    pass\n\n\n"
NEW = f"{KEPT}def test_other():\n    assert 3\n\n\n{HELPER}def test_new():\n    pass\n"


def found(status: Status, old: str, new: str) -> list[tuple[str, int, str]]:
    touched = touched_tests(FileChange(PATH, status, old, new))
    return [(one.name, one.line, one.status) for one in touched]


def test_each_is_named_with_the_line_of_the_side_that_has_it() -> None:
    assert found("changed", OLD, NEW) == [
        ("test_other", 5, "changed"),
        ("test_new", 13, "added"),
        ("test_gone", 5, "removed"),
    ]


def test_words_that_say_nothing_to_python_change_no_test() -> None:
    said = OLD.replace("assert 1", "assert 1  # one").replace("():\n", "():  # said\n")
    assert found("changed", OLD, said) == []


def test_a_new_file_brings_all_of_its_tests_and_a_removed_one_takes_them() -> None:
    assert [one[2] for one in found("added", "", OLD)] == ["added"] * 3
    assert [one[2] for one in found("removed", OLD, "")] == ["removed"] * 3


def test_what_is_no_python_has_none() -> None:
    assert found("changed", OLD, "def (") == []


def test_what_is_nested_too_deeply_to_compare_counts_as_changed() -> None:
    deep = OLD.replace("assert 1", f"assert {'+'.join('1' * 2_500)}")
    assert found("changed", OLD, deep) == [("test_gone", 5, "changed")]
