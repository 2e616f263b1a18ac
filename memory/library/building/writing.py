"""A generated table as text: the same rows always give the same bytes."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

ORDER = ("id", "names", "classes", "ingredients", "key")


def rendered(
    rows: Sequence[Mapping[str, Any]], *, config: Mapping[str, Any], source: str, built_from: str
) -> str:
    """The file's text: where it comes from, its rows one a line, its source.

    `built_from` is the digest of the configuration; the digest of the rows stands beside it, so
    that a later change by hand is seen.
    """
    lines = "".join(f"  {_row(row)},\n" for row in rows)
    cited = config["sources"][source]
    origin = "".join(f"{name} = {_text(cited[name])}\n" for name in sorted(cited))
    return (
        "# Built by `python -m memory.library.building`; change its configuration, not this file.\n"
        f"# configuration: {built_from}\n"
        f"# rows: {hashlib.sha256(lines.encode()).hexdigest()}\n\n"
        f"version = {_text(config['version'])}\n"
        f"date = {config['date'].isoformat()}\n"
        f"reviewer = {_text(config['reviewer'])}\n"
        f"source = {_text(source)}\n\n"
        f"rows = [\n{lines}]\n\n[sources.{source}]\n{origin}"
    )


def _row(row: Mapping[str, Any]) -> str:
    fields = [f"{name} = {_value(row[name])}" for name in ORDER if row.get(name)]
    return "{ " + ", ".join(fields) + " }"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    return "[" + ", ".join(map(_text, value)) + "]"


def _text(text: str) -> str:
    """A TOML basic string: JSON's escapes are TOML's too."""
    return json.dumps(text, ensure_ascii=False)
