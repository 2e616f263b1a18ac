"""What a rule's page shows: what it warns of and reads, its code, its history, its examples."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from alerts import access
from alerts.models import Alert, AlertQuerySet, Origin, Status
from alerts.views.rule_counts import RuleCounts, counts_by_rule
from memory.access import Somebody, may, memory_users
from memory.code import adopted_baseline, code_of
from memory.library.reference import load
from memory.models import Baseline, CodeVersion, MemoryUser
from memory.project.parsing import parse_python
from memory.project.review.highlight import Html, highlight_lines
from memory.project.tree import Project, Rule
from memory.querying.examples import written
from memory.rights import Right
from memory.views.reference_words import row_words

SHOWN_ALERTS = 20
CITING = 5_000  # the newest alerts in which cited rows are counted
SHOWN_ROWS = 60


@dataclass(frozen=True)
class FieldRead:
    """A field of a kind; `named` where the rule's code speaks of it."""

    name: str
    type: str
    named: bool


@dataclass(frozen=True)
class KindRead:
    """A collection that a rule reads, with the kind kept in it."""

    collection: str
    kind: str
    doc: str
    fields: tuple[FieldRead, ...]


@dataclass(frozen=True)
class CitedRow:
    """A row of the reference tables, and how many alerts cite it; empty words: it is gone."""

    row_id: str
    words: str
    times: int


@dataclass(frozen=True)
class Since:
    """From which version on the rule reads as it does, and when that came into force."""

    words: str
    at: datetime | None


@dataclass(frozen=True)
class Source:
    """A file with its lines as markup."""

    path: str
    lines: tuple[Html, ...]


@dataclass(frozen=True)
class Standing:
    """What a rule did to the people whom the reader may see, and what stands open."""

    people: int
    counts: RuleCounts
    open: tuple[Alert, ...]
    open_count: int
    cited: tuple[CitedRow, ...]
    cited_more: int


@dataclass(frozen=True)
class RulePage:
    """A rule with all that its page shows; `standing` is None for who may not see alerts."""

    rule: Rule
    project: Project
    person: MemoryUser | None
    own: bool
    reads: tuple[KindRead, ...]
    source: Source
    examples: Source | None
    since: Since
    standing: Standing | None

    @property
    def headline(self) -> str:
        """One sentence: what it warns of."""
        return self.rule.doc.partition("\n")[0] or "What it warns of is not written down."

    @property
    def about(self) -> str:
        """What else its author says of it, a line a paragraph."""
        paragraphs = self.rule.doc.partition("\n")[2].strip().split("\n\n")
        return "\n\n".join(" ".join(one.split()) for one in paragraphs)

    @property
    def reads_all(self) -> bool:
        """Whether it cannot be told what it reads, so that it runs on every change."""
        return self.rule.reads is None


def page_of(
    name: str, reader: Somebody, *, person: MemoryUser | None, now: datetime
) -> RulePage | None:
    """The page of a rule of the baseline, or of a person's own code; None if it is not there."""
    code = code_of(person) if person else None
    project = code.project if code else adopted_baseline()
    rule = project.rules.get(name)
    if rule is None:
        return None
    own = code is not None and name in code.alone
    return RulePage(
        rule=rule,
        project=project,
        person=person,
        own=own,
        reads=_reads(project, rule),
        source=_source(project, _path(name)),
        examples=_examples(project, name),
        since=_since(name, person if own else None),
        standing=_standing(name, reader, person, now),
    )


def _path(name: str) -> str:
    return f"rules/{name}.py"


def _source(project: Project, path: str) -> Source:
    return Source(path, tuple(highlight_lines(path, project.files[path])))


def _examples(project: Project, name: str) -> Source | None:
    path = f"tests/test_{name}.py"
    return _source(project, path) if path in project.files else None


def _reads(project: Project, rule: Rule) -> tuple[KindRead, ...]:
    tree = parse_python(rule.source)
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    asked = project.collections.keys() if rule.reads is None else rule.reads
    kinds = [project.collections[one] for one in sorted(asked) if one in project.collections]
    return tuple(
        KindRead(
            kind.collection,
            kind.full_name,
            kind.doc.partition("\n")[0],
            tuple(
                FieldRead(field.name, written(field.type), field.name in named)
                for field in kind.fields
            ),
        )
        for kind in kinds
    )


def _since(name: str, person: MemoryUser | None) -> Since:
    """The oldest version, without a break, that has the rule word for word as it is now."""
    if person is not None:
        versions = CodeVersion.objects.filter(user=person).order_by("-number")
        steps = versions.values_list("number", "approved_at", "tree__files")
        return _unbroken(name, "version", steps.iterator())
    baselines = Baseline.objects.order_by("-number")
    return _unbroken(
        name, "baseline", baselines.values_list("number", "adopted_at", "tree__files").iterator()
    )


def _unbroken(name: str, word: str, steps: Iterable[tuple[int, datetime, Any]]) -> Since:
    since = Since("the baseline that ships with the app", None)
    text = None
    for number, at, files in steps:
        text = text or files.get(_path(name))
        if files.get(_path(name)) != text:
            break
        since = Since(f"{word} {number}", at)
    return since


def _standing(
    name: str, reader: Somebody, person: MemoryUser | None, now: datetime
) -> Standing | None:
    if not may(reader, Right.ALERTS_READ):
        return None
    events, alerts = access.events(reader), access.alerts(reader).filter(rule=name)
    people = memory_users(reader, Right.ALERTS_READ)
    if person is not None:
        events, alerts = events.filter(user=person), alerts.filter(user=person)
        people = people.filter(pk=person.pk)
    counts = counts_by_rule(events.filter(alert__rule=name), now)
    cited = _cited(alerts)
    opened = alerts.filter(status=Status.OPEN)
    return Standing(
        people=people.count(),
        counts=counts.get(name, RuleCounts()),
        open=tuple(opened.select_related("user").worst_first()[:SHOWN_ALERTS]),
        open_count=opened.count(),
        cited=cited[:SHOWN_ROWS],
        cited_more=max(len(cited) - SHOWN_ROWS, 0),
    )


def _cited(alerts: AlertQuerySet) -> tuple[CitedRow, ...]:
    """The rows in the basis of a rule's alerts, those cited most often first."""
    newest = alerts.filter(origin=Origin.FINDING).order_by("-pk")
    bases = newest.values_list("basis", flat=True)[:CITING]
    times = Counter(row_id for basis in bases for row_id in set(basis))
    tables = load()
    ranked = sorted(times.items(), key=lambda one: (-one[1], one[0]))
    return tuple(
        CitedRow(row_id, row_words(row) if (row := tables.row(row_id)) else "", count)
        for row_id, count in ranked
    )
