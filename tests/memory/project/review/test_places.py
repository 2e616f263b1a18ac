"""Kinds, fields, rules and named facts are found where they stand."""

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.project.review.beside import fact_marks, with_facts
from memory.project.review.places import Place, places
from memory.project.review.render import CACHE, show_diff

SCHEMA = '''from uac import kind


@kind("plants")
@dataclass
class Plant:
    """A plant."""

    id: str
    name: str = "fact 9"
    watered: date | None = (
        None
    )
'''
RULE = '''"""Water them.

Facts: 1, 3 and 5.
"""


def other(today):
    return []  # as in fact 7


def check(today):
    return []
'''


def test_a_schema_has_its_kinds_and_fields():
    assert places("domains/garden/schema.py", SCHEMA) == (
        Place(6, "kind", "garden.Plant"),
        Place(9, "field", "garden.Plant", "id"),
        Place(10, "named", facts=(9,)),
        Place(10, "field", "garden.Plant", "name"),
        Place(11, "field", "garden.Plant", "watered"),
    )


def test_a_rule_begins_at_check_with_the_facts_that_its_docstring_names():
    assert places("rules/water.py", RULE) == (
        Place(3, "named", facts=(1, 3, 5)),
        Place(8, "named", facts=(7,)),
        Place(11, "rule", facts=(1, 3, 5)),
    )


def test_of_a_test_only_what_it_names_is_told():
    assert places("tests/test_water.py", "# fact 12, 13\nclass A:\n    x: int\n") == (
        Place(1, "named", facts=(12, 13)),
    )


def test_words_that_only_look_so_name_no_fact():
    for text in ("artifact 3", "the fact that 3", "facts: none", "fact 12345678901"):
        assert places("rules/x.py", f"# {text}\n") == ()


@settings(derandomize=True, max_examples=200)
@given(st.text() | st.text(alphabet="facts: 1,2()\"'\n\r#def"))
def test_any_text_has_places_or_none(text):
    for path in ("rules/x.py", "domains/x/schema.py", "tests/test_x.py"):
        assert all(place.line >= 1 for place in places(path, text))


def test_facts_stand_beside_the_new_line_they_are_behind():
    old, new = "a = 1\nb = 2\n", "a = 1\nb = 3\nc = '<td>'\n"
    CACHE.clear()
    for view in ("unified", "split"):
        (file,) = show_diff({"x.py": old}, {"x.py": new}, view)
        shown = with_facts(file, {2: (8, 9), 3: (1, 2, 3, 4)})
        rows = [row for chunk in shown.chunks for row in chunk.rows]
        (second,) = [row.html for row in rows if row.new == 2]
        assert second.endswith(f">{fact_marks((8, 9))}{last_cell(file, 2)}")
        (third,) = [row.html for row in rows if row.new == 3]
        assert '<a class="ref" href="#F3">F3</a><span class="ref">+1</span></span>' in third
        assert [row.html for row in rows if row.new == 1] == [
            row.html for chunk in file.chunks for row in chunk.rows if row.new == 1
        ]
        assert with_facts(file, {}) is file


def last_cell(file, line):
    """The inside of the last cell of a line's row, and what closes it."""
    (html,) = [row.html for chunk in file.chunks for row in chunk.rows if row.new == line]
    return html[html.index(">", html.rindex("<td")) + 1 :]
