"""Jobs that read: what a test asks about them, and what happens while one is at work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection

from memory.models import Job, ToRead
from tests.facts import reading
from tests.memory.checkpointer.reading.conftest import answer, entry, found
from tests.model_server import Act, Connection, Request

QUOTE = "I take ibuprofen"
GOOD = answer(entry(1, found(QUOTE, reading("health.Medication", name="ibuprofen"))))


def meanwhile(call: Callable[[], Any], then: Act) -> Act:
    """Something happens while the model is at work."""

    def act(to: Connection, request: Request) -> None:
        try:
            call()
        finally:
            connection.close()
        then(to, request)

    return act


def jobs() -> list[tuple[str, str, int, int]]:
    """Every job that reads, the oldest first."""
    rows = Job.objects.filter(name="read").order_by("queued_at")
    return list(rows.values_list("status", "stage", "done", "total"))


def left() -> list[tuple[str, str]]:
    """Where each reading stands, and why: facts, then messages."""
    return list(ToRead.objects.order_by("stream", "seq").values_list("status", "reason"))
