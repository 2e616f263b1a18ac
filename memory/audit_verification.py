"""Verify the audit: every seal follows from the one before, and every event is as it was sealed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from memory.audit import COLUMNS, digest_of
from memory.models import GENESIS, AuditDrop, AuditEvent, AuditSeal
from memory.project.seals import root_of
from memory.sealing import hash_of, within
from memory.snapshot import snapshot

LEAST_KEPT = timedelta(days=30)
"""`AUDIT_RETENTION_DAYS` may not be less; what was dropped sooner was not dropped by us."""


@dataclass(frozen=True)
class Verified:
    """How much holds, and what does not."""

    seals: int
    events: int
    dropped: int
    unsealed: int
    head: str
    faults: tuple[str, ...]


def verify_audit() -> Verified:
    """Look at every seal and event, at one moment."""
    with snapshot():
        return _verify()


def _verify() -> Verified:
    dropped = AuditDrop.objects.order_by("-through").first()
    gone = dropped.through_id if dropped else 0
    faults = list(_early_drops())
    head, number, events, last_event = GENESIS, 0, 0, 0
    gaps: list[tuple[int, int]] = []
    for seal in AuditSeal.objects.order_by("number").iterator():
        number += 1
        if fault := _broken_link(seal, number, head):
            faults.append(fault)
            number = seal.number
        head, last_event, gaps = seal.hash, seal.last_event, seal.gaps
        if seal.number > gone:
            events += seal.count
            faults += _changed_events(seal)
    below = AuditEvent.objects.filter(pk__lte=last_event).count()
    open_ = sum(some.count() for some in within(gaps))
    faults += _never_sealed(below, open_, events)
    later = AuditEvent.objects.filter(pk__gt=last_event)
    faults += [_not_as_written(event) for event in later.iterator() if _changed(event)]
    lost = sum(AuditSeal.objects.filter(number__lte=gone).values_list("count", flat=True))
    return Verified(number, events, lost, later.count() + open_, head, tuple(faults))


def _broken_link(seal: AuditSeal, number: int, head: str) -> str | None:
    if seal.number != number:
        return f"seal {number} is missing"
    if seal.prev != head:
        return f"seal {number} does not follow from the one before"
    if seal.hash != hash_of(seal):
        return f"seal {number} is not what was sealed"
    return None


def _changed_events(seal: AuditSeal) -> Iterator[str]:
    """What is wrong under a seal: the first event that was changed, else that some are gone."""
    found: list[tuple[int, str]] = []
    for some in within(seal.ranges):
        for event in some.iterator():
            if _changed(event):
                yield _not_as_written(event)
                return
            found.append((event.pk, event.digest))
    if len(found) != seal.count:
        yield f"seal {seal.number} covers {seal.count} events, {len(found)} are there"
    elif root_of(found) != seal.root:
        yield f"an event under seal {seal.number} is not the one that was sealed"


def _changed(event: AuditEvent) -> bool:
    return digest_of({name: getattr(event, name) for name in COLUMNS}) != event.digest


def _not_as_written(event: AuditEvent) -> str:
    return f"event {event.pk} is not as it was written"


def _never_sealed(below: int, open_: int, sealed: int) -> Iterator[str]:
    if below - open_ > sealed:
        yield f"{below - open_ - sealed} events stand among the sealed ones that no seal covers"


def _early_drops() -> Iterator[str]:
    for one in AuditDrop.objects.select_related("through"):
        if one.at - one.through.sealed_at < LEAST_KEPT:
            yield f"the events through seal {one.through_id} were dropped before their time"
