"""Tables of the scratch database alone: they have no migrations and exist in no other."""

from __future__ import annotations

from django.db import models


class FloorRow(models.Model):
    """The one row that a post to the floor inserts."""

    person = models.UUIDField()
    text = models.TextField()
    occurred_at = models.DateTimeField()

    class Meta:
        app_label = "benchmarks"

    def __str__(self) -> str:
        return f"floor row {self.pk}"


class JobRun(models.Model):
    """A job was begun by a process; more than once where it was delivered again."""

    job = models.UUIDField(db_index=True)
    process = models.PositiveIntegerField()
    begun_at = models.DateTimeField()

    class Meta:
        app_label = "benchmarks"

    def __str__(self) -> str:
        return f"run of {self.job}"


class JobEffect(models.Model):
    """What a job does for good; nothing here stops it from being done twice."""

    job = models.UUIDField(db_index=True)
    process = models.PositiveIntegerField()

    class Meta:
        app_label = "benchmarks"

    def __str__(self) -> str:
        return f"effect of {self.job}"
