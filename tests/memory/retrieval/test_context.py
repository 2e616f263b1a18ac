"""A context never passes its bound, drops whole lines only, and is the same for the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.checkpointer.model.prices import estimated_tokens
from memory.retrieval.context import CUT, Line, Section, bullet, compose, heading_line, one_line

NAMES = ("alerts", "manifest", "state", "facts", "messages")
LINES = st.lists(
    st.builds(
        lambda text, seq: Line(one_line(text)[0], {"fact": seq}), st.text(), st.integers(1, 9)
    ),
    max_size=12,
).map(tuple)
SECTIONS = st.tuples(
    *(
        st.builds(
            lambda lines, share, heading, name=name: Section(
                name, one_line(heading)[0], lines, share, "as they come"
            ),
            LINES,
            st.floats(0, 0.3),
            st.text(max_size=20),
        )
        for name in NAMES
    )
)
TOKENS = st.integers(0, 600)


@given(st.text(), SECTIONS, TOKENS)
def test_it_is_never_larger_than_asked_for(
    title: str, sections: tuple[Section, ...], most: int
) -> None:
    found = compose(title, sections, max_tokens=most)
    assert found.tokens == estimated_tokens(found.text) <= most


@given(st.text(), SECTIONS, TOKENS)
def test_it_holds_each_shown_line_whole_and_nothing_else(
    title: str, sections: tuple[Section, ...], most: int
) -> None:
    found = compose(title, sections, max_tokens=most)
    rest = found.text
    if rest.startswith("# "):
        rest = rest.partition("\n")[2]
    for one in found.sections:
        if one.lines:
            expected = heading_line(one.section) + "".join(map(bullet, one.lines))
            assert rest.startswith(expected)
            rest = rest.removeprefix(expected)
        assert set(one.places) <= set(range(len(one.section.lines)))
    assert rest == ""
    assert [one.section for one in found.sections] == list(sections)


@given(st.text(), SECTIONS, TOKENS)
def test_the_same_gives_the_same(title: str, sections: tuple[Section, ...], most: int) -> None:
    assert compose(title, sections, max_tokens=most) == compose(title, sections, max_tokens=most)


@given(st.text(max_size=50), SECTIONS, TOKENS)
def test_what_is_left_out_would_not_have_fitted(
    title: str, sections: tuple[Section, ...], most: int
) -> None:
    found = compose(title, sections, max_tokens=most)
    room = most * 3 - len(found.text.encode())
    for one in found.sections:
        for place, line in enumerate(one.section.lines):
            heading = "" if one.places else heading_line(one.section)
            if place not in one.places:
                assert len((heading + bullet(line)).encode()) > room


def test_a_section_has_its_share_before_another_takes_the_rest() -> None:
    many = tuple(Line(f"{number:03} {'x' * 26}", {}) for number in range(100))
    sections = [
        Section("alerts", "A", many, 0.2, ""),
        Section("state", "B", many, 0.3, ""),
        Section("facts", "C", many[:2], 0.2, ""),
    ]
    alerts, state, facts = compose("t", sections, max_tokens=1_000).sections
    assert len(facts.lines) == 2
    assert len(state.lines) == 27
    assert len(alerts.lines) > 50  # its share, and what the others did not need
    assert alerts.lines == list(many[: len(alerts.lines)])


@given(st.text(), st.integers(1, 50))
def test_a_text_becomes_one_line(text: str, longest: int) -> None:
    line, cut = one_line(text, longest)
    assert len(line.splitlines()) <= 1
    assert len(line) <= longest
    assert cut == line.endswith(CUT) or text.rstrip().endswith(CUT)
