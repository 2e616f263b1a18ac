"""WordPiece, as BERT's uncased models read a text: pieces of words from a fixed vocabulary.

Devlin et al. 2019 (arXiv 1810.04805). Text is cleaned of control characters, put in lower case
without accents, and split at spaces, punctuation and Chinese characters; of each word the longest
beginning that the vocabulary has is one piece, then of the rest, with ## before it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

UNKNOWN, BEGIN, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100
DROPPED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
CHINESE = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class WordPiece:
    """Turns texts into the numbers of their pieces; `pieces` is the vocabulary."""

    def __init__(self, pieces: Mapping[str, int], longest: int) -> None:
        self.pieces, self.longest = pieces, longest

    def numbers(self, text: str) -> list[int]:
        """The pieces between begin and end, at most `longest` in all."""
        found: list[int] = []
        for word in words_of(text):
            found += [self.pieces[piece] for piece in self._pieces(word)]
            if len(found) >= self.longest:
                break
        return [self.pieces[BEGIN], *found[: self.longest - 2], self.pieces[END]]

    def _pieces(self, word: str) -> Sequence[str]:
        if len(word) > LONGEST_WORD:
            return [UNKNOWN]
        found: list[str] = []
        rest = word
        while rest:
            before = "##" if found else ""
            end = next((n for n in range(len(rest), 0, -1) if before + rest[:n] in self.pieces), 0)
            if not end:
                return [UNKNOWN]
            found.append(before + rest[:end])
            rest = rest[end:]
        return found


def words_of(text: str) -> list[str]:
    """Words and single punctuation marks, in lower case without accents."""
    plain = unicodedata.normalize("NFD", "".join(_cleaned(text)))
    letters = "".join(one for one in plain if unicodedata.category(one) != "Mn").lower()
    return "".join(f" {one} " if _is_punctuation(one) else one for one in letters).split()


def _cleaned(text: str) -> Iterator[str]:
    for one in text:
        if one.isspace():
            yield " "
        elif one != "\ufffd" and unicodedata.category(one) not in DROPPED:
            chinese = any(low <= ord(one) <= high for low, high in CHINESE)
            yield f" {one} " if chinese else one


def _is_punctuation(one: str) -> bool:
    """Whatever is written in ASCII and is neither letter, digit nor space counts too."""
    return (one.isascii() and one.isprintable() and not one.isalnum() and one != " ") or (
        unicodedata.category(one).startswith("P")
    )
