"""Log lines without a word of what people said.

An exception's message may hold the value that caused it (a text that is no number, a row that is
there already), so a traceback is written as types and places alone. What is passed to a logger is
ids and codes; control characters in it are escaped, so that no address makes a line of its own.
"""

from __future__ import annotations

import errno
import json
import logging
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memory.correlation import current

CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029)}
MOST_CAUSES = 100


def to_standard_error(level: str, form: str = "line", *, requests: bool = False) -> dict[str, Any]:
    """The settings of logging: one line an event to standard error, never the text of a fact.

    `form` is `line` or `json`; with `requests` there is an event for each answer.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "uac_site.logs.WithoutMessages",
                "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
            },
            "json": {"()": "uac_site.logs.JsonLines"},
        },
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": form},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # The server's own handlers would print exceptions with their messages, and addresses
            "uvicorn": {"handlers": ["stderr"], "propagate": False},
            "uvicorn.error": {"handlers": ["stderr"], "propagate": False},
            "uvicorn.access": {"handlers": [], "level": "CRITICAL", "propagate": False},
            # The model's client would print prompts at its level DEBUG; calls are in ModelCall
            "openai": {"handlers": ["nowhere"], "propagate": False},
            "httpx2": {"handlers": ["nowhere"], "propagate": False},
            "httpcore2": {"handlers": ["nowhere"], "propagate": False},
            # It would tell of the end of every message
            "mcp": {"level": "WARNING"},
            # What was not found is a matter of whoever asked, with whatever they wrote
            "django.request": {"level": "ERROR"},
            "uac_site.requests": {"level": "INFO" if requests else "WARNING"},
        },
    }


class WithoutMessages(logging.Formatter):
    """Formats an exception as its type and the places it went through."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(_without_text(record))
        first, *rest = text.split("\n")
        return "\n".join(line.translate(CONTROLS) for line in (first, *rest))

    def formatException(self, ei: object) -> str:
        error = ei[1] if isinstance(ei, tuple) else None
        return "\n".join(places_of(error)) if isinstance(error, BaseException) else ""


class JsonLines(WithoutMessages):
    """The same as one JSON object a line, for whoever collects logs.

    `time` (UTC), `level`, `logger`, `message`, `process`; `request_id` where there is a request;
    `exception` as a list of places; and the `fields` that were logged, such as `status`.
    """

    def format(self, record: logging.LogRecord) -> str:
        told = _without_text(record)
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(told.created, UTC).isoformat(timespec="milliseconds"),
            "level": told.levelname,
            "logger": told.name,
            "message": told.getMessage(),
            "process": told.process,
        }
        if request_id := current():
            line["request_id"] = request_id
        line |= getattr(told, "fields", {})
        if told.exc_info and (places := self.formatException(told.exc_info)):
            line["exception"] = places.split("\n")
        return json.dumps(line, ensure_ascii=True)


def places_of(error: BaseException) -> list[str]:
    """Types and places of an exception and of those that led to it, the cause first.

    Each is told once, however they name each other as causes, and the last hundred at most.
    """
    chain = [error]
    while len(chain) < MOST_CAUSES:
        last = chain[-1]
        cause = last.__cause__ or (None if last.__suppress_context__ else last.__context__)
        if cause is None or any(cause is one for one in chain):
            break
        chain.append(cause)
    lines: list[str] = []
    for one in reversed(chain):
        lines += ["which led to"] if lines else []
        for frame in traceback.extract_tb(one.__traceback__):
            lines.append(f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}')
        lines.append(type(one).__qualname__)
    return lines


def _without_text(record: logging.LogRecord) -> logging.LogRecord:
    """The record on one line, with what is an exception in it by its type."""
    args: Any = record.args
    if isinstance(args, tuple):
        args = tuple(map(_named, args))
    elif isinstance(args, Mapping):
        args = {name: _named(one) for name, one in args.items()}
    copy = logging.makeLogRecord({**record.__dict__, "exc_text": None})
    copy.msg, copy.args = _named(record.msg), args
    copy.msg, copy.args = " ".join(copy.getMessage().split("\n")), ()
    copy.request_id = current() or "-"
    return copy


def _named(value: object) -> object:
    """An exception as its type, one of the system's with its code; anything else as it is."""
    if not isinstance(value, BaseException):
        return value
    code = errno.errorcode.get(value.errno or 0) if isinstance(value, OSError) else None
    return " ".join(filter(None, (type(value).__qualname__, code)))
