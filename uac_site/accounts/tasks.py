"""What the queue does for the accounts."""

from __future__ import annotations

from django.utils import timezone

from uac_site.accounts.actions.attempts import forget_attempts
from uac_site.accounts.sessions import SessionStore


def sweep_accounts() -> None:
    """Delete sessions that are over and counts of attempts that are paid for."""
    SessionStore.clear_expired()
    forget_attempts(now=timezone.now())
