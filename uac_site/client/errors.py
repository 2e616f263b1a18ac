"""What the API refused, as an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class UacError(Exception):
    """A problem document of the API (RFC 9457).

    `errors` name what of a request does not fit, by JSON pointer; `retry_after` is in seconds,
    where the same request may succeed later.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: float | None) -> None:
        self.status = status
        self.title = str(problem.get("title") or "No answer of the API")
        self.detail = str(problem.get("detail") or "")
        self.errors: Sequence[Mapping[str, Any]] = problem.get("errors") or ()
        self.request_id: str | None = problem.get("request_id")
        self.retry_after = retry_after
        super().__init__(f"{status} {self.title}: {self.detail}")
