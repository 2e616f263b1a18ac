"""Code and diffs as markup that holds nothing a browser could act on."""

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.template import Context, Engine
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.lines import split_lines
from memory.project.review.highlight import highlight_lines, lex
from memory.project.review.rows import SHOWN, diff_file
from memory.project.review.tree import changed_files
from memory.project.shipped import baseline

HOSTILE = [
    "</script><script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "' onmouseover='alert(1)",
    "&lt;b&gt; &amp; &#x3c;",
    "{{ 7 * 7 }} {% debug %}",
    "</td></tr></table></span></mark>",
    "\u202e\u2066<b>\u200b",
    "'''\n<b>\n'''",
    "f'{x!r:<10}' <!-- -->",
    "\x00\x1b[31m",
    "<" * 500,
]
SOURCES = st.text(
    alphabet=st.sampled_from("ab \"'#\\\n\r\t<>&{}()=:@1.é\u202e\u200b\u0430") | st.characters(),
    max_size=200,
)


def diff_trees(old, new):
    """The rows of every file that differs."""
    return [diff_file(change) for change in changed_files(old, new)]


class Markup(HTMLParser):
    """Reads a line's markup: only spans and marks with known attributes, each one closed."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        names = {name for name, _ in attrs}
        assert (tag, names) in [
            ("span", {"class"}),
            ("span", {"class", "title"}),
            ("mark", set()),
        ]
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data

    def handle_comment(self, data):
        pytest.fail("a comment in the markup")


def text_of(html):
    """A line's text; fails where the markup is not balanced or holds anything else."""
    assert "\n" not in html
    assert "\r" not in html
    parser = Markup()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.text


def plain(html):
    """The text, without the classes that say nothing here."""
    return unescape(re.sub(r"<[^>]*>", "", html))


@settings(derandomize=True, max_examples=400)
@given(SOURCES, st.sampled_from(["x.py", "x.md", "x.toml", "x.json", "x.ini", "x.txt"]))
def test_pieces_are_the_lines_of_the_file(source, path):
    lines = split_lines(source)
    pieces = lex(path, lines)
    assert ["".join(text for _, text in line) for line in pieces] == [
        line.rstrip("\r\n") for line in lines
    ]
    for html in highlight_lines(path, source):
        text_of(html)


@settings(derandomize=True, max_examples=400)
@given(SOURCES, SOURCES)
def test_a_diff_is_balanced_and_escaped_whatever_it_shows(old, new):
    for file in diff_trees({"x.py": old}, {"x.py": new}):
        for chunk in file.chunks:
            for row in chunk.rows:
                text_of(row.html)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(text):
    (file,) = diff_trees({"x.py": "a = 1\n"}, {"x.py": f"a = 2\n{text}\n"})
    html = "".join(row.html for chunk in file.chunks for row in chunk.rows)
    text_of(html)
    template = Engine(autoescape=True).from_string("<td>{{ html }}</td>")
    (row,) = [row for row in file.chunks[0].rows if row.new == 2]
    assert template.render(Context({"html": row.html})) == f"<td>{row.html}</td>"


def test_a_path_is_escaped_by_the_template():
    (file,) = diff_trees({}, {"<b>.py": ""})
    template = Engine(autoescape=True).from_string("{{ path }}")
    assert template.render(Context({"path": file.path})) == "&lt;b&gt;.py"


def test_classes_not_styles():
    html = highlight_lines("x.py", 'def f() -> str:  # why\n    return "a"\n')
    assert html[0].startswith('<span class="k">def</span>')
    assert '<span class="c1"># why</span>' in html[0]
    assert "style" not in "".join(html)


def test_a_string_over_several_lines_keeps_its_colour_on_each():
    html = highlight_lines("x.py", 'x = """one\ntwo\n\nthree"""\n')
    assert html[1] == '<span class="s2">two</span>'
    assert html[2] == ""


def test_code_after_a_lone_carriage_return_is_shown_as_code():
    (file,) = diff_trees({}, {"x.py": "# harmless\rdef f(): pass\n"})
    first, second = file.chunks[0].rows
    assert plain(first.html) == "# harmless"
    assert first.note == "ends with a lone CR"
    assert [one.danger for one in first.suspicions] == ["control"]
    assert '<span class="k">def</span>' in second.html


def test_a_hiding_character_is_shown_by_its_number_and_a_lookalike_as_itself():
    (html,) = highlight_lines("x.py", "# \u202e p\u0430y")
    assert plain(html) == "# U+202E p\u0430y"
    assert html.count('class="odd"') == 2
    assert 'title="U+0430 CYRILLIC SMALL LETTER A looks like &#x27;a&#x27;' in html


def test_marks_lie_around_whole_spans():
    old, new = "area: str = 'a b'\n", "area: int | None = 'a c'\n"
    (file,) = diff_trees({"x.py": old}, {"x.py": new})
    removed, added = file.chunks[0].rows
    assert plain(removed.html) == old.rstrip()
    assert [plain(one) for one in re.findall("<mark>(.*?)</mark>", added.html)] == [
        "int | None",
        "c",
    ]


def test_rows_carry_numbers_kinds_and_what_is_suspicious():
    old = {"a.py": "x\n", "b.py": "one\ntwo\n"}
    new = {"b.py": "one\nthree\u200b\nfour", "c.py": "new\n"}
    removed, changed, added = diff_trees(old, new)
    assert [file.status for file in (removed, changed, added)] == ["removed", "changed", "added"]
    (chunk,) = changed.chunks
    assert [(row.change, row.old, row.new, row.note) for row in chunk.rows] == [
        ("equal", 1, 1, ""),
        ("delete", 2, None, ""),
        ("insert", None, 2, ""),
        ("insert", None, 3, "no line end"),
    ]
    assert [(one.line, one.code) for row in chunk.rows for one in row.suspicions] == [(2, "U+200B")]


def test_a_line_of_a_megabyte_is_cut_and_says_so():
    (file,) = diff_trees({}, {"x.py": "x = '" + "<b>" * 350_000 + "'\n"})
    ((row,),) = [chunk.rows for chunk in file.chunks]
    assert len(text_of(row.html)) == SHOWN
    assert row.note == "… 1,050,007 characters, of which the first 2,000 are shown"


def test_a_long_line_that_is_coloured_is_cut_too():
    (file,) = diff_trees({}, {"x.py": "x = (" + "1, " * 5_000 + ")\n"})
    ((row,),) = [chunk.rows for chunk in file.chunks]
    assert '<span class="mi">1</span>' in row.html
    assert len(text_of(row.html)) == SHOWN


def test_a_change_of_line_ends_alone_is_said_in_words():
    (file,) = diff_trees({"x.py": "a\n"}, {"x.py": "a\r\n"})
    assert [row.note for row in file.chunks[0].rows] == ["", "ends with CR LF"]


def test_every_class_that_the_baseline_needs_has_a_colour_or_needs_none():
    css = Path("static/css/code.css").read_text(encoding="utf-8")
    styled = set(re.findall(r"\.code \.(\w+)", css))
    unstyled = {"n", "nn", "o", "p", "w", "vm", "nv"}
    used = set()
    for path, text in baseline().files.items():
        used |= {css for line in lex(path, split_lines(text)) for css, _ in line if css}
    assert used - styled - unstyled == set()
