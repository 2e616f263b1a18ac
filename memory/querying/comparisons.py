"""Comparisons that are never true, of which neither the type checker nor Python says a word.

`trip.departs_on == "2026-03-01"` compares a date with text: a count over it is a silent 0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from memory.project import schema
from memory.project.kinds import Kind
from memory.querying.names import fields_called, meant
from memory.querying.remarks import Remark, remark_at

EXAMPLES = {
    "date": "date(2026, 3, 1)",
    "datetime": "datetime(2026, 3, 1, 20, 14, tzinfo=timezone.utc)",
    "time": "time(20, 14)",
    "PartialDate": "PartialDate(2026, 3)",
    "DateSpan": "a DateSpan",
    "int": "a number",
    "float": "a number",
    "Decimal": 'Decimal("12.50")',
    "bool": "True or False",
    "str": "text in quotes",
}
EQUALITY = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
NUMBERS = ("int", "float", "Decimal", "bool")


def never_equal(code: str, tree: ast.Module, kinds: Iterable[Kind]) -> Iterator[Remark]:
    """A remark for each comparison of a field with a constant that no record can have there."""
    every = tuple(kinds)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from _of_comparison(code, node, every)


def _of_comparison(code: str, node: ast.Compare, kinds: tuple[Kind, ...]) -> Iterator[Remark]:
    if not isinstance(node.ops[0], EQUALITY):
        return
    sides = [(node.left, node.comparators[0])]
    if isinstance(node.ops[0], ast.Eq | ast.NotEq):
        sides.append((node.comparators[0], node.left))
    for side, other in sides:
        if isinstance(side, ast.Attribute):
            for constant in _constants(other, node.ops[0]):
                if detail := _why_never(side.attr, constant.value, kinds):
                    width = (constant.end_col_offset or 0) - constant.col_offset
                    yield remark_at(code, constant.lineno, constant.col_offset + 1, detail, width)


def _constants(node: ast.expr, op: ast.cmpop) -> list[ast.Constant]:
    if isinstance(op, ast.Eq | ast.NotEq):
        return [node] if isinstance(node, ast.Constant) else []
    items = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else []
    return [item for item in items if isinstance(item, ast.Constant)]


def _why_never(name: str, value: object, kinds: tuple[Kind, ...]) -> str:
    """Why no field of that name equals the value; empty where one may, or none is known."""
    found = fields_called(name, kinds)
    if not found or value is None or any(_may_equal(field.type, value) for _, field in found):
        return ""
    kind, field = found[0]
    inner = _inner(field.type)
    place = f"{kind.name}.{name}"
    if isinstance(inner, schema.Choice):
        texts = [str(one) for one in inner.values]
        return (
            f"{place} is never {value!r}: it is one of {', '.join(texts)}{meant(str(value), texts)}"
        )
    type_name = inner.name if isinstance(inner, schema.Scalar) else "str"
    remedy = f"{EXAMPLES[type_name]}"
    return f"{place} is never {value!r}: it is {_article(type_name)}; compare it with {remedy}"


def _article(type_name: str) -> str:
    return (
        "text" if type_name == "str" else f"{'an' if type_name[0] in 'aeiou' else 'a'} {type_name}"
    )


def _inner(type_: schema.Type) -> schema.Type:
    return _inner(type_.item) if isinstance(type_, schema.Optional) else type_


def _may_equal(type_: schema.Type, value: object) -> bool:
    match _inner(type_):
        case schema.Choice(values=values):
            return value in values
        case schema.Scalar(name="str") | schema.Reference():
            return isinstance(value, str)
        case schema.Scalar(name=name) if name in NUMBERS:
            return isinstance(value, int | float)
        case schema.Scalar():
            return False
    return True
