"""What asks for code, in words: the sentence, why it asks, and what it waits for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.checkpointer.model.config import model_config
from memory.found import found_in
from memory.log import FactEntry, facts_by_seq
from memory.models import MemoryUser, Need, NeedCause, NeedStatus, Stage
from memory.views.proposal_page import StatusTag
from memory.views.values import cut

LONGEST = 300
WAITS_FOR_MODEL = StatusTag("waits for a model", "unchecked", "?")
TAGS = {
    NeedStatus.OPEN: StatusTag("waits for a proposal", "unchecked", "◇"),
    NeedStatus.PROPOSED: StatusTag("waits for a decision", "info", "◇"),
    NeedStatus.MET: StatusTag("met", "good", "✓"),
    NeedStatus.DROPPED: StatusTag("its proposal was rejected", "plain", "×"),
    NeedStatus.FAILED: StatusTag("failed", "critical", "▲"),
}


@dataclass(frozen=True)
class NeedLine:
    """A need with the words it comes from; `about` is what its cause brings with it."""

    need: Need
    fact: FactEntry | None
    text: str
    quotes: tuple[str, ...]
    about: str
    tag: StatusTag


@dataclass(frozen=True)
class FactLine:
    """A fact with the words that were said."""

    fact: FactEntry
    text: str
    quotes: tuple[str, ...]


def need_lines(person: MemoryUser, needs: Iterable[Need]) -> list[NeedLine]:
    """These needs of a person, in the order given."""
    rows = list(needs)
    told = {line.fact.seq: line for line in fact_lines(person, [one.fact_seq for one in rows])}
    asked = bool(model_config().model_for(Stage.STRUCTURE))
    return [_line(one, told.get(one.fact_seq), asked) for one in rows]


def fact_lines(person: MemoryUser, seqs: Sequence[int]) -> list[FactLine]:
    """These facts of a person by their seq, each with the quotes that it was read from."""
    facts = facts_by_seq(person, seqs)
    found = found_in(person, facts.values())
    return [
        FactLine(fact, cut(fact.text, LONGEST), _quotes(fact, found.get(seq, ())))
        for seq, fact in facts.items()
    ]


def _quotes(fact: FactEntry, found: Iterable[object]) -> tuple[str, ...]:
    """What was said, where it is not the fact's sentence itself."""
    said = (str(one["quote"]) for one in found if isinstance(one, dict))
    return tuple(cut(quote, LONGEST) for quote in dict.fromkeys(said) if quote != fact.text)


def _line(need: Need, told: FactLine | None, asked: bool) -> NeedLine:
    waits = need.status == NeedStatus.OPEN and not asked
    return NeedLine(
        need=need,
        fact=told.fact if told else None,
        text=told.text if told else "",
        quotes=told.quotes if told else (),
        about=cut(_about(need), LONGEST),
        tag=WAITS_FOR_MODEL if waits else TAGS[NeedStatus(need.status)],
    )


def _about(need: Need) -> str:
    about = need.about
    match need.cause:
        case NeedCause.CONSTRAINT:
            return ", ".join(about["fields"])
        case NeedCause.NOTES:
            return f"{about['topic']}: {len(about['facts'])} notes"
        case NeedCause.CONCERN:
            return str(about["summary"])
        case NeedCause.COMMENT:
            return str(about["comment"])
    return ""
