"""Unified diffs that other tools can read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.project.review.tree import changed_files
from memory.project.unified import unified_diff

LINES = st.lists(st.sampled_from(["a\n", "b\n", "\n", "x\u2028y\n", "+\n", "-- c\n"]), max_size=12)


def diffs(old: dict[str, str], new: dict[str, str]) -> str:
    return "".join(unified_diff(change) for change in changed_files(old, new))


def patched(folder: Path, old: dict[str, str], diff: str) -> dict[str, str]:
    """The files after `git apply` of a diff."""
    for path, text in old.items():
        (folder / path).write_bytes(text.encode())
    subprocess.run(
        ["git", "apply", "--unidiff-zero", "-"], input=diff.encode(), cwd=folder, check=True
    )
    return {path.name: path.read_bytes().decode() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a.py": "x\ny\n"}, {"a.py": "x\nz\n"}),
        ({"a.py": "x"}, {"a.py": "y"}),
        ({"a.py": "x\n"}, {"a.py": "x"}),
        ({"a.py": "x"}, {"a.py": "x\n"}),
        ({"a.py": "x\n"}, {"a.py": "x\n", "b.py": "new\nfile"}),
        ({"a.py": "x\n", "b.py": "old\n"}, {"a.py": "x\n"}),
        ({"a.py": "\n".join(map(str, range(40)))}, {"a.py": "\n".join(map(str, range(1, 41)))}),
    ],
)
def test_git_applies_what_we_write(
    old: dict[str, str], new: dict[str, str], tmp_path: Path
) -> None:
    assert patched(tmp_path, old, diffs(old, new)) == new


@given(old=LINES, new=LINES)
def test_there_is_a_diff_just_where_something_differs(old: list[str], new: list[str]) -> None:
    before, after = {"a.py": "".join(old)}, {"a.py": "".join(new)}
    assert bool(diffs(before, after)) == (before != after)


def test_the_same_has_no_diff() -> None:
    assert diffs({"a.py": "x"}, {"a.py": "x"}) == ""
