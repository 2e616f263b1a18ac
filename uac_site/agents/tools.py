"""The tools: what each takes and answers, its scope, and the resource of the API behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal
from uuid import UUID

import pydantic
from mcp import types
from pydantic import Field

from alerts.api.alerts import AlertsAnswer
from alerts.api.context import MOST, USUAL, ContextOut
from memory.answering.shape import LONGEST_QUESTION
from memory.api.as_of import ABOUT
from memory.api.ask import AskOut
from memory.api.fact_shapes import AppendedOut, FactIn
from memory.api.fields import MAX_BATCH, MAX_PAGE, Strict
from memory.api.query import QueryOut
from memory.api.search_shapes import SearchOut
from memory.rights import Right
from uac_site.agents.calls import Ask, path

Person = Annotated[UUID, Field(description="The person's id, `user_id` in the API.")]
AsOf = Annotated[str | None, Field(description=ABOUT)]
Limit = Annotated[int | None, Field(ge=1, le=MAX_PAGE)]
Cursor = Annotated[str | None, Field(description="As the end of `next` has it.")]


class Remember(Strict):
    """What `remember` takes."""

    user_id: Person
    facts: Annotated[list[FactIn], Field(min_length=1, max_length=MAX_BATCH)]
    idempotency_key: Annotated[
        str | None,
        Field(max_length=200, description="Sent again with the same, it has the effect of one."),
    ] = None


class Search(Strict):
    """What `search` takes."""

    user_id: Person
    q: str
    among: Annotated[
        Literal["facts", "messages"] | None, Field(description="Both unless told.")
    ] = None
    kind: str | None = None
    domain: str | None = None
    session: str | None = None
    source: str | None = None
    as_of: AsOf = None
    limit: Limit = None
    cursor: Cursor = None


class GetContext(Strict):
    """What `context` takes."""

    user_id: Person
    q: Annotated[str | None, Field(description="What it is about, such as the last message.")] = (
        None
    )
    max_tokens: Annotated[int, Field(ge=50, le=MOST)] = USUAL


class Query(Strict):
    """What `query` takes."""

    user_id: Person
    code: Annotated[
        str, Field(description="Python over the collections; the last line is the answer.")
    ]
    as_of: Annotated[int | str | None, Field(description=ABOUT)] = None


class AskQuestion(Strict):
    """What `ask` takes."""

    user_id: Person
    question: Annotated[str, Field(max_length=LONGEST_QUESTION)]


class ListAlerts(Strict):
    """What `alerts` takes."""

    user_id: Person
    status: str | None = None
    severity: Literal["critical", "warning", "info"] | None = None
    as_of: AsOf = None
    rules: Annotated[Literal["then", "now"] | None, Field(description="Whose, beside `as_of`.")] = (
        None
    )
    limit: Limit = None
    cursor: Cursor = None


@dataclass(frozen=True)
class Tool:
    """A tool of the server; `asks` makes the request to the API from what it is given."""

    name: str
    about: str
    right: Right
    takes: type[Strict]
    answers: type[pydantic.BaseModel]
    asks: Callable[[Any], Ask]
    reads_only: bool = True

    @cached_property  # its schemas take milliseconds, on the loop that serves the open pages
    def described(self) -> types.Tool:
        """The tool as a client is told of it."""
        return types.Tool(
            name=self.name,
            description=f"{self.about} Needs the scope {self.right}.",
            input_schema=self.takes.model_json_schema(),
            output_schema={
                "type": "object",
                **self.answers.model_json_schema(mode="serialization", by_alias=True),
            },
            annotations=types.ToolAnnotations(
                read_only_hint=self.reads_only,
                destructive_hint=False,
                idempotent_hint=self.reads_only,
                open_world_hint=False,
            ),
        )


def _of(given: Any, resource: str) -> str:
    return path("users", str(given.user_id), resource)


def _rest(given: Strict, *but: str, **named: str) -> dict[str, Any]:
    """What was given, but for some of it, and under another name where the API has another."""
    values = given.model_dump(mode="json", exclude={"user_id", *but}, exclude_none=True)
    return {named.get(name, name): value for name, value in values.items()}


def _remember(given: Remember) -> Ask:
    facts = [one.model_dump(mode="json", exclude_unset=True) for one in given.facts]
    return Ask(
        "POST",
        _of(given, "facts"),
        body={"facts": facts},
        idempotency_key=given.idempotency_key,
    )


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "remember",
            "Record statements about the person, each with its typed readings where you know them; "
            "rules look at them at once, and the answer has the alerts that they raised.",
            Right.FACTS_WRITE,
            Remember,
            AppendedOut,
            _remember,
            reads_only=False,
        ),
        Tool(
            "search",
            "Find what was noted or said about something, the best first.",
            Right.FACTS_READ,
            Search,
            SearchOut,
            lambda given: Ask("GET", _of(given, "search"), _rest(given, among="in")),
        ),
        Tool(
            "context",
            "What matters for a question, as text for a prompt within a bound of tokens: open "
            "alerts, what is recorded, facts and messages, each line with its source.",
            Right.STATE_READ,
            GetContext,
            ContextOut,
            lambda given: Ask("GET", _of(given, "context"), _rest(given)),
        ),
        Tool(
            "query",
            "Compute an answer in Python over the person's typed records, such as "
            "`len([t for t in trips if t.country == 'Italy'])`. Count and add up this way, never "
            "by reading. The manifest names the collections.",
            Right.QUERY,
            Query,
            QueryOut,
            lambda given: Ask("POST", _of(given, "query"), body=_rest(given)),
        ),
        Tool(
            "ask",
            "Ask a question in words; the answer is computed or quoted, or that it is not known.",
            Right.ASK,
            AskQuestion,
            AskOut,
            lambda given: Ask("POST", _of(given, "ask"), body=_rest(given)),
        ),
        Tool(
            "alerts",
            "What the rules found: conflicts, deadlines, dangers; with as_of, what would have "
            "fired at an earlier moment.",
            Right.ALERTS_READ,
            ListAlerts,
            AlertsAnswer,
            lambda given: Ask("GET", _of(given, "alerts"), _rest(given)),
        ),
    )
}
