"""Whether an answer may stand: what it quotes, counts and rests on. Pure.

A count that nobody said must come of a query; a query must be over records or quotes; no sentence
may hold a number of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memory.answering.days import days_in, foreign_days, of_date
from memory.answering.grounds import rests_on_any
from memory.answering.numbers import counts, foreign_numbers, numbers_in, ranks
from memory.answering.quoted import NAME, Quoted
from memory.answering.shape import VALUE, Written

RECKON = "what has to be counted, added up, dated or compared is for a query"


class Wrong(ValueError):
    """An answer that may not stand; the words say what to mend, and may go back to the model."""


def check_sentence(written: Written, question: str, found: Sequence[Quoted]) -> None:
    """A sentence is there, and its numbers are those of question and quotes. Raises Wrong."""
    if not written.sentence.strip():
        raise Wrong("sentence: it is empty; write the answer as a sentence")
    own = written.sentence.replace(VALUE, " ")
    texts = [question, *(one.text for one in found)]
    dates = [one.excerpt.at.date() for one in found]
    days = frozenset().union(*(days_in(text)[0] for text in texts), map(of_date, dates))
    years = {day.year for day in dates}
    foreign = foreign_days(own, days, years)
    foreign += foreign_numbers(days_in(own)[1], [*texts, *map(str, years)])
    if foreign:
        raise Wrong(
            f"sentence: {', '.join(foreign)} stands neither in the question nor in the quotes;"
            f" {RECKON}, and its sentence has {VALUE} in the place of the result"
        )


def check_text(written: Written, question: str, found: Sequence[Quoted]) -> None:
    """Words that rest on quotes and reckon nothing. Raises Wrong."""
    if written.code.strip():
        raise Wrong(
            'code: an answer with `how` "text" has none; leave it empty, or answer by query'
        )
    if VALUE in written.sentence:
        raise Wrong(f'sentence: only an answer with `how` "query" has {VALUE}')
    if not found:
        raise Wrong('quotes: an answer with `how` "text" rests on at least one quote')
    check_sentence(written, question, found)
    _check_not_reckoned(written, question, found)


def _check_not_reckoned(written: Written, question: str, found: Sequence[Quoted]) -> None:
    """Who asks for a count or a comparison is answered by text only where one person said it."""
    said = " ".join(one.text for one in found)
    alone = len({(one.excerpt.stream, one.excerpt.seq) for one in found}) == 1
    numbers, there = numbers_in(written.sentence), numbers_in(said)
    if counts(question) and not (alone and numbers - numbers_in(question) <= there):
        raise Wrong(f"how: the question asks for a number that nobody said in one piece; {RECKON}")
    if _asks_how_many(question) and not numbers & there:
        raise Wrong(f"sentence: the question asks how many, and no quote has a number; {RECKON}")
    if (words := ranks(question)) and not (alone and words in said.casefold()):
        raise Wrong(
            f'how: the question asks to compare ("{words}"), and nobody said that; {RECKON}'
        )


def _asks_how_many(question: str) -> bool:
    return "how many" in question.casefold()


def check_query(
    written: Written, question: str, found: Sequence[Quoted], collections: Collection[str]
) -> None:
    """A query over records or quotes, with a sentence for its value. Raises Wrong."""
    if not written.code.strip():
        raise Wrong('code: an answer with `how` "query" has a query')
    if VALUE not in written.sentence:
        raise Wrong(f"sentence: it must have {VALUE} where the value of the query belongs")
    check_sentence(written, question, found)
    sources = {*collections, *([NAME] if found else [])}
    try:
        rests = rests_on_any(written.code, sources)
    except (SyntaxError, ValueError, RecursionError):
        return  # the query's own check says where
    if not rests:
        raise Wrong(
            "code: its last line uses no collection"
            f" and no `{NAME}`, so that its value rests on nothing; reckon it from one of them"
        )
