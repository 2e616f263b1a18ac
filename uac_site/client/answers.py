"""What the API answers, as frozen models; fields that a newer site adds are passed over."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

from .model import Answer, Page


class Key(Answer):
    id: UUID
    app: str
    scopes: list[str]
    reach: Literal["all", "listed", "own"]
    requests_per_minute: int
    expires_at: datetime


class Head(Answer):
    """Where a person's log ends."""

    seq: int
    hash: str


class User(Answer):
    user_id: UUID
    external_id: str
    display_name: str
    timezone: str
    head: Head


class Placed(Answer):
    """A reading as stored, and what it did to its record."""

    seq: int
    kind: str
    op: str
    id: str
    effect: str


class AppendedFact(Answer):
    seq: int
    hash: str
    readings: list[Placed]


class Evaluation(Answer):
    status: Literal["done", "queued"]
    through_seq: int


class AlertBrief(Answer):
    id: int
    severity: Literal["critical", "warning", "info"]
    status: str
    summary: str
    rule: str


class AlertsChanged(Answer):
    opened: list[AlertBrief]
    changed: list[AlertBrief]
    cleared: list[AlertBrief]


class Appended(Answer):
    """What facts did; `alerts` is None for a key without the scope `alerts:read`."""

    user_id: UUID
    facts: list[AppendedFact]
    head: Head
    evaluation: Evaluation
    alerts: AlertsChanged | None


class AppendedMessages(Answer):
    user_id: UUID
    first_seq: int
    last_seq: int


class Reading(Answer):
    seq: int
    kind: str
    op: str
    id: str
    data: dict[str, Any]
    origin: str


class Fact(Answer):
    """A fact as it stands in the log."""

    seq: int
    text: str
    occurred_at: datetime
    recorded_at: datetime
    source: str
    session: str
    message: int | None
    metadata: dict[str, Any]
    corrects: int | None
    hash: str
    readings: list[Reading]


class Message(Answer):
    seq: int
    role: str
    content: str
    said_at: datetime
    recorded_at: datetime
    session: str
    metadata: dict[str, Any]
    hash: str


class Known(Answer):
    """What an answer about an earlier moment holds for."""

    moment: datetime
    fact_seq: int
    reading_seq: int
    version: str
    today: date


class Kind(Answer):
    kind: str
    collection: str
    key: list[str]
    doc: str
    count: int


class Waiting(Answer):
    kind: str
    reason: str
    count: int


class State(Answer):
    user_id: UUID
    head: Head
    kinds: list[Kind]
    waiting: list[Waiting]
    as_of: Known | None


class Record(Answer):
    id: str
    data: dict[str, Any]
    facts: list[int]


class Snippet(Answer):
    text: str
    highlights: list[tuple[int, int]]


class Hit(Answer):
    """A fact or a message that was found."""

    stream: Literal["fact", "message"]
    seq: int
    score: float
    snippet: Snippet
    occurred_at: datetime
    recorded_at: datetime
    session: str
    corrected_by: int | None


class Found(Page[Hit]):
    terms: list[str]
    ignored: list[str]
    mode: str


class ContextLine(Answer):
    section: str
    text: str
    cut: bool
    alert: int | None
    domain: str | None
    kind: str | None
    id: str | None
    facts: list[int]
    message: int | None


class ContextSection(Answer):
    name: str
    shown: int
    of: int
    tokens: int
    order: str
    left_out: str


class Context(Answer):
    """A text for a prompt, and where each line is from."""

    text: str
    tokens: int
    max_tokens: int
    lines: list[ContextLine]
    sections: list[ContextSection]
    seq: int
    version: str
    today: date


class QueryAnswer(Answer):
    value: Any
    type: str
    printed: str
    collections: list[str]
    seq: int
    reading_seq: int
    version: str
    today: date


class Quote(Answer):
    quote: str
    fact: int | None
    message: int | None
    speaker: str


class Answered(Answer):
    """An answer to a question in words, or that it is not known."""

    known: bool
    how: Literal["query", "text", "unknown"]
    answer: str
    code: str | None
    value: Any
    facts: list[int]
    quotes: list[Quote]
    why: str
    seq: int


class Evidence(Answer):
    kind: str
    id: str
    data: dict[str, Any]
    facts: list[int]


class Alert(Answer):
    id: int
    rule: str
    origin: str
    severity: Literal["critical", "warning", "info"]
    status: str
    summary: str
    detail: str
    grade: str
    action: str
    due: date | None
    time_left: str
    basis: list[str]
    unknown: list[str]
    evidence: list[Evidence]
    first_opened_at: datetime
    changed_at: datetime
    owner: str | None


class Fired(Answer):
    """What a rule says of an earlier moment; `alert` had been raised for it by then."""

    rule: str
    origin: str
    severity: Literal["critical", "warning", "info"]
    summary: str
    detail: str
    action: str
    due: date | None
    evidence: list[Evidence]
    alert: int | None


class AlertsThen(Answer):
    as_of: Known
    rules: Literal["then", "now"]
    version: str
    tables: str
    items: list[Fired]
