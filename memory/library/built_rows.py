"""A built table, read quickly: its digest shows that its rows are those that were built.

The build writes every string as JSON does and checks, before it writes, that this reading gives the
same as the careful one (`memory.library.table_rows`). So a file whose rows have the digest that its
head states needs no second check; any other file is read with care.
"""

import hashlib
import json
import re
import tomllib

from memory.library.table_rows import Rows, Table

_SAID = re.compile(r"^# rows: ([0-9a-f]{64})$", re.MULTILINE)
_BEFORE, _AFTER = "\nrows = [\n", "\n]\n"
_FIELD = re.compile(r'(?<=[{,] )([a-z]+) = (?=\[?")')


def parse_built(text: str) -> tuple[Table, Rows] | None:
    """A built file and its rows, as `parse_table` gives them; None where it is not as built."""
    said = _SAID.search(text)
    head, _, rest = text.partition(_BEFORE)
    lines, _, foot = rest.partition(_AFTER)
    if not said or hashlib.sha256(f"{lines}\n".encode()).hexdigest() != said[1]:
        return None
    table = Table.model_validate(tomllib.loads(f"{head}\n{foot}"))
    rows = json.loads(f"[{_FIELD.sub(_as_json, lines).rstrip(',')}]")
    return table, [
        {"type": row["id"].partition(":")[0], "source": table.source, **row} for row in rows
    ]


def _as_json(field: re.Match[str]) -> str:
    return f'"{field[1]}": '
