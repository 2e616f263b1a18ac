"""Where a page of records ends, told without a word of a record: its id may be what was said."""

from __future__ import annotations

from memory.models import MemoryUser, ReadingBody


def record_at(user: MemoryUser, kind: str, reading_seq: int) -> str | None:
    """The id of the record of this kind that a reading speaks of.

    A record's page ends at the last reading that changed it; the log knows whose that was, even if
    the record has changed since or is gone.
    """
    said = ReadingBody.objects.filter(user=user, seq=reading_seq, kind=kind)
    return said.values_list("record_id", flat=True).first() or None
