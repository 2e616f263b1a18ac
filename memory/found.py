"""What a model found when it read, by the fact that came of it: only what the app itself stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from memory.log import FactEntry
from memory.models import MemoryUser, Stream, ToRead


def found_in(user: MemoryUser, facts: Iterable[FactEntry]) -> dict[int, list[Mapping[str, Any]]]:
    """`{"quote", "fit", "needs", ...}` of these facts by their seq, as `ToRead.found` has them.

    A fact's own metadata are not asked: an app may have written into them what it liked.
    """
    known = {fact.seq: fact for fact in facts}
    messages = {fact.message_seq for fact in known.values() if fact.message_seq is not None}
    rows = ToRead.objects.filter(
        Q(stream=Stream.FACT, seq__in=list(known)) | Q(stream=Stream.MESSAGE, seq__in=messages),
        user=user,
        found__isnull=False,
    )
    found: dict[int, list[Mapping[str, Any]]] = {}
    for listed in rows.order_by("stream", "seq").values_list("found", flat=True):
        for one in listed or []:
            if one["fact"] in known:
                found.setdefault(one["fact"], []).append(one)
    return found
