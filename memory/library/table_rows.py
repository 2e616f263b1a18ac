"""The rows of the reference tables: what each type means, and one file of them, validated.

A file of `tables/` has `version`, `date` and `reviewer`, its `rows`, and `[sources.<key>]` with a
`title`, a `reference` and, where there is one, a `version`. Every row has an `id`, which begins
with its type, and names its `source` and, where one can be named, the `key` there (a product id of
the NDC directory, a MeSH descriptor, a PMID). A file may give one `source` for the rows that name
none. A row's own `date` and `reviewer` stand before those of its file. `type` may be left out: the
id says it. Rows may refer to rows of other files. The types:

    drug     one ingredient. `classes` it belongs to; `general` names the row it is a form of,
             `stands_for` the class that the bare word may mean (penicillin)
    product  what a brand or combination contains: `ingredients`, ids of drug rows
    class    `shared = true`: an allergy to one member counts for the others as well; otherwise
             only an allergy to the class itself does. `parent` is a wider class
    cross    members of two classes with similar side chains
    other    allergens that are no drugs, so that they are not reported as unknown
    group    drugs, classes and intakes that interact alike; only interactions and cautions use it:
             no name of a drug or an allergy ever leads to one
    intake   a food, drink, herb or supplement, found by `find_intake`; as a medication it is known
             to be no drug of the table
    pair     two sides (group, drug, class or intake) that should not meet: `severity`, `effect`,
             `action`, and for how many days after its last dose a side still counts
             (`washout_first_days`, `washout_second_days`)
    caution  drugs, classes or groups to be avoided in a `state` of the person

In `drug`, `product`, `class`, `other` and `intake` the first of `names` is the one shown.
"""

import datetime as dt
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Severity = Literal["critical", "warning", "info"]
Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[list[Text], Field(min_length=1)]
Days = Annotated[int, Field(ge=0, le=365)]


class BadTable(ValueError):
    """A reference table cannot be used; the message names the file, the row and the fault."""


class _Strict(BaseModel):
    # Strict, so that what was read from the file may be used as it stands.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Row(_Strict):
    id: Annotated[str, Field(pattern=r"^[a-z]+:[a-z0-9-]+$")]
    source: str
    key: Text | None = None
    date: dt.date | None = None
    reviewer: Text | None = None


class _Named(_Row):
    names: Texts


class _DrugRow(_Named):
    type: Literal["drug"]
    classes: list[str] = []
    general: str | None = None
    stands_for: str | None = None


class _ProductRow(_Named):
    type: Literal["product"]
    ingredients: Texts


class _ClassRow(_Named):
    type: Literal["class"]
    parent: str | None = None
    shared: bool = False


class _CrossRow(_Row):
    type: Literal["cross"]
    first: Texts
    first_class: str
    second: Texts
    second_class: str
    note: Text


class _OtherRow(_Named):
    type: Literal["other"]


class _GroupRow(_Named):
    type: Literal["group"]
    members: Texts


class _IntakeRow(_Named):
    type: Literal["intake"]


class _PairRow(_Row):
    type: Literal["pair"]
    first: str
    second: str
    severity: Severity
    effect: Text
    action: Text
    washout_first_days: Days = 0
    washout_second_days: Days = 0
    note: Text | None = None


class _CautionRow(_Row):
    type: Literal["caution"]
    members: Texts
    state: Literal["pregnant", "breastfeeding"]
    severity: Severity
    effect: Text
    action: Text
    note: Text | None = None


_AnyRow = Annotated[
    _DrugRow
    | _ProductRow
    | _ClassRow
    | _CrossRow
    | _OtherRow
    | _GroupRow
    | _IntakeRow
    | _PairRow
    | _CautionRow,
    Field(discriminator="type"),
]


class Source(_Strict):
    """Where rows come from."""

    title: str
    reference: str
    version: str | None = None


class Table(_Strict):
    """What one file says of itself and of its sources."""

    version: str
    date: dt.date
    reviewer: str
    source: str | None = None
    sources: dict[str, Source]


class _File(Table):
    rows: list[_AnyRow]


Rows = list[dict[str, Any]]


def parse_table(text: str, file: str) -> tuple[Table, Rows]:
    """A validated file and its rows as plain data, each with its type and source.

    Raises BadTable with one line for every fault. What a row says of other rows is judged by
    `memory.library.table_faults`, when all files have been read.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadTable(f"{file}: not TOML: {error}") from error
    rows = [_whole(row, data.get("source")) for row in data.get("rows", ())]
    try:
        read = _File.model_validate(data | {"rows": rows})
    except ValidationError as error:
        raise BadTable("\n".join(_lines(error, file, rows))) from error
    # The models have done their work: thousands of them are not kept beside the plain rows.
    return Table.model_validate(read.model_dump(exclude={"rows"})), rows


def _whole(row: Any, source: Any) -> Any:
    """The row with the type that its id tells and the file's source, where it has none."""
    if not isinstance(row, Mapping):
        return row
    told = str(row.get("id", "")).partition(":")[0]
    given = {"source": source} if source is not None else {}
    return {"type": told, **given, **row}


def _lines(error: ValidationError, file: str, rows: Rows) -> list[str]:
    lines = []
    for fault in error.errors(include_url=False):
        place = fault["loc"]
        row = rows[place[1]] if len(place) > 1 and isinstance(place[1], int) else None
        named = f"{row['id']}: " if isinstance(row, dict) and "id" in row else ""
        lines.append(f"{file}: {named}{'.'.join(map(str, place))}: {fault['msg']}")
    return lines
