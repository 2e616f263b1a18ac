"""Numbers in a text, and questions whose answer has to be reckoned. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

DIGITS = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
SMALL = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NAMED = {
    **{name: Decimal(number) for number, name in enumerate(SMALL.split(), start=2)},
    **{name: Decimal(10 * number) for number, name in enumerate(TENS.split(), start=2)},
    **{"twice": Decimal(2), "thrice": Decimal(3), "dozen": Decimal(12)},
    **{"hundred": Decimal(100), "thousand": Decimal(1_000), "million": Decimal(1_000_000)},
}
"""`one` is left out: it is a pronoun too, as `second` is a span of time."""
COUNTED = re.compile(
    r"how (?:many|often|frequently|much)|(?:the |what )number of|count (?:of|the|my|all)"
    r"|\btotal\b|altogether|in all\b|sum of|\baverage|\bmedian\b|percent|per cent|fraction"
    r"|proportion|share of",
    re.IGNORECASE,
)
RANKED = re.compile(
    r"most (?:often|frequent|frequently|common|commonly|money|time)|more often|least often"
    r"|(?<!like )(?<!love )(?<!enjoy )the most(?=\s*[?.(]|\s*$)|\b(?:longest|shortest|highest"
    r"|lowest|cheapest|earliest)\b|most expensive|increas|decreas|\btrend",
    re.IGNORECASE,
)


def numbers_in(text: str) -> frozenset[Decimal]:
    """Every number of a text, in digits or in words from two on; a date is its parts."""
    plain = text.casefold()
    found = {Decimal(one.replace(",", "")) for one in DIGITS.findall(plain)}
    for word in WORD.findall(plain):
        tens, _, ones = word.partition("-")
        if ones and tens in NAMED and (ones in NAMED or ones == "one"):
            found.add(NAMED[tens] + NAMED.get(ones, Decimal(1)))
        else:
            found |= {NAMED[part] for part in (tens, ones) if part in NAMED}
    return frozenset(found)


def foreign_numbers(text: str, known: Iterable[str]) -> list[str]:
    """The numbers of a text that stand in none of the others, smallest first."""
    there = frozenset().union(*map(numbers_in, known))
    return [f"{number.normalize():f}" for number in sorted(numbers_in(text) - there)]


def counts(question: str) -> bool:
    """Whether a question asks for a number that has to be counted or added up."""
    return bool(COUNTED.search(question))


def ranks(question: str) -> str:
    """The words by which a question asks to compare many things; empty where it does not."""
    found = RANKED.search(question)
    return found[0].casefold() if found else ""
