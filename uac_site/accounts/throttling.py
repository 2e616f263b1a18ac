"""How long to wait after failed attempts: counted by name and address, growing, never for good.

A stranger elsewhere cannot lock anybody out, since what they fail at is counted at their address.
Codes are counted by name alone as well: whoever gets that far has the password.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import timedelta

from django.utils.crypto import salted_hmac

from uac_site.accounts.address import neighbourhood

FORGOTTEN_AFTER = timedelta(days=1)


@dataclass(frozen=True)
class Policy:
    """Some failures are free; then the wait begins with `first` and doubles up to `longest`."""

    free: int
    first: timedelta
    longest: timedelta

    def wait(self, failures: int) -> timedelta:
        """How long to refuse after so many failures in a row."""
        beyond = failures - self.free
        if beyond < 0:
            return timedelta(0)
        doubled: timedelta = self.first * 2.0 ** min(beyond, 20)
        return min(doubled, self.longest)


PAIR = Policy(free=5, first=timedelta(seconds=30), longest=timedelta(hours=1))
ADDRESS = Policy(free=50, first=timedelta(seconds=30), longest=timedelta(hours=1))
NAME = Policy(free=10, first=timedelta(minutes=1), longest=timedelta(minutes=15))


@dataclass(frozen=True)
class Counter:
    """One row of the count: its key, and what failures cost. `shared` is by address alone."""

    key: str
    policy: Policy
    shared: bool = False


def password_counters(name: str, address: str) -> tuple[Counter, ...]:
    """What a try at a password counts against."""
    where = neighbourhood(address)
    return (
        Counter(_key("password", _plain(name), where), PAIR),
        Counter(_key("address", where), ADDRESS, shared=True),
    )


def code_counters(staff_id: int, address: str) -> tuple[Counter, ...]:
    """What a try at a second factor, or at the password of an open session, counts against."""
    return (
        Counter(_key("code", str(staff_id), neighbourhood(address)), PAIR),
        Counter(_key("code", str(staff_id)), NAME),
    )


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _key(*parts: str) -> str:
    return salted_hmac("accounts.throttle", "\0".join(parts), algorithm="sha256").hexdigest()
