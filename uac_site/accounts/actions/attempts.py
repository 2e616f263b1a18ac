"""Count attempts to get in, and refuse them for a while after failures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from uac_site.accounts.models import Throttle
from uac_site.accounts.throttling import FORGOTTEN_AFTER, Counter

KNOWN_FOR = timedelta(days=30)


class Held(Exception):
    """Refused without a look, until the moment it carries."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"until {until:%H:%M:%S}")
        self.until = until


@transaction.atomic
def begin_attempt(*, counters: Sequence[Counter], now: datetime) -> list[Counter]:
    """Count an attempt as failed before it is looked at, so that many at once gain nothing.

    Returns what it was counted against, for `attempt_passed`.

    Raises Held while an earlier failure is still being paid for; such an attempt is not counted.
    Somebody who got in from the address lately does not pay for what others fail at there.
    """
    rows = [(counter, _row(counter, now)) for counter in sorted(counters, key=lambda c: c.key)]
    known = any(
        row.passed_at and row.passed_at > now - KNOWN_FOR
        for counter, row in rows
        if not counter.shared
    )
    counted = [(counter, row) for counter, row in rows if not (counter.shared and known)]
    held = [row.held_until for _, row in counted if row.held_until and row.held_until > now]
    if held:
        raise Held(max(held))
    for counter, row in counted:
        row.failures = 1 if row.last_at < now - FORGOTTEN_AFTER else row.failures + 1
        wait = counter.policy.wait(row.failures)
        row.held_until, row.last_at = (now + wait if wait else None), now
        row.save(update_fields=["failures", "held_until", "last_at"])
    return [counter for counter, _ in counted]


@transaction.atomic
def attempt_passed(*, counters: Sequence[Counter], now: datetime) -> None:
    """It went well: nothing is owed any more; an address gets back what this attempt cost it."""
    for counter in sorted(counters, key=lambda c: c.key):
        row = Throttle.objects.filter(pk=counter.key)
        if counter.shared:
            row.filter(failures__gt=0).update(failures=F("failures") - 1, held_until=None)
        else:
            row.update(failures=0, held_until=None, passed_at=now)


def forget_attempts(*, now: datetime) -> int:
    """Delete the counts that nothing depends on any more."""
    return Throttle.objects.filter(last_at__lt=now - KNOWN_FOR).delete()[0]


def _row(counter: Counter, now: datetime) -> Throttle:
    row, _ = Throttle.objects.select_for_update().get_or_create(
        pk=counter.key, defaults={"last_at": now}
    )
    return row
