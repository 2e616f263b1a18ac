"""What a reader does not see, or sees as something else: characters, names, lines, instructions."""

from __future__ import annotations

import ast
import re
import tokenize
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import groupby

from memory.project.characters import LOOKS_LIKE, suspicions
from memory.project.lines import split_lines
from memory.project.review.doubt import Doubt, parsed, quoted
from memory.project.review.tree import FileChange

LONG_LINE = 300  # characters; nobody reads on
NAMED = 3  # characters of a line that are described one by one
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
LETTERS = str.maketrans({**LOOKS_LIKE})
READS_AS = str.maketrans({**LOOKS_LIKE, "0": "O", "1": "l", "I": "l", "|": "l"})
# Words to somebody who decides or to a model, which code has no reason to say.
INSTRUCTION = re.compile(
    r"""
    \b(ignore|disregard|forget|override|bypass)\b.{0,40}
        \b(instruction|prompt|guideline|polic(y|ies)|check|warning|previous|above)s?\b
    | \b(system|developer)\ (prompt|message)\b
    | \byou\ are\ (now\ )?(an?|the)\b.{0,30}\b(ai|assistant|model|agent|reviewer|admin)
    | \bas\ an?\ (ai|language\ model|assistant)\b
    | \b(ai|llm|language\ model|assistant|reviewer|approver)s?\b[,:]?\ (please|must|should|may|do)\b
    | \b(dear|note\ to|attention|hey)\ (the\ )?(ai|llm|model|assistant|reviewer|approver)
    | \b(please|just|always)\ (approve|accept|merge|tick|confirm)\b
    | \b(approve|merge|tick)\ ((the|this)\ (code|change|proposal|rule|version)|this|it|all)\b
    | \b(safe|ok|okay|fine)\ to\ (approve|accept|merge|skip)\b
    | \b(already|been|pre-?)\ ?(reviewed|approved|vetted)\b
    | \bno\ (need|reason)\ to\ (review|check|read|look|test)\b
    | \b(do\ not|don't|never)\ (review|flag|mention|tell|reveal|question)\b
    | <\|?/?(im_start|im_end|system|assistant|endoftext)\|?> | \[/?inst\]
    | ^(system|assistant|human)\ ?:
    """,
    re.VERBOSE,
)


def odd_characters(change: FileChange) -> Iterator[Doubt]:
    """Every line of the new text that has characters which hide or deceive, changed or not."""
    lines: dict[int, list[str]] = defaultdict(list)
    for one in suspicions(change.new):
        lines[one.line].append(one.detail)
    for line, found in lines.items():
        more = f"; and {len(found) - NAMED} more" if len(found) > NAMED else ""
        yield Doubt("characters", change.path, line, "; ".join(found[:NAMED]) + more)


def long_lines(change: FileChange) -> Iterator[Doubt]:
    """New lines that are longer than anybody reads."""
    before = set(split_lines(change.old))
    for number, line in enumerate(split_lines(change.new), 1):
        if len(line) > LONG_LINE and line not in before:
            words = f"a line of {len(line):,} characters; look at its end too"
            yield Doubt("long line", change.path, number, words)


def instructions(change: FileChange) -> Iterator[Doubt]:
    """New strings and comments that speak to a reviewer or to a model."""
    before = {plain(text) for _, text in sayings(change.old)}
    for line, text in sayings(change.new):
        found = None if plain(text) in before else INSTRUCTION.search(plain(text))
        if found:
            words = f"reads like an instruction: {quoted(plain(text)[found.start() :])}"
            yield Doubt("instructions", change.path, line, words)


def sayings(source: str) -> Iterator[tuple[int, str]]:
    """The strings and comments of a file with the line on which each begins.

    Strings that are written together are one, and so are comments on lines that follow each other.
    What is not Python is taken line by line.
    """
    tree = parsed(source)
    if tree is None:
        yield from enumerate(split_lines(source), 1)
        return
    inside: set[int] = set()
    for node in ast.walk(tree):
        text = _literal(node) if id(node) not in inside else None
        if text:
            inside |= {id(part) for part in ast.walk(node)}
            yield getattr(node, "lineno", 1), text
    yield from _comments(source)


def _literal(node: ast.AST) -> str | None:
    """The text of a string, of an f-string without its values, or of such added together."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_literal(part) or " " for part in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _literal(left), _literal(right)
            return None if first is None and second is None else f"{first or ' '}{second or ' '}"
    return None


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments, those on lines that follow each other as one."""
    lines = iter([line.rstrip("\r\n") + "\n" for line in split_lines(source)])
    tokens = tokenize.generate_tokens(lambda: next(lines, ""))
    found = [(one.start[0], one.string) for one in tokens if one.type == tokenize.COMMENT]
    for _, run in groupby(enumerate(found), key=lambda item: item[1][0] - item[0]):
        block = [comment for _, comment in run]
        yield block[0][0], " ".join(text.lstrip("#").strip() for _, text in block)


def plain(text: str) -> str:
    """How a text reads: nothing invisible in it, every look-alike as what it looks like."""
    seen = unicodedata.normalize("NFKC", INVISIBLE.sub("", text))
    return " ".join(seen.translate(LETTERS).casefold().split())


def alike_names(
    changes: tuple[FileChange, ...], old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[Doubt]:
    """New names that read like another name of the project."""
    known = {name for text in old.values() for name, _ in names_in(text)}
    read: dict[str, set[str]] = defaultdict(set)
    for name in known.union(*({name for name, _ in names_in(text)} for text in new.values())):
        read[_skeleton(name)].add(name)
    for change in changes:
        told = set(known)
        for name, line in names_in(change.new):
            others = sorted(read[_skeleton(name)] - {name})
            if others and name not in told:
                told.add(name)
                words = f"the name {name!r} looks like {' and '.join(map(repr, others[:NAMED]))}"
                yield Doubt("names", change.path, line, words)


@lru_cache(maxsize=1_024)
def names_in(source: str) -> tuple[tuple[str, int], ...]:
    """The names that a file uses or makes, in order, each with its line."""
    tree = parsed(source)
    return () if tree is None else tuple(sorted(_names(tree), key=lambda one: (one[1], one[0])))


def _names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node.lineno
            case ast.keyword(arg=str(name)):
                yield name, node.value.lineno
            case ast.alias(name=name, asname=other):
                yield other or name.rpartition(".")[2], node.lineno


def _skeleton(name: str) -> str:
    """What a name reads as, after the skeletons of UTS 39, with digits that pass for letters."""
    seen = unicodedata.normalize("NFKC", INVISIBLE.sub("", name)).translate(READS_AS)
    return re.sub("_+", "_", seen.replace("rn", "m").replace("vv", "w"))
