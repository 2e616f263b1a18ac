"""The stages of a diff: files, opcodes, chunks, words."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.lines import split_lines
from memory.project.review.chunks import chunks
from memory.project.review.opcodes import opcodes
from memory.project.review.tree import FileChange, changed_files
from memory.project.review.words import word_marks

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "a b\n"]), max_size=30)


def cut(old, new, context=3):
    return chunks(opcodes(old, new), old, new, context=context)


def numbered(count, start=1):
    return [f"line {number}\n" for number in range(start, start + count)]


def marked(old, new):
    """The words marked on either side."""
    first, second = word_marks(old, new)
    return [old[a:b] for a, b in first], [new[a:b] for a, b in second]


def test_files_are_added_removed_and_changed_in_order_of_their_paths():
    old = {"b.py": "1", "a.py": "same", "c.py": "3"}
    new = {"d.py": "", "a.py": "same", "c.py": "4"}
    assert changed_files(old, new) == (
        FileChange("b.py", "removed", "1", ""),
        FileChange("c.py", "changed", "3", "4"),
        FileChange("d.py", "added", "", ""),
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\r\nb\rc\n\nd", ["a\r\n", "b\r", "c\n", "\n", "d"]),
        ("a\x0cb\u2028c\x85d\n", ["a\x0cb\u2028c\x85d\n"]),
    ],
)
def test_lines_end_where_python_ends_them(text, lines):
    assert split_lines(text) == lines


@settings(derandomize=True, max_examples=300)
@given(LINES, LINES)
def test_the_opcodes_turn_the_old_lines_into_the_new(old, new):
    made = []
    place = 0
    for code in opcodes(old, new):
        assert code.old_start == place
        place = code.old_end
        if code.tag == "equal":
            assert old[code.old_start : code.old_end] == new[code.new_start : code.new_end]
        made += new[code.new_start : code.new_end]
    assert (place, made) == (len(old), new)


@settings(derandomize=True, max_examples=300)
@given(LINES, LINES, st.integers(0, 4))
def test_the_chunks_hold_every_line_once_in_order(old, new, context):
    found = cut(old, new, context)
    lines = [line for chunk in found for line in chunk.lines]
    assert [line.old for line in lines if line.old] == list(range(1, len(old) + 1))
    assert [line.new for line in lines if line.new] == list(range(1, len(new) + 1))
    for chunk in found:
        if chunk.folded:
            assert {line.change for line in chunk.lines} == {"equal"}
            assert len(chunk.lines) > 1


def test_equal_runs_are_folded_beyond_three_lines():
    old = numbered(20)
    new = [*old[:9], "new\n", *old[10:]]
    head, middle, tail = cut(old, new)
    assert (head.folded, middle.folded, tail.folded) == (True, False, True)
    assert [line.old for line in head.lines] == [1, 2, 3, 4, 5, 6]
    assert [(line.change, line.old, line.new) for line in middle.lines] == [
        ("equal", 7, 7),
        ("equal", 8, 8),
        ("equal", 9, 9),
        ("delete", 10, None),
        ("insert", None, 10),
        ("equal", 11, 11),
        ("equal", 12, 12),
        ("equal", 13, 13),
    ]
    assert [line.new for line in tail.lines] == list(range(14, 21))


def test_a_single_line_is_not_folded_away():
    old = numbered(7)
    assert len(cut(old, ["x\n", *old[1:4], *old[4:6], "y\n"])) == 1
    assert [chunk.folded for chunk in cut(old, [*old[:0], *old[1:]])] == [False, True]


def test_two_equal_texts_have_one_folded_chunk():
    assert [chunk.folded for chunk in cut(numbered(5), numbered(5))] == [True]


def test_a_changed_line_marks_the_words_that_differ():
    old, new = "    area: str\n", '    area: Literal["a"]\n'
    assert marked(old, new) == (["str"], ['Literal["a"]'])
    assert marked("a = b\n", "a = b  # why\n") == ([], ["  # why"])


def test_a_removed_line_is_paired_with_the_one_most_like_it():
    old = ["    area: str\n"]
    new = ["    # a comment about it\n", "    area: int\n", "    zone: float\n"]
    (chunk,) = cut(old, new)
    removed, comment, changed, other = chunk.lines
    assert (removed.marks, changed.marks) == (((10, 13),), ((10, 13),))
    assert (comment.marks, other.marks) == ((), ())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["a a a a a a\n"] * 3_000, ["a a a a a b\n"] * 3_000),
        (["x\n"] * 3_000, ["x\n", "y\n"] * 1_500),
        (["a " * 5_000], ["b " * 5_000]),
        (["(" * 290 + "\n"] * 50, ["()" * 145 + "\n"] * 50),
        ([f"{n}\n" for n in range(5_000)], [f"{n}\n" for n in range(5_000, 0, -1)]),
    ],
)
def test_a_hostile_pair_takes_no_more_than_seconds(old, new):
    started = time.monotonic()
    assert cut(old, new)
    assert time.monotonic() - started < 5
