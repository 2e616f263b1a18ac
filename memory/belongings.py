"""Every table that holds something of a person, found by its reference to them.

What a later table holds is exported and erased too, without anybody having to remember it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import ManyToOneRel, Model, QuerySet

from memory.models import MemoryUser


@dataclass(frozen=True)
class Belonging:
    """A table and the column that names the person."""

    model: type[Model]
    column: str

    @property
    def name(self) -> str:
        """Such as `memory.fact`."""
        return self.model._meta.label_lower

    def rows(self, person_id: UUID) -> QuerySet[Any]:
        """The person's rows."""
        return self.model._base_manager.filter(**{self.column: person_id})


def belongings() -> list[Belonging]:
    """The tables, each before those that its rows refer to."""
    found = [
        Belonging(field.related_model, field.field.name)
        for field in MemoryUser._meta.get_fields(include_hidden=True)
        if isinstance(field, ManyToOneRel) and isinstance(field.related_model, type)
    ]
    return _referring_first(sorted(found, key=lambda one: one.name))


def _referring_first(tables: Sequence[Belonging]) -> list[Belonging]:
    ordered: list[Belonging] = []
    left = list(tables)
    while left:
        free = [one for one in left if not any(_refers(other, one) for other in left)]
        free = free or left[:1]  # tables that refer to one another: the database has the last word
        ordered += free
        left = [one for one in left if one not in free]
    return ordered


def _refers(one: Belonging, other: Belonging) -> bool:
    if one.model is other.model:
        return False
    return any(field.related_model is other.model for field in one.model._meta.concrete_fields)
