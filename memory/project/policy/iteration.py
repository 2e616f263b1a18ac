"""What is lazy under CPython and a list in the sandbox, and sets, whose order differs.

A generator expression (and `map`, `filter`, `zip`, `enumerate`, `reversed`) is a list in the
sandbox. So it may stand only where it is read once, at once, from the first to the last item.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from memory.project.policy.available import words
from memory.project.policy.violation import Violation, at

LAZY_CALLS = words("map filter zip enumerate reversed")
READERS = words(
    "all any sum min max sorted list tuple set frozenset dict Counter deque"
    " mean median stdev variance quantile"
    " group_by count_by share_by sum_by mean_by most_common modes"
)
READING_METHODS = words(
    "join extend update union intersection difference issubset issuperset isdisjoint"
    " fsum prod chain Counter deque"
)
# Reading a set with these gives one answer whatever the order.
ORDERLESS = words("all any sum min max sorted set frozenset mean median quantile")
BY_KEY = words("min max sorted")
ORDERED_READERS = words("list tuple enumerate zip map filter iter reversed dict")
TEXT = words("str repr print")


def check_iteration(path: str, tree: ast.Module) -> Iterator[Violation]:
    """Lazy values kept or passed on, and sets read in order."""
    allowed = set(_read_at_once(tree))
    for node in ast.walk(tree):
        if _is_lazy(node) and id(node) not in allowed:
            what = "a generator expression" if isinstance(node, ast.GeneratorExp) else _name(node)
            yield at(path, node, f"{what} is a list here, not an iterator; write a list: [...]")
    yield from _Sets(path).check(tree)


def _name(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _is_lazy(node: ast.AST) -> bool:
    return isinstance(node, ast.GeneratorExp) or _name(node) in LAZY_CALLS


def _read_at_once(tree: ast.Module) -> Iterator[int]:
    """The ids of the nodes whose items are read once, in full, where they stand."""
    for node in ast.walk(tree):
        match node:
            case ast.For(iter=read) | ast.comprehension(iter=read):
                yield id(read)
            case ast.Starred(value=read):
                yield id(read)
            case ast.Call(func=ast.Name(id=name), args=arguments):
                if name in READERS | LAZY_CALLS:
                    yield from map(id, arguments)
            case ast.Call(func=ast.Attribute(attr=name), args=arguments):
                if name in READING_METHODS:
                    yield from map(id, arguments)


class _Sets:
    """Follows, scope by scope, which names hold sets."""

    def __init__(self, path: str) -> None:
        self.path = path

    def check(self, tree: ast.Module) -> Iterator[Violation]:
        scopes = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]
        for scope in scopes:
            nodes = list(own_nodes(scope))
            names = self._set_names(scope, nodes)
            for node in nodes:
                for read in self._ordered_reads(node):
                    if self._is_set(read, names):
                        reason = "a set has no order; read it with sorted(...)"
                        yield at(self.path, read, reason)

    def _set_names(self, scope: ast.AST, nodes: list[ast.AST]) -> set[str]:
        names: set[str] = set()
        if isinstance(scope, ast.FunctionDef):
            arguments = [*scope.args.args, *scope.args.kwonlyargs]
            names |= {one.arg for one in arguments if _annotates_set(one.annotation)}
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if self._is_set(value, names):
                        names.add(name)
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                    if _annotates_set(annotation):
                        names.add(name)
        return names

    def _is_set(self, node: ast.expr, names: set[str]) -> bool:
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name(id=name):
                return name in names
            case ast.Call(func=ast.Name(id="set" | "frozenset")):
                return True
            case ast.Call(func=ast.Attribute(value=value, attr=method)):
                return method in (
                    "union", "intersection", "difference", "symmetric_difference",
                ) and self._is_set(value, names)  # fmt: skip
            case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
                keys = isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute)
                return self._is_set(left, names) or (keys and _method(left) in ("keys", "items"))
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_set(body, names) or self._is_set(orelse, names)
        return False

    def _ordered_reads(self, node: ast.AST) -> Iterator[ast.expr]:
        """The expressions that a node reads in an order that shows."""
        match node:
            case ast.For(iter=read) | ast.Starred(value=read) | ast.FormattedValue(value=read):
                yield read
            case ast.ListComp(generators=parts) | ast.DictComp(generators=parts):
                for part in parts:
                    yield part.iter
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=options):
                # Equal keys leave items in the order in which they came.
                by_key = any(word.arg == "key" for word in options)
                if name in ORDERED_READERS | TEXT or (name in BY_KEY and by_key):
                    yield from arguments
            case ast.Call(func=ast.Attribute(attr="join" | "extend"), args=arguments):
                yield from arguments
            case ast.Call(func=ast.Attribute(attr="pop", value=value), args=[]):
                yield value
            case ast.Call(args=[ast.GeneratorExp(generators=parts)]) if not _orderless(node):
                for part in parts:
                    yield part.iter


def _orderless(call: ast.Call) -> bool:
    by_key = any(word.arg == "key" for word in call.keywords)
    return isinstance(call.func, ast.Name) and call.func.id in ORDERLESS and not by_key


def _method(node: ast.expr) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr
    return ""


def _annotates_set(annotation: ast.expr | None) -> bool:
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(base, ast.Name) and base.id in ("set", "frozenset")


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of the functions in it."""
    ahead = list(ast.iter_child_nodes(scope))
    while ahead:
        node = ahead.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef):
            ahead += ast.iter_child_nodes(node)
