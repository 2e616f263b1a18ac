"""What makes rules say less: severities lowered, conditions added, limits moved, rules gone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from memory.project.review.doubt import Doubt, parsed, quoted
from memory.project.review.tree import FileChange
from memory.project.tree import parse_rule

LEVELS = ("critical", "warning", "info")
MEASURES = frozenset({"date", "datetime", "time", "timedelta", "Decimal"})
MEASURE = re.compile(r"[-+]?\d[\d.,_]*|\d{4}-\d\d(-\d\d.*)?")
Place = tuple[str, int]  # code, line


def weakened(change: FileChange) -> Iterator[Doubt]:
    """What a change of one rule takes away from it."""
    if change.status == "removed":
        yield Doubt("rule", change.path, 1, "the rule is removed", gone=True)
        return
    before, after = parsed(change.old), parsed(change.new)
    if change.status == "added" or before is None or after is None:
        return
    found = [
        *_severities(change.path, before, after),
        *_collections(change),
        *_conditions(change.path, before, after),
        *_limits(change.path, before, after),
    ]
    yield from found
    gone, come = _differ(_statements(before), _statements(after))
    if not found and (gone or come):
        words = "its code is another; whether it says less, no code can tell"
        yield Doubt("rule", change.path, come[0][1] if come else 1, words)


def _statements(tree: ast.Module) -> list[Place]:
    """What the file does, without its docstring."""
    start = ast.get_docstring(tree) is not None
    return [(ast.unparse(node), node.lineno) for node in tree.body[start:]]


def _severities(path: str, before: ast.Module, after: ast.Module) -> Iterator[Doubt]:
    old, new = _levels(before), _levels(after)
    for depth in range(1, len(LEVELS)):
        high = LEVELS[:depth]
        was, now = (sum(level in high for level, _ in found) for found in (old, new))
        if now < was:
            places = "1 place" if was == 1 else f"{was} places"
            words = f"{' or '.join(high)} was said in {places} and is in {now}"
            yield Doubt("severity", path, _first(new, old), f"severity lowered: {words}")
            return
    gone, come = _differ(_said_of_severity(before), _said_of_severity(after))
    for code, _ in gone:
        line = come[0][1] if come else 1
        words = f"severity is worked out in another way: it was {quoted(code)}"
        yield Doubt("severity", path, line, words)


def _levels(tree: ast.Module) -> list[Place]:
    return [
        (node.value, node.lineno)
        for node in _nodes(tree)
        if isinstance(node, ast.Constant) and node.value in LEVELS
    ]


def _said_of_severity(tree: ast.Module) -> list[Place]:
    """What alerts are given as severity, and the functions that are named after it."""
    found = []
    for node in _nodes(tree):
        match node:
            case ast.keyword(arg="severity", value=value):
                found.append((ast.unparse(value), value.lineno))
            case ast.FunctionDef(name=name) if "severity" in name.casefold():
                found.append((ast.unparse(node), node.lineno))
    return found


def _collections(change: FileChange) -> Iterator[Doubt]:
    old, new = (parse_rule("", text).reads for text in (change.old, change.new))
    if new is None:
        return
    if old is None:
        yield Doubt("rule", change.path, 1, "it read every collection and does not any more")
        return
    for name in sorted(old - new):
        yield Doubt("rule", change.path, 1, f"it does not read {name} any more")


def _conditions(path: str, before: ast.Module, after: ast.Module) -> Iterator[Doubt]:
    """Conditions that are new or another, and alerts that are raised in fewer places."""
    was, now = (sum(map(_is_alert, _nodes(tree))) for tree in (before, after))
    if now < was:
        yield Doubt("rule", path, 1, f"it raised alerts in {was} places and does in {now}")
    lost = _calls(before) - _calls(after)
    for name in sorted(lost):
        yield Doubt("rule", path, 1, f"it does not call {name} any more")
    gone, come = _differ(_filters(before), _filters(after))
    for code, line in come:
        yield Doubt("rule", path, line, f"a condition is new or changed: {quoted(code)}")
    if not come and len(_ways_out(after)) > len(_ways_out(before)):
        _, ways = _differ(_ways_out(before), _ways_out(after))
        words = "it leaves off in another place"
        yield Doubt("rule", path, ways[0][1] if ways else 1, words)
    for code, line in gone if not come else ():
        yield Doubt("rule", path, line, f"a condition is gone: {quoted(code)}", gone=True)


def _is_alert(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Alert"
    )


def _calls(tree: ast.Module) -> set[str]:
    calls = (node.func for node in _nodes(tree) if isinstance(node, ast.Call))
    return {called.id for called in calls if isinstance(called, ast.Name)} - MEASURES


def _filters(tree: ast.Module) -> list[Place]:
    """What must hold, each part of an `and` by itself, and what is gone through."""
    found: list[ast.expr] = []
    for node in _nodes(tree):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                found += _parts(test)
            case ast.comprehension(iter=source, ifs=tests):
                found += [source, *(part for test in tests for part in _parts(test))]
            case ast.For(iter=source):
                found.append(source)
            case ast.Return(value=ast.BoolOp() | ast.Compare() | ast.List(elts=[]) as value):
                found += _parts(value)
            case ast.Return(value=ast.Subscript() as value):
                found.append(value)
    return [(ast.unparse(one), one.lineno) for one in found]


def _parts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in _parts(value)]
    return [test]


def _ways_out(tree: ast.Module) -> list[Place]:
    kinds = ast.Return | ast.Continue | ast.Break
    return [(ast.unparse(node), node.lineno) for node in _nodes(tree) if isinstance(node, kinds)]


def _limits(path: str, before: ast.Module, after: ast.Module) -> Iterator[Doubt]:
    """Numbers and dates that are others: by the name they are given, else by where they stand."""
    old, new = _named(before), _named(after)
    for name, (was, line) in old.items():
        now, place = new.get(name, ("", 0))
        if not now:
            yield Doubt("limit", path, line, f"{name} is gone; it was {quoted(was)}", gone=True)
        elif was != now:
            yield Doubt("limit", path, place, f"{name} was {quoted(was)} and is {quoted(now)}")
    gone, come = _differ(_measures(before), _measures(after))
    for one, other in zip_longest(gone, come[: len(gone)]):
        if other is None:
            yield Doubt("limit", path, one[1], f"the limit {quoted(one[0])} is gone", gone=True)
        else:
            words = f"the limit {quoted(one[0])} is gone; new is {quoted(other[0])}"
            yield Doubt("limit", path, other[1], words)


def _named(tree: ast.Module) -> dict[str, Place]:
    """What the file itself names, where there are numbers or dates in it."""
    found = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if list(_measures_in(value)):
            found[name] = (ast.unparse(value), node.lineno)
    return found


def _measures(tree: ast.Module) -> list[Place]:
    """The numbers and dates that have no name of their own."""
    bodies = [node for node in tree.body if not isinstance(node, ast.Assign | ast.AnnAssign)]
    return [one for node in bodies for one in _measures_in(node)]


def _measures_in(node: ast.AST) -> Iterator[Place]:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in MEASURES:
            yield ast.unparse(node), node.lineno
            return
        case ast.Constant(value=bool()):
            return
        case ast.Constant(value=int() | float() as value):
            yield repr(value), node.lineno
        case ast.Constant(value=str(value)) if MEASURE.fullmatch(value):
            yield repr(value), node.lineno
    for child in ast.iter_child_nodes(node):
        yield from _measures_in(child)


def _nodes(tree: ast.Module) -> list[ast.AST]:
    return list(ast.walk(tree))


def _differ(old: Sequence[Place], new: Sequence[Place]) -> tuple[list[Place], list[Place]]:
    """What only the one and only the other has, however often, in order of the lines."""
    return _without(old, new), _without(new, old)


def _without(these: Sequence[Place], those: Sequence[Place]) -> list[Place]:
    left = Counter(code for code, _ in those)
    found = []
    for code, line in sorted(these, key=lambda one: one[1]):
        if left[code]:
            left[code] -= 1
        else:
            found.append((code, line))
    return found


def _first(new: Sequence[Place], old: Sequence[Place]) -> int:
    """The first line that is not as it was, else the first of all."""
    come = _without(new, old)
    return (come or list(new) or [("", 1)])[0][1]
