"""How far each person has been evaluated."""

from __future__ import annotations

from datetime import date, datetime

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, NullIf

from memory.models import MemoryUser


class WatermarkQuerySet(models.QuerySet["Watermark"]):
    def behind(self, *, adopted: str, ground: str) -> WatermarkQuerySet:
        """People with something the rules have not seen, whatever the date.

        `adopted` is the digest of the baseline in force, the code of those who have no other.
        """
        theirs = Coalesce(NullIf("user__tree", Value("")), Value(adopted))
        return self.annotate(theirs=theirs).filter(
            ~Q(version=F("theirs"))
            | ~Q(ground=ground)
            | Q(fact_seq__lt=F("user__fact_seq"))
            | Q(reading_seq__lt=F("user__reading_seq"))
        )

    def before(self, local_date: date, zone: str) -> WatermarkQuerySet:
        """People of a time zone who were last evaluated on another date."""
        return self.filter(user__timezone=zone).exclude(local_date=local_date)


class Watermark(models.Model):
    """How far the rules have seen a person: what, with which code and tables, on which date."""

    user = models.OneToOneField(
        MemoryUser, on_delete=models.PROTECT, primary_key=True, related_name="watermark"
    )
    fact_seq = models.PositiveIntegerField(default=0)
    reading_seq = models.PositiveIntegerField(default=0)
    version = models.CharField(max_length=64, blank=True, help_text="Digest of the project.")
    ground = models.CharField(
        max_length=64, blank=True, help_text="Digest of the library and the reference tables."
    )
    local_date = models.DateField(null=True)
    evaluated_at: models.DateTimeField[datetime, datetime] = models.DateTimeField()

    objects = WatermarkQuerySet.as_manager()

    def __str__(self) -> str:
        return f"through fact {self.fact_seq}"
