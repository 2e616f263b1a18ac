"""Immutable statements about a person."""

from __future__ import annotations

from django.db import models

from memory.models.app import App
from memory.models.entry import Body, Entry


class Fact(Entry):
    """One statement: when it was true, when it was recorded, and which app posted it."""

    occurred_at = models.DateTimeField()
    app = models.ForeignKey(App, on_delete=models.PROTECT, related_name="+")

    class Meta:
        indexes = [
            models.Index(fields=["user", "occurred_at", "seq"], name="fact_occurred"),
            models.Index(fields=["user", "recorded_at", "seq"], name="fact_recorded"),
        ]


class FactBody(Body):
    """The text of a fact and where it came from."""

    source = models.CharField(max_length=200, blank=True)
    session = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["user", "session", "seq"], name="fact_session"),
            models.Index(fields=["user", "source", "seq"], name="fact_source"),
        ]
