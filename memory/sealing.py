"""Seal the audit: new events into a chain of batches, so that none can be changed unnoticed.

Writers do not wait for one another: an event has its digest when it is written, and a job puts the
digests of all new ones under the next seal. PostgreSQL gives ids before it commits, so an event may
turn up below one that has been sealed: the ids not seen yet are kept as gaps for `GRACE`, longer
than any transaction, and a later seal covers what turns up there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memory import audit
from memory.models import GENESIS, AuditDrop, AuditEvent, AuditSeal
from memory.project.seals import Range, between, root_of, runs, seal_hash, without

GRACE = timedelta(minutes=30)
AT_ONCE = 20_000  # events under a seal
MOST_RUNS = 200  # in a statement


def seal_new_events() -> None:
    """Every minute: seal what is new."""
    while seal(now=timezone.now()):
        pass


def drop_old_events() -> None:
    """Every day: drop the events that `AUDIT_RETENTION_DAYS` no longer asks for."""
    drop(now=timezone.now())


def seal(*, now: datetime) -> bool:
    """Put new events under one more seal; whether there may be more."""
    try:
        with transaction.atomic():
            return _seal(now)
    except IntegrityError:  # another worker has just made this seal
        return False


def _seal(now: datetime) -> bool:
    before = AuditSeal.objects.order_by("-number").first()
    seen = before.last_event if before else 0
    fresh = AuditEvent.objects.filter(pk__gt=seen).order_by("pk")
    new = list(fresh.values_list("pk", "digest")[:AT_ONCE])
    gaps = _open_gaps(before, now)
    late = [one for some in within(gaps) for one in some.values_list("pk", "digest")]
    if not (new or late):
        return False
    events = sorted([*late, *new])
    ranges = runs(pk for pk, _ in events)
    made = AuditSeal(
        number=before.number + 1 if before else 1,
        sealed_at=now,
        last_event=new[-1][0] if new else seen,
        ranges=ranges,
        gaps=[*without(gaps, ranges), *between(runs(pk for pk, _ in new), seen)],
        count=len(events),
        root=root_of(events),
        prev=before.hash if before else GENESIS,
    )
    made.hash = hash_of(made)
    made.save(force_insert=True)
    return len(new) == AT_ONCE


def hash_of(one: AuditSeal) -> str:
    """What a seal's hash must be."""
    return seal_hash(
        one.prev,
        number=one.number,
        sealed_at=one.sealed_at,
        last_event=one.last_event,
        ranges=one.ranges,
        gaps=one.gaps,
        count=one.count,
        root=one.root,
    )


def _open_gaps(before: AuditSeal | None, now: datetime) -> list[Range]:
    """The gaps in which an event may still turn up."""
    if before is None or not before.gaps:
        return []
    old = AuditSeal.objects.filter(sealed_at__lt=now - GRACE).order_by("-number").first()
    closed = old.last_event if old else 0
    return [(max(first, closed + 1), last) for first, last in before.gaps if last > closed]


def within(ranges: Sequence[Range]) -> Iterator[QuerySet[AuditEvent]]:
    """The events with these ids, in order if the ranges are, some at a time."""
    for start in range(0, len(ranges), MOST_RUNS):
        wanted = Q()
        for first, last in ranges[start : start + MOST_RUNS]:
            wanted |= Q(pk__range=(first, last))
        yield AuditEvent.objects.filter(wanted).order_by("pk")


@transaction.atomic
def drop(*, now: datetime) -> int:
    """Drop the events under seals that are old enough; how many. Their seals stay.

    The chain of the seals is verified as before; which events are gone is told by `AuditDrop`.
    """
    old = now - timedelta(days=settings.AUDIT_RETENTION_DAYS)
    last = AuditSeal.objects.filter(sealed_at__lt=old).order_by("-number").first()
    done = AuditDrop.objects.order_by("-through").values_list("through", flat=True).first() or 0
    if last is None or last.number <= done:
        return 0
    AuditDrop.objects.create(through=last, last_event=last.last_event, at=now)
    count = 0
    for one in AuditSeal.objects.filter(number__gt=done, number__lte=last.number):
        for some in within(one.ranges):
            count += some._raw_delete(some.db)
    audit.record("audit.drop", actor=None, now=now, of="seal", object_id=last.number)
    return count
