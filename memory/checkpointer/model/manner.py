"""How an endpoint wants to be asked: found by trying, and remembered while the process lives.

The best manner first: the answer held to a JSON schema by the server, streamed. Where the endpoint
refuses that with HTTP 400, 415, 422 or 501, what it names is left out; where it names nothing,
JSON mode is tried, and then plain text. Every answer is validated all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from memory.checkpointer.model.errors import Refused

FORMATS = ("json_schema", "json_object", "text")
REFUSALS = frozenset({400, 415, 422, 501})
# What an endpoint may not know, with the words by which it names it
OPTIONS = ("stream_options", "stream", "temperature", "max_completion_tokens")
FINAL = ("context_length_exceeded", "maximum context length", "content_filter")


@dataclass(frozen=True)
class Manner:
    """A format of answers, and the options that are left out."""

    format: str = FORMATS[0]
    without: frozenset[str] = frozenset()

    @property
    def streams(self) -> bool:
        """Whether the answer comes in pieces."""
        return "stream" not in self.without

    def after(self, refusal: Refused) -> Manner | None:
        """What to try next; None where the refusal has nothing to do with the manner."""
        said = refusal.said.casefold()
        if refusal.status not in REFUSALS or any(word in said for word in FINAL):
            return None
        for option in OPTIONS:
            if option in said and option not in self.without:
                return replace(self, without=self.without | {option})
        later = FORMATS[FORMATS.index(self.format) + 1 :]
        return replace(self, format=later[0]) if later else None


class Manners:
    """What has worked, for each endpoint and model."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Manner] = {}

    def of(self, endpoint: str, model: str) -> Manner:
        """How to ask first."""
        return self._known.get((endpoint, model), Manner())

    def learn(self, endpoint: str, model: str, manner: Manner) -> None:
        """Remember what worked; what was tried for one odd request is not unlearnt by another."""
        self._known.setdefault((endpoint, model), manner)


def is_closed(schema: Any) -> bool:
    """Whether each object of a JSON schema lists all its fields and requires them.

    Only of such a schema may `strict` be asked: others would be refused, or change their meaning.
    """
    return all(
        node.get("additionalProperties") is False
        and set(node.get("required", ())) == set(node.get("properties", ()))
        and not any("default" in one for one in node.get("properties", {}).values())
        for node in _nodes(schema)
        if "properties" in node or node.get("type") == "object"
    )


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            if key in ("properties", "$defs"):
                for inner in value.values():
                    yield from _nodes(inner)
            elif key not in ("enum", "const", "default", "examples"):
                yield from _nodes(value)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _nodes(inner)
