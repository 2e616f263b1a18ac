"""Find characters that make code look like something else than it is.

Four kinds: `bidi` (the order on the screen is not the order that runs), `invisible`, `control`
(among them line ends that many programs do not show) and `lookalike` (a letter that passes for
another). Text in another script, emoji and Greek units (`µg`, `TNFα`) are left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from memory.project.lines import split_lines

Danger = Literal["bidi", "invisible", "control", "lookalike"]

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and marks without a shape of their own that Unicode does not count as format characters.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
JOINERS = frozenset("\u200d\ufe0e\ufe0f")
SPACES = frozenset("\u2028\u2029\x85")
WORD = re.compile(r"[^\W_]+")
ORDINAL = re.compile(r"\d*[ªº]")  # as in "1ª" and "n.º"
LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl"})
SIGNS = frozenset({"So", "Sk", "Sm", "Po"})
# Letters drawn as Latin ones in common fonts, after Unicode's confusables (UTS 39).
LOOKS_LIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХаеорсухѕіјԁһӏԛԝ"  # Cyrillic
        "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονϲϳ"  # Greek
        "ՕՍոսօց",  # Armenian
        "ABESIJKMHOPCTYXaeopcyxsijdhlqwABEZHIKMNOPTYXovcjOUnuog",
        strict=True,
    )
)
WORDS = {
    "bidi": "changes the order in which text is shown; remove it",
    "invisible": "cannot be seen; remove it",
    "control": "is a control character; write it as an escape",
}


@dataclass(frozen=True)
class Suspicion:
    """One character: its line and column (both from 1), its code, and a sentence about it."""

    line: int
    column: int
    danger: Danger
    character: str
    detail: str

    @property
    def code(self) -> str:
        """Such as `U+202E`."""
        return code_of(self.character)


def code_of(character: str) -> str:
    """A character's number as Unicode writes it."""
    return f"U+{ord(character):04X}"


def suspicions(text: str) -> tuple[Suspicion, ...]:
    """Every suspicious character of a file, in order."""
    return tuple(
        found
        for number, line in enumerate(split_lines(text), 1)
        for found in suspicions_in_line(line, number)
    )


def suspicions_in_line(line: str, number: int) -> list[Suspicion]:
    """The suspicious characters of one line, its end included; a lone carriage return is one."""
    if line.isascii() and line.rstrip("\r\n").isprintable() and not line.endswith("\r"):
        return []
    found = [*_hidden(line, number), *_lookalikes(line, number)]
    return sorted(found, key=lambda one: one.column)


def _hidden(line: str, number: int) -> Iterator[Suspicion]:
    body = line.removesuffix("\n").removesuffix("\r") if line.endswith("\r\n") else line
    for place, character in enumerate(body.removesuffix("\n")):
        danger = _danger(character, body[max(place - 1, 0) : place], body[place + 1 : place + 2])
        if danger:
            detail = f"{code_of(character)} {_name(character)} {WORDS[danger]}"
            yield Suspicion(number, place + 1, danger, character, detail)


def _danger(character: str, before: str, after: str) -> Danger | None:
    if character in "\t " or (character.isascii() and character.isprintable()):
        return None
    if character in BIDI:
        return "bidi"
    if character in JOINERS and _joins_emoji(before, after):
        return None
    if character in BLANK or SELECTORS.match(character):
        return "invisible"
    category = unicodedata.category(character)
    if category in ("Cc", "Cs") or character in SPACES:
        return "control"
    return "invisible" if category in ("Cf", "Cn", "Co", "Zs") else None


def _joins_emoji(before: str, after: str) -> bool:
    """Whether a joiner or selector stands between signs, or makes a keycap of a digit."""
    if not before or before.isascii():
        return after == "\u20e3"
    return before in JOINERS or unicodedata.category(before) in SIGNS


def _lookalikes(line: str, number: int) -> Iterator[Suspicion]:
    foreign = bool(re.search(r"[^\W\d_]", "".join(c for c in line if _is_plainly_foreign(c))))
    for match in WORD.finditer(line):
        word = match.group()
        if ORDINAL.fullmatch(word):
            continue
        latin = any(_is_latin(letter) for letter in word)
        reads_as_latin = all(
            _is_latin(letter) or letter in LOOKS_LIKE or letter.isdigit() for letter in word
        )
        for place, letter in enumerate(word):
            other = _same_to_python(letter)
            if other or (reads_as_latin and letter in LOOKS_LIKE and (latin or not foreign)):
                shown = other or LOOKS_LIKE[letter]
                detail = (
                    f"{code_of(letter)} {_name(letter)} looks like {shown!r}; write that instead"
                )
                yield Suspicion(number, match.start() + place + 1, "lookalike", letter, detail)


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN ")


def _is_plainly_foreign(letter: str) -> bool:
    """A letter of another script that cannot be taken for a Latin one."""
    return letter.isalpha() and not _is_latin(letter) and letter not in LOOKS_LIKE


def _same_to_python(letter: str) -> str:
    """What Python reads instead in a name, if ASCII (full width, mathematical, ligatures)."""
    if letter.isascii() or unicodedata.category(letter) not in LETTERS:
        return ""
    folded = unicodedata.normalize("NFKC", letter)
    return folded if folded.isascii() and folded.isalnum() else ""


def _name(character: str) -> str:
    return unicodedata.name(character, "(without a name)")
