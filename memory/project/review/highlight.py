"""Colour code as HTML, a line at a time, with nothing in it that a browser could act on.

The whole file is lexed, then split, so that a string over several lines keeps its colour; each
line's spans are balanced. The markup carries Pygments' short class names (`static/css/code.css`),
no styles. All text is escaped, and a character that hides or deceives is shown by its number.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import PurePosixPath

from pygments.lexer import Lexer
from pygments.lexers.configs import IniLexer, TOMLLexer
from pygments.lexers.data import JsonLexer
from pygments.lexers.markup import MarkdownLexer
from pygments.lexers.python import PythonLexer
from pygments.token import STANDARD_TYPES, Token, _TokenType

from memory.project.characters import Suspicion, code_of, suspicions_in_line
from memory.project.lines import split_lines
from memory.project.review.words import Spans

LEXERS: dict[str, type[Lexer]] = {
    ".py": PythonLexer,
    ".toml": TOMLLexer,
    ".json": JsonLexer,
    ".md": MarkdownLexer,
    ".ini": IniLexer,
}
LONGEST = 200_000  # characters; a longer file is shown without colours
Piece = tuple[str, str]  # CSS class or "", text
ENDS = {"\n": "", "\r\n": "ends with CR LF", "\r": "ends with a lone CR", "": "no line end"}


class Html(str):
    """Markup that is safe to put in a page as it is; templates see that by `__html__`."""

    __slots__ = ()

    def __html__(self) -> Html:
        return self


def highlight_lines(path: str, text: str) -> list[Html]:
    """The lines of a file as markup, without their ends."""
    lines = split_lines(text)
    return [
        mark_up(pieces, suspicions=suspicions_in_line(line, number))
        for number, (line, pieces) in enumerate(zip(lines, lex(path, lines), strict=True), 1)
    ]


def lex(
    path: str, lines: Sequence[str], *, only: Container[int] | None = None
) -> list[list[Piece]]:
    """Each line as pieces of one class each; together they are the line without its end.

    The whole text is lexed whatever is asked for; with `only` the lines whose place (from 0) is not
    in it come back empty.
    """
    bodies = [line.rstrip("\r\n") for line in lines]
    lexer = LEXERS.get(PurePosixPath(path).suffix)
    if lexer is None or sum(map(len, bodies)) > LONGEST:
        return [[("", body)] for body in bodies]
    # Every line end as one \n: a lexer that took a lone \r for text would colour code as comment.
    text = "\n".join(bodies)
    split: list[list[Piece]] = [[] for _ in bodies]
    number = 0
    seen = []
    for _, kind, value in lexer().get_tokens_unprocessed(text):
        seen.append(value)
        for step, part in enumerate(value.split("\n") if "\n" in value else (value,)):
            number += step > 0
            if part and (only is None or number in only):
                split[number].append((_css_class(kind), part))
    if "".join(seen) != text:  # never show less than what is there
        return [[("", body)] for body in bodies]
    return split


@cache
def _css_class(kind: _TokenType) -> str:
    while kind not in STANDARD_TYPES and kind is not Token:
        kind = kind.parent or Token
    return STANDARD_TYPES.get(kind, "")


def mark_up(
    pieces: Sequence[Piece], *, marks: Spans = (), suspicions: Sequence[Suspicion] = ()
) -> Html:
    """One line's markup: `<span class>` by piece, `<mark>` around changed words."""
    if not marks and not suspicions:
        return Html("".join(_span(css, escape(text)) for css, text in pieces))
    odd = {one.column - 1: one for one in suspicions}
    starts = {start for start, _ in marks}
    ends = {end for _, end in marks}
    out: list[str] = []
    place = 0
    marked = False
    for css, text in pieces:
        for part in _cut(text, place, starts | ends):
            if place in ends and marked:
                out.append("</mark>")
                marked = False
            if place in starts:
                out.append("<mark>")
                marked = True
            shown = _characters(part, place, odd) if odd else escape(part)
            out.append(_span(css, shown))
            place += len(part)
    if marked:
        out.append("</mark>")
    return Html("".join(out))


def _span(css: str, shown: str) -> str:
    return f'<span class="{css}">{shown}</span>' if css else shown


def _characters(text: str, place: int, odd: Mapping[int, Suspicion]) -> str:
    return "".join(_character(c, odd.get(place + step)) for step, c in enumerate(text))


def _cut(text: str, place: int, edges: set[int]) -> Iterator[str]:
    """The text in parts that end where a mark begins or ends."""
    cuts = sorted(edge - place for edge in edges if place < edge < place + len(text))
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        yield text[start:end]


def _character(character: str, suspicion: Suspicion | None) -> str:
    if suspicion is None:
        return escape(character)
    shown = character if suspicion.danger == "lookalike" else code_of(character)
    return f'<span class="odd" title="{escape(suspicion.detail)}">{escape(shown)}</span>'


def end_note(line: str) -> str:
    """What to say of a line's end where it is not the usual one."""
    return ENDS[line[len(line.rstrip("\r\n")) :]]
