"""CSV and JSON lines become bodies of facts, each with the line it began on."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.importing.bar import bar
from memory.importing.lines import BadLine, Line, batches, canonical, read_lines

CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"))
FACT = st.fixed_dictionaries({"text": CELL}, optional={"source": CELL, "session": CELL})


def _read(text: str, format_: Any) -> list[Line]:
    return list(read_lines(io.StringIO(text, newline=""), format_, json.loads))


@given(st.lists(FACT))
def test_every_line_of_json_is_a_fact(facts: list[dict[str, str]]) -> None:
    text = "".join(f"{json.dumps(one)}\n\n" for one in facts)
    lines = _read(text, "jsonl")
    assert [line.body for line in lines] == facts
    assert [line.number for line in lines] == [1 + 2 * place for place in range(len(facts))]


@given(st.lists(FACT.filter(lambda fact: any(fact.values()))))
def test_what_a_csv_writer_writes_is_read(facts: list[dict[str, str]]) -> None:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, ["text", "source", "session"], restval="")
    writer.writeheader()
    writer.writerows(facts)
    told = [{name: value for name, value in fact.items() if value} for fact in facts]
    lines = _read(out.getvalue(), "csv")
    assert [line.body for line in lines] == told
    for line in lines:
        assert line.number > 1


def test_a_row_may_have_a_reading() -> None:
    text = (
        "text,kind,op,data.item,data.price:json,data,metadata,corrects\n"
        'bread,shop.Purchase,assert,rye,2,"{""shop"": ""x""}","{""a"": [1]}",3\n'
        ",,,,,,,\n"
        '"two\nlines",,,,,,,\n'
        "tea,,,,,,,\n"
    )
    lines = _read(text, "csv")
    assert lines[0].body == {
        "text": "bread",
        "corrects": 3,
        "metadata": {"a": [1]},
        "readings": [
            {
                "kind": "shop.Purchase",
                "op": "assert",
                "data": {"shop": "x", "item": "rye", "price": 2},
            }
        ],
    }
    assert [(line.number, line.body["text"]) for line in lines[1:]] == [
        (4, "two\nlines"),
        (6, "tea"),
    ]


@pytest.mark.parametrize(
    ("format_", "text", "said"),
    [
        ("csv", "text,colour\nx,red\n", "line 1: there is no column 'colour'"),
        ("csv", "text,text\nx,y\n", "line 1: the column 'text' is there twice"),
        ("csv", "source\nx\n", "line 1: there is no column text"),
        ("csv", "text,data.n,data.n:json\nx,1,2\n", "line 1: the column 'data.n' is there twice"),
        ("csv", "text,data.\nx,y\n", "line 1: there is no column 'data.'"),
        ("csv", "text,source\nx\n", "line 2: it has 1 cells, the heading 2"),
        ("csv", 'text\n"x', "it is no CSV"),
        ("csv", "text,data\nx,[1]\n", "line 2: data is a JSON object"),
        ("csv", "text,data.n:json\nx,01\n", "line 2: data.n:json is no JSON"),
        ("csv", "text,corrects\nx,one\n", "line 2: corrects is no JSON"),
        ("jsonl", '{"text": "x"}\n{"text": \n', "line 2: the line is no JSON"),
    ],
)
def test_what_is_no_fact_names_its_line(format_: str, text: str, said: str) -> None:
    with pytest.raises(BadLine) as raised:
        _read(text, format_)
    assert said in str(raised.value)


def test_a_text_may_be_as_long_as_a_fact_takes() -> None:
    long = "x" * 1_000_000
    (line,) = _read(f"text\n{long}\n", "csv")
    assert line.body == {"text": long}


@given(st.lists(st.integers()), st.integers(1, 9))
def test_batches_hold_every_line_once_in_order(numbers: list[int], size: int) -> None:
    lines = [Line(place, number) for place, number in enumerate(numbers)]
    found = list(batches(lines, size))
    assert [line for batch in found for line in batch] == lines
    assert all(len(batch) == size for batch in found[:-1])
    assert all(found)
    assert len({canonical(batch) for batch in found}) == len(found)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(1, 80))
def test_the_bar_is_as_long_whatever_is_done(done: int, left: int, width: int) -> None:
    drawn = bar(done, done + left, what="facts", width=width)
    assert len(drawn.partition("]")[0]) == width + 1
    assert drawn.endswith("100 %") == (left == 0)
    assert f"{done:,} of {done + left:,} facts" in drawn
