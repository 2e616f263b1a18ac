"""The requests: each method of the clients as a value, described once for both. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote

from . import answers
from .inputs import Id, NewFact, NewMessage, When
from .model import Answer, Page

T = TypeVar("T", bound=Answer)
Severity = Literal["critical", "warning", "info"]
Order = Literal["asc", "desc"]


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and the model of its answer; what is None in query and body is not sent."""

    method: Literal["GET", "POST"]
    path: str
    answer: type[T]
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    idempotency_key: str | None = None


def key() -> Call[answers.Key]:
    """What your key may do."""
    return Call("GET", "key", answers.Key)


def create_or_get_user(
    external_id: str, *, display_name: str = "", timezone: str = "UTC"
) -> Call[answers.User]:
    """Create a person, or get the one you called by this id before."""
    body = {"external_id": external_id, "display_name": display_name, "timezone": timezone}
    return Call("POST", "users", answers.User, body=body)


def find_user(external_id: str) -> Call[answers.User]:
    """Find a person by your own id."""
    return Call("GET", "users", answers.User, {"external_id": external_id})


def user(user_id: Id) -> Call[answers.User]:
    """A person and the head of their log."""
    return Call("GET", _path(user_id), answers.User)


def remember(
    user_id: Id, facts: Sequence[NewFact], *, idempotency_key: str | None = None
) -> Call[answers.Appended]:
    """Record facts, all or none; the answer has the alerts they raised."""
    body = {"facts": list(facts)}
    return Call("POST", _path(user_id, "facts"), answers.Appended, {}, body, idempotency_key)


def say(
    user_id: Id,
    messages: Sequence[NewMessage],
    *,
    session: str = "",
    idempotency_key: str | None = None,
) -> Call[answers.AppendedMessages]:
    """Keep turns of a conversation, verbatim."""
    body = {"messages": list(messages), "session": session}
    where = _path(user_id, "messages")
    return Call("POST", where, answers.AppendedMessages, {}, body, idempotency_key)


def facts(
    user_id: Id,
    *,
    kind: str | None = None,
    source: str | None = None,
    session: str | None = None,
    order: Order | None = None,
    limit: int | None = None,
) -> Call[Page[answers.Fact]]:
    """The facts of a person, newest first unless told."""
    query = {"kind": kind, "source": source, "session": session, "order": order, "limit": limit}
    return Call("GET", _path(user_id, "facts"), Page[answers.Fact], query)


def messages(
    user_id: Id,
    *,
    session: str | None = None,
    order: Order | None = None,
    limit: int | None = None,
) -> Call[Page[answers.Message]]:
    """The messages of a person, newest first unless told."""
    query = {"session": session, "order": order, "limit": limit}
    return Call("GET", _path(user_id, "messages"), Page[answers.Message], query)


def state(user_id: Id, *, as_of: When | None = None) -> Call[answers.State]:
    """What kinds of things are known, with counts."""
    return Call("GET", _path(user_id, "state"), answers.State, {"as_of": as_of})


def records(
    user_id: Id, kind: str, *, as_of: When | None = None, limit: int | None = None
) -> Call[Page[answers.Record]]:
    """The records of one kind, in order of their ids."""
    query = {"as_of": as_of, "limit": limit}
    return Call("GET", _path(user_id, "state", kind), Page[answers.Record], query)


def search(
    user_id: Id,
    q: str,
    *,
    among: Literal["facts", "messages"] | None = None,
    kind: str | None = None,
    domain: str | None = None,
    session: str | None = None,
    source: str | None = None,
    as_of: When | None = None,
    limit: int | None = None,
) -> Call[answers.Found]:
    """Find facts and messages by what they say, the best first."""
    query = {
        "q": q, "in": among, "kind": kind, "domain": domain, "session": session,
        "source": source, "as_of": as_of, "limit": limit,
    }  # fmt: skip
    return Call("GET", _path(user_id, "search"), answers.Found, query)


def context(user_id: Id, q: str = "", *, max_tokens: int | None = None) -> Call[answers.Context]:
    """What to put in a prompt, within a bound of tokens."""
    query = {"q": q, "max_tokens": max_tokens}
    return Call("GET", _path(user_id, "context"), answers.Context, query)


def query(user_id: Id, code: str, *, as_of: When | None = None) -> Call[answers.QueryAnswer]:
    """Answer a question in Python over the person's records."""
    body = {"code": code, "as_of": as_of}
    return Call("POST", _path(user_id, "query"), answers.QueryAnswer, body=body)


def ask(user_id: Id, question: str) -> Call[answers.Answered]:
    """Answer a question in words; the site needs a model."""
    return Call("POST", _path(user_id, "ask"), answers.Answered, body={"question": question})


def alerts(
    user_id: Id,
    *,
    status: str | None = None,
    severity: Severity | None = None,
    origin: str | None = None,
    order: Order | None = None,
    limit: int | None = None,
) -> Call[Page[answers.Alert]]:
    """The person's alerts, newest first unless told."""
    query = {
        "status": status, "severity": severity, "origin": origin, "order": order, "limit": limit
    }  # fmt: skip
    return Call("GET", _path(user_id, "alerts"), Page[answers.Alert], query)


def alerts_then(
    user_id: Id,
    as_of: When,
    *,
    rules: Literal["then", "now"] | None = None,
    severity: Severity | None = None,
) -> Call[answers.AlertsThen]:
    """What would have fired at an earlier moment, the gravest first."""
    query = {"as_of": as_of, "rules": rules, "severity": severity}
    return Call("GET", _path(user_id, "alerts"), answers.AlertsThen, query)


def plain(value: Any) -> Any:
    """A value as JSON has it: moments as text, what is None left out of mappings."""
    match value:
        case datetime():
            if value.tzinfo is None:
                raise ValueError("a moment needs its time zone")
            return value.isoformat()
        case Mapping():
            return {name: plain(one) for name, one in value.items() if one is not None}
        case list() | tuple():
            return [plain(one) for one in value]
    return value


def _path(user_id: Id, *parts: str) -> str:
    return "/".join(quote(part, safe="") for part in ("users", str(user_id), *parts))
