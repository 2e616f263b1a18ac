"""An overlay is carried over to another baseline, and what both sides changed is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.project.rebase import merge, rebase
from memory.project.tree import Project

OLD = Project({"a.py": "1\n", "b.py": "1\n2\n3\n4\n5\n", "c.py": "c\n"})


def _with(project: Project, **files: str | None) -> Project:
    named = {f"{name}.py": text for name, text in files.items()}
    changed = {**project.files, **named}
    return Project({path: text for path, text in changed.items() if text is not None})


def test_what_only_one_side_changed_is_carried_over() -> None:
    mine = _with(OLD, a="mine\n", d="mine too\n", c=None)
    theirs = _with(OLD, b="theirs\n", e="theirs too\n")
    rebased = rebase(mine, OLD, theirs)
    assert dict(rebased.project.files) == {
        "a.py": "mine\n",
        "b.py": "theirs\n",
        "d.py": "mine too\n",
        "e.py": "theirs too\n",
    }
    assert not rebased.touched_twice


def test_without_an_overlay_it_is_the_new_baseline() -> None:
    new = _with(OLD, a=None, b="x\n", f="f\n")
    assert rebase(OLD, OLD, new).project.digest == new.digest


def test_both_may_have_changed_alike() -> None:
    same = _with(OLD, a="same\n", c=None)
    assert not rebase(same, OLD, same).touched_twice


def test_changes_apart_from_one_another_are_put_together() -> None:
    rebased = rebase(_with(OLD, b="1\nmine\n3\n4\n5\n"), OLD, _with(OLD, b="1\n2\n3\n4\ntheirs\n"))
    assert rebased.project.files["b.py"] == "1\nmine\n3\n4\ntheirs\n"
    assert (rebased.merged, rebased.kept) == (("b.py",), ())


def test_where_both_changed_the_same_lines_the_overlay_stands_and_is_named() -> None:
    rebased = rebase(_with(OLD, b="1\nmine\n3\n4\n5\n"), OLD, _with(OLD, b="1\ntheirs\n3\n4\n5\n"))
    assert rebased.project.files["b.py"] == "1\nmine\n3\n4\n5\n"
    assert (rebased.merged, rebased.kept) == ((), ("b.py",))


def test_what_one_removed_and_the_other_changed_is_named() -> None:
    gone = rebase(_with(OLD, a=None), OLD, _with(OLD, a="theirs\n"))
    assert ("a.py" in gone.project.files, gone.kept) == (False, ("a.py",))
    left = rebase(_with(OLD, a="mine\n"), OLD, _with(OLD, a=None))
    assert (left.project.files["a.py"], left.kept) == ("mine\n", ("a.py",))


def test_two_classes_added_at_the_end_are_both_there() -> None:
    assert merge("a\n", "a\nmine\n", "a\ntheirs\n") == ("a\ntheirs\nmine\n", True)


TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=8).map("".join)


@given(base=TEXTS, changed=TEXTS)
def test_a_change_of_one_side_is_that_side(base: str, changed: str) -> None:
    assert merge(base, changed, base) == (changed, True)
    assert merge(base, base, changed) == (changed, True)
    assert merge(base, changed, changed) == (changed, True)


@given(base=TEXTS, mine=TEXTS, theirs=TEXTS)
def test_no_line_comes_from_nowhere(base: str, mine: str, theirs: str) -> None:
    text, _ = merge(base, mine, theirs)
    sources = {*mine.splitlines(), *theirs.splitlines()}
    assert set(text.splitlines()) <= sources
