"""Everything a person decides an alert from, side by side."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse

from alerts.models import Alert, AlertEvent, EventKind, OverrideReason, Status, Watermark
from alerts.views.board import actor_name, owners_of
from memory.code import adopted_baseline, code_of
from memory.library.reference import load
from memory.library.uac.text import gap
from memory.log import FactEntry, facts_by_seq
from memory.models import MemoryUser
from memory.project.tree import Project
from memory.views.banner import Banner, banner_of
from memory.views.reference_words import row_words
from memory.views.values import cut, describe

QUOTES = 3
LONGEST_QUOTE = 600
CITED_PAGE = re.compile(r"(.*) \((https://\S+)\)")
HISTORY = 20


@dataclass(frozen=True)
class Quote:
    """A fact in its own words."""

    fact: FactEntry
    text: str

    @property
    def recorded_later(self) -> bool:
        """Whether it was recorded on a later day than it was true."""
        return self.fact.recorded_at - self.fact.occurred_at >= timedelta(days=1)


@dataclass(frozen=True)
class EvidenceCard:
    """A record of the evidence as it was, with the newest facts it rests on, in order."""

    words: str
    quotes: tuple[Quote, ...]
    earlier: int
    gap: str  # to the card before

    @property
    def first(self) -> FactEntry | None:
        """The fact that dates the card."""
        return self.quotes[0].fact if self.quotes else None


@dataclass(frozen=True)
class BasisRow:
    """A row of the reference tables in words."""

    row_id: str
    words: str
    known: bool


@dataclass(frozen=True)
class Basis:
    """Rows of the reference tables from one source."""

    title: str
    link: str
    rows: tuple[BasisRow, ...]


@dataclass(frozen=True)
class HistoryLine:
    """An event with who did it."""

    event: AlertEvent
    who: str


@dataclass(frozen=True)
class Panel:
    """An alert with all that its page shows."""

    alert: Alert
    banner: Banner
    cards: tuple[EvidenceCard, ...]
    basis: tuple[Basis, ...]
    history: tuple[HistoryLine, ...]
    rule_says: str
    rule_page: str
    rule_changed: bool
    tables_changed: bool
    mark: Watermark | None
    owner: str
    wrong_facts: tuple[FactEntry, ...]
    """Those of which one is wrong, as somebody said in overriding it."""
    template: str = "alerts/panel.html"

    @property
    def person(self) -> MemoryUser:
        """Whose alert it is."""
        return self.alert.user


def panel_of(alert: Alert) -> Panel:
    """Read what belongs to an alert: banner, facts, table rows, watermark and events."""
    code = code_of(alert.user)
    project, rule = code.project, code.project.rules.get(alert.rule)
    history, cards = _history(alert), cards_of(alert, code.project)
    return Panel(
        alert=alert,
        banner=banner_of(alert.user),
        cards=cards,
        basis=basis_of(alert.basis),
        history=history,
        rule_says=rule.doc.partition("\n")[0] if rule else "This rule is no longer in the code.",
        rule_page=_rule_page(alert, known=rule is not None, own=alert.rule in code.alone),
        rule_changed=alert.version != project.digest,
        tables_changed=alert.tables != load().digest,
        mark=Watermark.objects.filter(user=alert.user).first(),
        owner=owners_of([alert]).get(alert.pk, ""),
        wrong_facts=_wrong_facts(alert, history, cards),
    )


def _wrong_facts(
    alert: Alert, history: Sequence[HistoryLine], cards: Sequence[EvidenceCard]
) -> tuple[FactEntry, ...]:
    last = next((line.event for line in history if line.event.kind == EventKind.OVERRIDDEN), None)
    if alert.status != Status.OVERRIDDEN or last is None:
        return ()
    if last.reason != OverrideReason.WRONG_FACT:
        return ()
    facts = {quote.fact.seq: quote.fact for card in cards for quote in card.quotes}
    return tuple(facts[seq] for seq in sorted(facts))


def _rule_page(alert: Alert, *, known: bool, own: bool) -> str:
    """The address of the rule's page; empty where the rule is no longer in the code."""
    if not known:
        return ""
    if own or alert.rule not in adopted_baseline().rules:
        return reverse("person_rule", args=[alert.user_id, alert.rule])
    return reverse("rule", args=[alert.rule])


def cards_of(alert: Alert, project: Project) -> tuple[EvidenceCard, ...]:
    """The records of an alert's evidence, in the words of a project's kinds, the oldest first."""
    facts = facts_by_seq(alert.user, {seq for record in alert.evidence for seq in record["facts"]})
    dated = [(record, _facts_of(record, facts)) for record in alert.evidence]
    dated.sort(key=lambda pair: min((fact.occurred_at.timestamp() for fact in pair[1]), default=0))
    cards: list[EvidenceCard] = []
    for record, own in dated:
        before = cards[-1].first if cards else None
        shown = own[-QUOTES:]
        cards.append(
            EvidenceCard(
                words=_words(record, project),
                quotes=tuple(Quote(fact, cut(fact.text, LONGEST_QUOTE)) for fact in shown),
                earlier=len(own) - len(shown),
                gap=_gap(alert.user, before, shown[0]) if before and shown else "",
            )
        )
    return tuple(cards)


def _facts_of(record: Mapping[str, Any], facts: Mapping[int, FactEntry]) -> list[FactEntry]:
    own = [facts[seq] for seq in record["facts"] if seq in facts]
    return sorted(own, key=lambda fact: (fact.occurred_at, fact.seq))


def _gap(person: MemoryUser, first: FactEntry, second: FactEntry) -> str:
    days = [fact.occurred_at.astimezone(person.zone).date() for fact in (first, second)]
    return gap(*sorted(days)).removesuffix(" before")


def _words(record: Mapping[str, Any], project: Project) -> str:
    kind = project.kinds.get(record["kind"])
    if kind is None:
        return f"{record['kind']}: {record['id']}"
    return describe(kind, record["data"])


def basis_of(row_ids: Sequence[str]) -> tuple[Basis, ...]:
    """The rows by source, in the order in which the rule named them."""
    by_citation: dict[str, list[BasisRow]] = {}
    for row_id in row_ids:
        row = load().row(row_id)
        words = row_words(row) if row else row_id
        citation = row["citation"] if row else "no longer in the reference tables"
        by_citation.setdefault(citation, []).append(BasisRow(row_id, words, row is not None))
    return tuple(_cited(citation, rows) for citation, rows in by_citation.items())


def _cited(citation: str, rows: list[BasisRow]) -> Basis:
    found = CITED_PAGE.fullmatch(citation)
    title, link = found.groups() if found else (citation, "")
    return Basis(title, link, tuple(rows))


def _history(alert: Alert) -> tuple[HistoryLine, ...]:
    events = AlertEvent.objects.filter(alert=alert).select_related("actor", "app").order_by("-pk")
    return tuple(HistoryLine(event, actor_name(event)) for event in events[:HISTORY])
