"""The library and the rules in the sandbox: joined into one namespace, without imports."""

import ast
import re
from datetime import UTC, date, datetime
from pathlib import Path

from memory.project.bundle import without_project_imports
from memory.sandbox import Feed, Instance, Program

LIBRARY = Path(__file__).resolve().parents[3] / "memory" / "library"
TODAY = date(2025, 1, 10)


def source(path):
    """A file's text as the sandbox gets it: imports of the project's own files left out."""
    return without_project_imports(path.read_text(encoding="utf-8"))


def uac_files():
    tree = ast.parse((LIBRARY / "uac" / "__init__.py").read_text(encoding="utf-8"))
    names = [node.module for node in tree.body if isinstance(node, ast.ImportFrom) and node.level]
    return [LIBRARY / "uac" / f"{name}.py" for name in names]


def library_feeds(rows):
    uac = "".join(source(path) for path in uac_files())
    domains = (LIBRARY / "baseline" / "domains").glob("*/schema.py")
    schemas = "".join(source(path) for path in sorted(domains))
    return (
        Feed("uac.py", uac, {"drug_rows": rows, "today": TODAY}),
        Feed("schemas.py", schemas),
    )


def program(rows, *feeds):
    stubs = "from typing import Any\ndrug_rows: list[dict[str, Any]] = []\n"
    now = datetime(2025, 1, 10, tzinfo=UTC)
    return Program(feeds=(*library_feeds(rows), *feeds), now=now, stubs=stubs)


def plain(alert):
    """An alert from either side as a dict, its evidence as ids."""
    fields = alert.attributes if isinstance(alert, Instance) else vars(alert)
    ids = [r.attributes["id"] if isinstance(r, Instance) else r.id for r in fields["evidence"]]
    return fields | {"evidence": ids}


def rule_source(rule):
    """A shipped rule as the sandbox gets it."""
    return source(LIBRARY / "baseline" / "rules" / f"{rule}.py")


def texts_in(code):
    """The texts of source code, by which the rows of the table are chosen."""
    return re.findall(r'"([^"\n]+)"', code)
