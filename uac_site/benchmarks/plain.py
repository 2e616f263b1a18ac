"""A person's state under plain CPython: the same sources, to time and check queries against."""

from __future__ import annotations

import ast
import time
from collections import defaultdict
from typing import Any

from memory.code import project_of
from memory.library.reference import load
from memory.models import MemoryUser, Record
from memory.project.bundle import Situation, StateSlice, query_feeds
from memory.project.parsing import parse_python
from memory.project.shipped import library


class Plain:
    """The objects of a person's records, and the names that a query sees."""

    def __init__(self, user: MemoryUser) -> None:
        project = project_of(user)
        sources: dict[str, list[str]] = defaultdict(list)
        rows = Record.objects.filter(user=user).order_by()
        for kind, _, source in sorted(rows.values_list("kind", "record_id", "source")):
            sources[project.kinds[kind].collection].append(source)
        state = StateSlice({name: sources[name] for name in project.collections})
        given = Situation(state, user.created_at.date(), {"drug_rows": load().select_all()})
        self.names: dict[str, Any] = {"__name__": "plain"}
        for feed in query_feeds(project, library(), given):
            self.names.update(feed.inputs)
            _execute(feed.code, self.names)

    def answer(self, code: str) -> tuple[Any, float]:
        """The value of a query's last line, and the seconds from its text to it."""
        names = dict(self.names)
        began = time.perf_counter()
        tree = parse_python(code)
        last = tree.body.pop()
        if not isinstance(last, ast.Expr):
            raise ValueError("the query ends with no expression")
        exec(compile(tree, "query", "exec", dont_inherit=True), names)  # noqa: S102  (ours)
        value = eval(compile(ast.Expression(last.value), "query", "eval"), names)  # noqa: S307
        return value, time.perf_counter() - began


def _execute(source: str, names: dict[str, Any]) -> None:
    exec(compile(source, "state", "exec", dont_inherit=True), names)  # noqa: S102  (rendered by us)
