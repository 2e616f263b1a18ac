"""Read JSON strictly: what could not be stored and read back as it came is refused at the door."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from memory.actions.submissions import Idempotency
from memory.api.problems import Problem

KEY_LENGTH = 200
MAX_DEPTH = 100  # well below what the encoders and the database take, whoever calls them
TOO_DEEP = f"The JSON is nested too deeply; {MAX_DEPTH} levels are the most."


class StrictJSONParser(BaseParser):
    """JSON without NaN, infinities, repeated names, NUL, lone surrogates; bounded size, depth."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise Problem(413, "Too large", f"Send at most {limit} bytes; split the post.")
        if parser_context is not None:
            parser_context["request"]._request.uac_digest = hashlib.sha256(raw).hexdigest()
        return parse_json(raw)


def parse_json(raw: bytes) -> Any:
    """The value of a JSON text. Raises Problem (400) with what is wrong and where."""
    try:
        value = json.loads(
            raw.decode("utf-8"),  # json would also let through halves of surrogate pairs
            parse_constant=_refuse_constant,
            parse_float=_finite,
            object_pairs_hook=_object,
        )
    except RecursionError as error:
        raise Problem(400, "Not JSON", TOO_DEEP) from error
    except ValueError as error:
        raise Problem(400, "Not JSON", f"The body is not JSON: {error}") from error
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _is_deep(value):
        raise Problem(400, "Not JSON", TOO_DEEP)
    if b"\\u" in raw:
        _check_text(value, "")
    return value


def _is_deep(value: Any) -> bool:
    """Whether lists and objects stand more than MAX_DEPTH deep in one another."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            part
            for item in level
            if isinstance(item, list | dict)
            for part in (item if isinstance(item, list) else item.values())
        ]
        if not level:
            return False
    return any(isinstance(item, list | dict) for item in level)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON; leave the value out or use null")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:40]} is too large; write it as text")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice[:40]!r} stands twice in one object")
    return value


def _check_text(value: Any, pointer: str) -> None:
    match value:
        case str():
            if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
                detail = "Text may not hold NUL or half of a surrogate pair; remove it."
                raise Problem.at(400, "Not storable", pointer or "/", detail)
        case list():
            for index, item in enumerate(value):
                _check_text(item, f"{pointer}/{index}")
        case dict():
            for name, item in value.items():
                _check_text(name, f"{pointer}/")
                _check_text(item, f"{pointer}/{name}")


def idempotency_of(request: Request) -> Idempotency | None:
    """The request's `Idempotency-Key` with the digest of path and body, if it has one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 0 < len(key) <= KEY_LENGTH or not key.isprintable():
        detail = f"Idempotency-Key must be 1 to {KEY_LENGTH} printable characters."
        raise Problem(400, "Bad idempotency key", detail)
    body = getattr(request._request, "uac_digest", "")
    return Idempotency(key, hashlib.sha256(f"{request.path}\n{body}".encode()).hexdigest())
