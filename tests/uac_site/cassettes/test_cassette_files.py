"""A cassette is a text file that people can read, and gives back what was put into it."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.uac_site.cassettes.requests import read_request
from uac_site.cassettes.cassette import Cassettes, Exchange, as_recorded, read_exchanges
from uac_site.cassettes.request import asked_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def exchange(answer: str, said: str = "", about: str = "a", exact: str = "e") -> Exchange:
    """An exchange."""
    return Exchange("read", about, exact, "someone", answer, said)


@given(answer=TEXT, said=TEXT)
def test_what_is_written_is_what_is_read(answer: str, said: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "new" / "one.toml"
        cassettes = Cassettes()
        first, second = exchange(answer, said), exchange("{}", exact="f")
        cassettes.add(first, file)
        cassettes.add(second, file)
        assert read_exchanges(file) == [first, second]


@given(value=st.dictionaries(TEXT, TEXT | st.integers() | st.lists(TEXT), max_size=4))
def test_json_is_set_out_and_keeps_its_value(value: dict[str, object]) -> None:
    text = as_recorded(json.dumps(value))
    assert json.loads(text) == value
    assert "'''" not in text


def test_an_answer_stands_in_its_file_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    answer = as_recorded("{\"text\": \"It's '''quoted''' and \\\"so\\\".\"}")
    Cassettes().add(exchange(answer), file)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert "answer = '''" in lines
    assert '  "text": "It\'s \'\'\\u0027quoted\'\'\\u0027 and \\"so\\"."' in lines


@pytest.mark.parametrize("odd", ["no JSON {", '{"a": 1, "a": 2}', '"\\ud800"', "```json\n{}\n```"])
def test_what_is_no_plain_json_stays_as_it_was(odd: str) -> None:
    assert as_recorded(odd) == odd


def test_exactly_the_same_request_comes_before_one_about_the_same(tmp_path: Path) -> None:
    old, new = asked_of(read_request("one")), asked_of(read_request("one", template="New."))
    (tmp_path / "one.toml").write_text(exchange("old", about=old.about, exact="x").as_toml())
    cassettes = Cassettes.of(tmp_path)
    found = cassettes.find(new)
    assert found is not None
    assert (found.answer, cassettes.given, cassettes.stale) == ("old", 1, 1)
    cassettes.add(exchange("new", about=new.about, exact=new.exact), tmp_path / "two.toml")
    found = cassettes.find(new)
    assert found is not None
    assert (found.answer, cassettes.given, cassettes.stale) == ("new", 2, 1)
    assert cassettes.find(asked_of(read_request("two"))) is None
    assert Cassettes.of(tmp_path / "nothing").exact == {}
