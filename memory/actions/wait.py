"""Keep the list of readings that wait for a place."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from memory.actions.fit_reading import NOT_KNOWN
from memory.models import MemoryUser, ReadingBody, Waiting
from memory.rows import insert_rows
from memory.waiting import waiting_among

AT_ONCE = 1_000


def add_waiting(*, user: MemoryUser, rows: Sequence[tuple[int, str, str]]) -> None:
    """Note that readings wait: the seq, kind and reason of each."""
    insert_rows(
        Waiting, shared={"user_id": user.pk}, columns=("reading_seq", "kind", "reason"), rows=rows
    )


def sync_waiting(*, user: MemoryUser, kinds: Collection[str]) -> bool:
    """Bring the waiting readings of some kinds in line with the log; whether any waits anew."""
    rows = ReadingBody.objects.filter(user=user, kind__in=kinds).order_by("seq")
    found = waiting_among(
        json.loads(text) for text in rows.values_list("canonical", flat=True).iterator()
    )
    listed = Waiting.objects.filter(user=user, kind__in=kinds)
    known = set(listed.values_list("reading_seq", flat=True))
    forget_waiting(user=user, seqs=sorted(known - found.keys()))
    new = [(seq, kind, NOT_KNOWN) for seq, kind in sorted(found.items()) if seq not in known]
    add_waiting(user=user, rows=new)
    return bool(new)


def list_waiting(*, user: MemoryUser, kinds: Mapping[int, str]) -> None:
    """Make the list anew from the kind of each reading that waits, by seq; reasons are kept."""
    listed = Waiting.objects.filter(user=user)
    reasons = dict(listed.values_list("reading_seq", "reason"))
    listed.delete()
    rows = [(seq, kind, reasons.get(seq, NOT_KNOWN)) for seq, kind in sorted(kinds.items())]
    add_waiting(user=user, rows=rows)


@transaction.atomic
def explain_waiting(*, user_id: UUID, reasons: Mapping[int, str]) -> None:
    """Say of readings, by seq, why they go on waiting."""
    user = MemoryUser.objects.select_for_update(no_key=True).get(pk=user_id)
    set_reasons(user=user, reasons=reasons)


def set_reasons(*, user: MemoryUser, reasons: Mapping[int, str]) -> None:
    """The same under a lock that the caller holds."""
    by_reason: dict[str, list[int]] = defaultdict(list)
    for seq, reason in reasons.items():
        by_reason[reason].append(seq)
    for reason, seqs in by_reason.items():
        for start in range(0, len(seqs), AT_ONCE):
            some = seqs[start : start + AT_ONCE]
            Waiting.objects.filter(user=user, reading_seq__in=some).update(reason=reason)


def forget_waiting(*, user: MemoryUser, seqs: Sequence[int]) -> None:
    """Take readings off the list: they have their records now."""
    for start in range(0, len(seqs), AT_ONCE):
        some = seqs[start : start + AT_ONCE]
        Waiting.objects.filter(user=user, reading_seq__in=some).delete()
