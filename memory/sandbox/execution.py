"""Run a program: hand it to a keeper, and turn its answer into an outcome or an error."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

from memory.sandbox import errors
from memory.sandbox.pool import Pool, pool
from memory.sandbox.program import Encoded, Feed, Limits, Outcome, Prefix, Program, Value
from memory.sandbox.values import (
    Budget,
    ValueNotPlain,
    ValueTooLarge,
    checked_text,
    decode,
    encode,
)

INPUT_DEPTH, INPUT_ITEMS, INPUT_TEXT = 32, 2_000_000, 64_000_000

REPORTED = {
    kind.__name__: kind
    for kind in (
        errors.SyntaxRefused,
        errors.TypeRefused,
        errors.CodeRaised,
        errors.LimitExceeded,
        errors.ValueRefused,
        errors.WorkerCrashed,
    )
}


def run(
    program: Program,
    *,
    limits: Limits | None = None,
    type_check: bool = False,
    workers: Pool | None = None,
) -> Outcome:
    """Run the feeds in order in a fresh session and give back what they returned.

    Raises a `SandboxError`; nothing the code does raises anything else. Returns or raises within
    `limits.total_seconds` and about one second. Same program, same outcome (but for `seconds`).
    """
    limits = limits or Limits()
    started = time.monotonic()
    deadline = started + limits.total_seconds
    request = _request(program, limits, type_check)
    prefix = request["prefix"]["key"] if program.prefix else ""
    with (workers or pool()).keeper(deadline, prefix) as keeper:
        answer = keeper.ask(request, deadline)
        if answer.get("unknown_prefix"):
            request["prefix"]["feeds"] = _prefix_feeds(program)
            answer = keeper.ask(request, deadline)
        if answer.get("error") == errors.WorkerCrashed.__name__:
            raise _reported(answer)  # in here, so that the keeper is thrown away too
    if "error" in answer:
        raise _reported(answer)
    values = tuple(decode(value) for value in answer["values"])
    return Outcome(values, answer["printed"], time.monotonic() - started)


def encoded(value: Value) -> Encoded:
    """A value as an input for many runs. Raises ValueNotPlain and ValueTooLarge."""
    return Encoded(encode(value, Budget(INPUT_DEPTH, INPUT_ITEMS, INPUT_TEXT)))


def _request(program: Program, limits: Limits, type_check: bool) -> dict[str, Any]:
    budget = Budget(INPUT_DEPTH, INPUT_ITEMS, INPUT_TEXT)
    return {
        "prefix": _prefix(program.prefix, program, limits) if program.prefix else None,
        "feeds": [_feed(feed, budget) for feed in program.feeds],
        "now": program.now.isoformat(),
        "seed": program.seed,
        "stubs": program.stubs,
        "type_check": type_check,
        "feed_seconds": limits.feed_seconds,
        "memory_bytes": limits.memory_bytes,
        "recursion": limits.recursion,
        "printed_bytes": limits.printed_bytes,
        "returned_depth": limits.returned_depth,
        "returned_items": limits.returned_items,
        "returned_text": limits.returned_text,
    }


def _prefix(prefix: Prefix, program: Program, limits: Limits) -> dict[str, Any]:
    """What a prefix is known by: its key, with all that a restored session keeps of its run."""
    kept = [prefix.key, program.now.isoformat(), program.seed, limits.memory_bytes]
    key = hashlib.sha256(json.dumps(kept).encode()).hexdigest()
    return {"key": key, "personal": prefix.personal}


def _prefix_feeds(program: Program) -> list[dict[str, Any]]:
    assert program.prefix is not None
    budget = Budget(INPUT_DEPTH, INPUT_ITEMS, INPUT_TEXT)
    return [_feed(feed, budget) for feed in program.prefix.feeds()]


def _feed(feed: Feed, budget: Budget) -> dict[str, Any]:
    try:
        checked_text(feed.code)
    except ValueNotPlain:
        message = "The source has a NUL or a lone surrogate, which Python source cannot have."
        raise errors.SyntaxRefused(message, feed=feed.name) from None
    inputs = {}
    for name, value in feed.inputs.items():
        try:
            inputs[name] = value.data if isinstance(value, Encoded) else encode(value, budget)
        except (ValueNotPlain, ValueTooLarge) as error:
            message = f"The input {name!r} cannot be used: {error}."
            raise errors.ValueRefused(message, feed=feed.name) from None
    return {"name": feed.name, "code": feed.code, "inputs": inputs}


def _reported(answer: dict[str, Any]) -> errors.SandboxError:
    kind = REPORTED[answer.pop("error")]
    return kind(answer.pop("message"), **answer)
