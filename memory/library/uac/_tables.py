"""The rows of the reference tables under CPython; in the sandbox they are the input `drug_rows`."""

import tomllib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload

Row = dict[str, Any]


def _rows_of(path: Path) -> list[Row]:
    """The rows of one file, each with the type that its id tells."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["rows"]
    return [{"type": row["id"].partition(":")[0], **row} for row in rows]


def _read_rows() -> list[Row]:
    here = Path(__file__).resolve().parent
    # Beside the package in an exported project, one folder up in the application.
    for folder in (here, here.parent / "tables"):
        paths = sorted(folder.glob("*.toml"), key=lambda path: path.name)
        if paths:
            return [row for path in paths for row in _rows_of(path)]
    raise FileNotFoundError("the reference tables (*.toml) belong beside the uac package")


class _RowsOnUse(Sequence[Row]):
    """All rows, read when the first of them is asked for: most that import the package never do."""

    @cached_property
    def rows(self) -> list[Row]:
        return _read_rows()

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)


drug_rows: Sequence[Row] = _RowsOnUse()
