"""The current typed state: a projection of the readings."""

from __future__ import annotations

from django.db import models

from memory.models.memory_user import MemoryUser


class RecordQuerySet(models.QuerySet["Record"]):
    def count_by_kind(self) -> dict[str, int]:
        """How many there are of each kind that has any; one query."""
        counted = self.values_list("kind").annotate(models.Count("kind"))
        return dict(counted.order_by("kind"))


class Record(models.Model):
    """One typed object, with the facts it rests on; rebuilt at any time by `rebuild_state`."""

    pk = models.CompositePrimaryKey("user_id", "kind", "record_id")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=200)
    record_id = models.CharField(max_length=200)
    data = models.JSONField()
    facts = models.JSONField(help_text="The seq of each fact it rests on, in order.")
    reading_seq = models.PositiveIntegerField(help_text="The last reading that changed it.")
    source = models.TextField(help_text="The record as the Python expression of `state.py`.")

    objects = RecordQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
