"""The person's banner: who they are, and what harms them, whatever page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from memory.library.uac.names import says_no_allergy
from memory.models import MemoryUser, Record
from memory.views.values import cut

ALLERGY = "health.Allergy"
PERSON, ME = "people.Person", "me"
SHOWN = 6
LEVELS = {"severe": "critical", "moderate": "warning", "mild": "warning"}
ORDER = ("severe", "moderate", "", "mild")


@dataclass(frozen=True)
class AllergyTag:
    """An allergy as the banner shows it; what nobody has said is called unknown."""

    substance: str
    words: str
    level: str
    facts: tuple[int, ...]


@dataclass(frozen=True)
class Banner:
    """A person, the allergies recorded of them, and how many more there are than are shown."""

    person: MemoryUser
    allergies: tuple[AllergyTag, ...]
    more: int
    denied: bool
    born: str = ""  # as much of the day as was said; empty where nobody has said it


def banner_of(person: MemoryUser) -> Banner:
    """The banner of a person, the gravest allergies first."""
    which = Q(kind=ALLERGY) | Q(kind=PERSON, record_id=ME)
    found = list(Record.objects.filter(which, user=person).order_by("record_id"))
    rows = [row for row in found if row.kind == ALLERGY]
    records = [row for row in rows if not says_no_allergy(row.data["substance"])]
    records.sort(key=lambda row: ORDER.index(row.data.get("severity") or ""))
    return Banner(
        person=person,
        allergies=tuple(_tags(records[:SHOWN])),
        more=max(len(records) - SHOWN, 0),
        denied=not records and len(rows) > 0,
        born=next((_born(row) for row in found if row.kind == PERSON), ""),
    )


def _born(row: Record) -> str:
    return cut(str(row.data.get("born") or ""), 20)


def _tags(records: Iterable[Record]) -> Iterable[AllergyTag]:
    for record in records:
        reaction = record.data.get("reaction") or ""
        severity = record.data.get("severity") or ""
        if reaction or severity:
            words = f"{cut(reaction, 80) or 'reaction unknown'}, {severity or 'severity unknown'}"
        else:
            words = "reaction and severity unknown"
        yield AllergyTag(
            substance=record.data["substance"],
            words=words,
            level=LEVELS.get(severity, "warning"),
            facts=tuple(record.facts),
        )
