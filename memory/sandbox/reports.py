"""What a keeper reports of a program that failed: plain dicts, safe to store and to show."""

from __future__ import annotations

from typing import Any

from memory.sandbox.values import clean_text

LINE_CHARS = 300

Report = dict[str, Any]


def as_error(error: str, message: str, **more: str) -> Report:
    """A failure by the name of its class in `memory.sandbox.errors`."""
    return {"error": error, "message": message, **more}


def as_limit(limit: str, message: str) -> Report:
    """A limit that was passed."""
    return as_error("LimitExceeded", message, limit=limit)


def limit_of(type_name: str, message: str, *, placed: bool, printed_bytes: int) -> str | None:
    """The limit that an error of Monty's means, or None; `placed`: it has a place in the code.

    Code that fakes the message fools only itself.
    """
    if type_name == "TimeoutError" and message.startswith("feed time limit exceeded"):
        return "time"
    if type_name == "RecursionError" and message.startswith("maximum recursion depth"):
        return "recursion"
    if type_name == "RuntimeError" and message.startswith("suspension limit"):
        return "calls"
    if type_name != "MemoryError":
        return None
    if message.endswith(f"> {printed_bytes} bytes") and not placed:
        return "output"
    return "memory" if "memory limit" in message else None


def clip(text: str, length: int) -> str:
    """Text that is safe to store and to show: no NUL, no endless line, its middle cut out."""
    if len(text) > 2 * length:
        text = f"{text[:length]}\n…\n{text[-length:]}"
    text = "\n".join(
        line if len(line) <= LINE_CHARS else f"{line[:LINE_CHARS]}…" for line in text.split("\n")
    )
    if len(text) > length:
        text = f"{text[: length // 2]}\n…\n{text[-length // 2 :]}"
    return clean_text(text)
