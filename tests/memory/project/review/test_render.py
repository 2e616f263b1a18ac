"""A diff as HTML: in one column, side by side, kept by the digests of both sides."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.review.cache import ByteCache
from memory.project.review.highlight import Html
from memory.project.review.render import CACHE, LinePlace, anchor_of, show_diff, with_notes
from memory.project.review.tree import changed_files

OLD = {"a.py": "".join(f"x{number} = {number}\n" for number in range(30))}
NEW = {"a.py": OLD["a.py"].replace("x9 = 9\n", "x9 = 90\nmore = 1\n")}
ALLOWED = {"tr", "td", "span", "mark", "a"}
ATTRIBUTES = {"class", "title", "aria-label", "id", "href", "data-at"}
PLACE = re.compile(r"file-[0-9a-f]{12}-[on][0-9]+")
CELLS = {"unified": 4, "split": 6}
SOURCES = st.text(alphabet=st.sampled_from("ab <>&'\"#\n\r{}%\u202e\u0430") | st.characters())


class Rows(HTMLParser):
    """The texts of the cells of each row; fails on anything that is no cell of a row."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.rows = [], []

    def handle_starttag(self, tag, attrs):
        assert tag in ALLOWED
        assert {name for name, _ in attrs} <= ATTRIBUTES
        assert all(PLACE.fullmatch(value) for name, value in attrs if name in ("id", "data-at"))
        assert all(value.startswith("?view=") for name, value in attrs if name == "href")
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open:
            self.rows[-1][-1] += data

    def handle_comment(self, data):
        pytest.fail("a comment in the markup")


def rows_of(html):
    parser = Rows()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.rows


def test_one_column_has_both_numbers_and_a_sign():
    (file,) = show_diff(OLD, NEW)
    assert (file.added, file.removed, file.status) == (2, 1, "changed")
    assert [(chunk.folded, chunk.count) for chunk in file.chunks] == [
        (True, 6),
        (False, 9),
        (True, 17),
    ]
    rows = rows_of(file.chunks[1].html)
    assert rows[2:6] == [
        ["9", "9", "", "x8 = 8"],
        ["10", "", "−", "x9 = 9"],
        ["", "10", "+", "x9 = 90"],
        ["", "11", "+", "more = 1"],
    ]
    assert "<mark>" in file.chunks[1].html


def test_side_by_side_what_was_removed_faces_what_came_for_it():
    (file,) = show_diff(OLD, NEW, "split")
    assert (file.added, file.removed) == (2, 1)
    rows = rows_of(file.chunks[1].html)
    assert rows[2:6] == [
        ["9", "", "x8 = 8", "9", "", "x8 = 8"],
        ["10", "−", "x9 = 9", "10", "+", "x9 = 90"],
        ["", "", "", "11", "+", "more = 1"],
        ["11", "", "x10 = 10", "12", "", "x10 = 10"],
    ]


def test_what_is_folded_is_there_to_unfold():
    (file,) = show_diff(OLD, NEW)
    assert rows_of(file.chunks[0].html)[0] == ["1", "1", "", "x0 = 0"]


@settings(derandomize=True, max_examples=200)
@given(SOURCES, SOURCES, st.sampled_from(["unified", "split"]), st.booleans())
def test_whatever_it_shows_there_are_only_cells(old, new, view, commented):
    for file in show_diff({"x.py": old}, {"x.py": new}, view, commented=commented):
        for chunk in file.chunks:
            rows = rows_of(chunk.html)
            assert {len(row) for row in rows} == {CELLS[view]}


def test_rendered_data_comes_last_and_is_told_apart():
    new = {"domains/a/schema.py": "1", "domains/a/state.py": "2", "manifest.py": "3", "z.py": "4"}
    assert [(file.path, file.data) for file in show_diff({}, new)] == [
        ("domains/a/schema.py", False),
        ("z.py", False),
        ("domains/a/state.py", True),
        ("manifest.py", True),
    ]
    assert [change.path for change in changed_files({}, new)][-1] == "manifest.py"


def test_a_file_has_a_folder_a_name_and_an_anchor_of_its_own():
    one, other = show_diff({}, {'a/"><b>.py': "", "b.py": ""})
    assert (one.folder, one.name, other.folder, other.name) == ("a/", '"><b>.py', "", "b.py")
    assert one.anchor != other.anchor
    assert one.anchor.removeprefix("file-").isalnum()


def test_a_megabyte_in_one_line_stays_small():
    CACHE.clear()
    (file,) = show_diff({}, {"x.py": "<b>" * 350_000})
    assert len(file.chunks[0].html) < 20_000
    assert "1,050,000 characters" in file.chunks[0].html


def test_a_diff_is_made_once_for_each_view():
    CACHE.clear()
    first, again, split = show_diff(OLD, NEW), show_diff(OLD, NEW), show_diff(OLD, NEW, "split")
    assert first[0] is again[0]
    assert split[0] is not first[0]
    assert show_diff(NEW, OLD)[0] is not first[0]


def test_the_cache_holds_no_more_than_its_bytes_and_drops_what_was_used_least():
    made: list[str] = []

    def get(key, length):
        def make():
            made.append(key)
            return "x" * length

        return cache.get(key, make)

    cache = ByteCache(10, len)
    get("a", 4)
    get("b", 4)
    get("a", 4)
    get("c", 4)  # b goes
    assert (made, cache.held) == (["a", "b", "c"], 8)
    get("a", 4)
    get("b", 4)
    assert made == ["a", "b", "c", "b"]
    assert get("d", 11) == "x" * 11  # too large to keep
    assert cache.held == 8
    cache.clear()
    assert cache.held == 0


@pytest.mark.parametrize("view", ["unified", "split"])
def test_a_note_stands_below_its_line_and_opens_what_was_folded(view):
    (file,) = show_diff(OLD, NEW, view, commented=True)
    notes: dict[LinePlace, Html] = {
        ("old", 10): Html("<b>gone</b>"),
        ("new", 11): Html("<b>more</b>"),
    }
    notes["new", 2] = Html("<b>far</b>")
    noted = with_notes(file, notes, view)
    assert [chunk.open for chunk in noted.chunks] == [True, True, False]
    rows = noted.chunks[1].html.split("\n")
    place = next(number for number, row in enumerate(rows) if "<b>more</b>" in row)
    assert f'id="{anchor_of("a.py")}-n11"' in rows[place - 1]
    assert f'colspan="{CELLS[view]}"' in rows[place]
    place = next(number for number, row in enumerate(rows) if "<b>gone</b>" in row)
    assert f'id="{anchor_of("a.py")}-o10"' in rows[place - 1]
    assert show_diff(OLD, NEW, view, commented=True)[0] is file  # what is kept has no notes


def test_only_what_may_be_commented_leads_to_a_place_for_it():
    (plain,), (commented,) = show_diff(OLD, NEW), show_diff(OLD, NEW, commented=True)
    assert "<a " not in plain.chunks[1].html
    place = f"{anchor_of('a.py')}-n11"
    assert f'href="?view=unified&amp;at={place}#{place}"' in commented.chunks[1].html
