"""Quotes: each found again in its excerpt, and written into a query as data. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.answering.excerpts import Excerpt
from memory.answering.shape import Quote
from memory.checkpointer.reading.quotes import quote_problem, same_spaces

CLASS = '''from dataclasses import dataclass

@dataclass
class Quote:
    """Words that were said, on which day, by whom, and what they tell of."""

    item: str
    said_on: date
    speaker: str
    text: str

'''
NAME = "quotes"


@dataclass(frozen=True)
class Quoted:
    """Words with the excerpt that has them."""

    text: str
    item: str
    excerpt: Excerpt


def quoted(quotes: Sequence[Quote], excerpts: Mapping[int, Excerpt]) -> list[Quoted]:
    """The quotes with their excerpts. Raises WrongQuotes with what is wrong, a line each."""
    wrong: list[str] = []
    found: list[Quoted] = []
    for number, one in enumerate(quotes):
        excerpt = excerpts.get(one.excerpt)
        if excerpt is None:
            problem = f"there is no excerpt {one.excerpt}"
        else:
            problem = quote_problem(one.quote, excerpt.text)
            found.append(Quoted(same_spaces(one.quote), one.item.strip(), excerpt))
        if problem:
            wrong.append(f"quotes[{number}]: {problem}")
    if wrong:
        raise WrongQuotes("\n".join(wrong))
    return found


class WrongQuotes(ValueError):
    """Words that stand in no excerpt."""


def as_code(found: Sequence[Quoted]) -> str:
    """The quotes as the lines of Python that stand before a query over them; none are no lines."""
    if not found:
        return ""
    lines = "".join(f"    {_line(one)},\n" for one in found)
    return f"{CLASS}\n{NAME} = [\n{lines}]\n\n"


def _line(one: Quoted) -> str:
    day = one.excerpt.at.date()
    return (
        f"Quote(item={_text(one.item)}, said_on=date({day.year}, {day.month}, {day.day}),"
        f" speaker={_text(one.excerpt.speaker)}, text={_text(one.text)})"
    )


def _text(value: str) -> str:
    """A literal in which what cannot be seen is escaped, whatever a stranger wrote."""
    return repr(value)
