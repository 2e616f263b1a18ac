"""Facts as lines of a file: CSV with a heading, or a JSON object a line. Pure.

Each becomes the body of a fact as the API takes it, with the line it began on.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

Format = Literal["csv", "jsonl"]
PLAIN = ("text", "occurred_at", "source", "session")
NUMBERS = ("message", "corrects")
READING = ("kind", "op", "id")
DATA, METADATA = "data", "metadata"
FIELD, AS_JSON = "data.", ":json"
LONGEST_CELL = 4_000_000
"""Characters; what is too long for a fact is refused as the API refuses it."""
KNOWN = (*PLAIN, *NUMBERS, *READING, DATA, METADATA)
csv.field_size_limit(LONGEST_CELL)
Parse = Callable[[str], Any]
"""Reads a JSON text as strictly as the API does. Raises ValueError."""


class BadLine(ValueError):
    """A line that is no fact; the message begins with its number."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}: {why}")


@dataclass(frozen=True)
class Line:
    """A fact's body, and the line of the file where it begins, from 1."""

    number: int
    body: Any


def read_lines(file: Iterable[str], format_: Format, parse: Parse) -> Iterator[Line]:
    """The facts of a file, in order; blank lines are passed over. Raises BadLine."""
    return _csv(file, parse) if format_ == "csv" else _jsonl(file, parse)


def batches(lines: Iterable[Line], size: int) -> Iterator[Sequence[Line]]:
    """The same in batches of so many, the last one shorter."""
    rest = iter(lines)
    while batch := list(islice(rest, size)):
        yield batch


def _jsonl(file: Iterable[str], parse: Parse) -> Iterator[Line]:
    for number, text in enumerate(file, start=1):
        if text.strip():
            yield Line(number, _json(number, "the line", text, parse))


def _csv(file: Iterable[str], parse: Parse) -> Iterator[Line]:
    reader = csv.reader(file, strict=True)
    columns: list[str] | None = None
    begins = 1
    try:
        for cells in reader:
            number, begins = begins, reader.line_num + 1
            if not any(cells):
                continue
            if columns is None:
                columns = _columns(number, cells)
            elif len(cells) != len(columns):
                raise BadLine(number, f"it has {len(cells)} cells, the heading {len(columns)}")
            else:
                yield Line(number, _fact(number, dict(zip(columns, cells, strict=True)), parse))
    except csv.Error as error:
        raise BadLine(reader.line_num, f"it is no CSV: {error}") from error


def _columns(number: int, cells: Sequence[str]) -> list[str]:
    """The heading. Raises BadLine for a column that nobody knows, or that is there twice."""
    columns = [cell.strip().removeprefix("\ufeff") for cell in cells]
    fields = [column.removesuffix(AS_JSON) for column in columns]
    for column in columns:
        if column not in KNOWN and not (column.startswith(FIELD) and column != FIELD):
            known = ", ".join(KNOWN)
            raise BadLine(number, f"there is no column {column[:60]!r}; there are {known}, data.x")
        if fields.count(column.removesuffix(AS_JSON)) > 1:
            raise BadLine(number, f"the column {column[:60]!r} is there twice")
    if "text" not in columns:
        raise BadLine(number, "there is no column text")
    return columns


def _fact(number: int, cells: Mapping[str, str], parse: Parse) -> dict[str, Any]:
    """The body of a fact; an empty cell is left out."""
    said = {name: cell for name, cell in cells.items() if cell != ""}
    body: dict[str, Any] = {name: said[name] for name in PLAIN if name in said}
    body |= {name: _json(number, name, said[name], parse) for name in NUMBERS if name in said}
    if METADATA in said:
        body[METADATA] = _json(number, METADATA, said[METADATA], parse)
    reading = {name: said[name] for name in READING if name in said}
    data = _data(number, said, parse)
    if reading or data:
        body["readings"] = [{**reading, "data": data}]
    return body


def _data(number: int, said: Mapping[str, str], parse: Parse) -> dict[str, Any]:
    """The fields of a reading: `data` as JSON, and a column for each, as text or as JSON."""
    data = _json(number, DATA, said[DATA], parse) if DATA in said else {}
    if not isinstance(data, dict):
        raise BadLine(number, "data is a JSON object")
    for name, cell in said.items():
        if name.startswith(FIELD):
            field = name.removeprefix(FIELD)
            typed = field.endswith(AS_JSON)
            value = _json(number, name, cell, parse) if typed else cell
            data[field.removesuffix(AS_JSON)] = value
    return data


def _json(number: int, what: str, text: str, parse: Parse) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise BadLine(number, f"{what} is no JSON: {error}") from error


def canonical(lines: Sequence[Line]) -> bytes:
    """A batch as bytes that are the same for the same facts on the same lines."""
    told = [[line.number, line.body] for line in lines]
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode()
