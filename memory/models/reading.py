"""Typed interpretations of facts."""

from __future__ import annotations

from django.db import models

from memory.models.entry import Body, Entry


class Reading(Entry):
    """One typed interpretation of a fact."""

    fact_seq = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["user", "fact_seq"], name="reading_fact")]


class ReadingBody(Body):
    """Which record a reading speaks of, and what it says."""

    kind = models.CharField(max_length=200)
    record_id = models.CharField(max_length=200)

    class Meta:
        indexes = [models.Index(fields=["user", "kind", "record_id", "seq"], name="reading_record")]
