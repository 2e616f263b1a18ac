"""What there is to be allowed, and which role allows it: the one table of who may do what.

A member of staff has the rights of their roles, over the people of their teams. An app has the
rights that its key names as scopes, over the people of the key's reach. `memory.access` applies it.
"""

from __future__ import annotations

from enum import StrEnum

from django.db.models import TextChoices


class Right(StrEnum):
    """One thing that somebody may do; those in `SCOPES` may be given to an app's key."""

    USERS_READ = "users:read"
    USERS_WRITE = "users:write"
    FACTS_READ = "facts:read"
    FACTS_WRITE = "facts:write"
    MESSAGES_READ = "messages:read"
    MESSAGES_WRITE = "messages:write"
    STATE_READ = "state:read"
    QUERY = "query"
    ASK = "ask"
    ALERTS_READ = "alerts:read"
    CODE_READ = "code:read"
    ALERTS_HANDLE = "alerts:handle"
    CONCERNS_DECIDE = "concerns:decide"
    PROPOSALS_DECIDE = "proposals:decide"
    READINGS_CONFIRM = "readings:confirm"
    JOBS_CANCEL = "jobs:cancel"
    WEBHOOKS = "webhooks"
    ADMINISTER = "administer"
    AUDIT_READ = "audit:read"
    OPERATIONS_READ = "operations:read"


class Role(TextChoices):
    """What a member of staff is here for."""

    CAREGIVER = "caregiver", "Caregiver: sees and handles the alerts of the people of their teams"
    REVIEWER = "reviewer", "Reviewer: judges proposed code for the people of their teams"
    ADMIN = "admin", "Admin: people, teams, keys, settings; no personal content"
    AUDITOR = "auditor", "Auditor: reads the audit; no personal content"


RIGHTS: dict[str, frozenset[Right]] = {
    Role.CAREGIVER: frozenset(
        {
            Right.USERS_READ,
            Right.FACTS_READ,
            Right.STATE_READ,
            Right.QUERY,
            Right.ASK,
            Right.ALERTS_READ,
            Right.ALERTS_HANDLE,
            Right.CONCERNS_DECIDE,
            Right.CODE_READ,
            Right.READINGS_CONFIRM,
            Right.JOBS_CANCEL,
        }
    ),
    Role.REVIEWER: frozenset(
        {
            Right.CODE_READ,
            Right.PROPOSALS_DECIDE,
            Right.CONCERNS_DECIDE,
            Right.READINGS_CONFIRM,
            Right.JOBS_CANCEL,
        }
    ),
    Role.ADMIN: frozenset({Right.ADMINISTER, Right.OPERATIONS_READ}),
    Role.AUDITOR: frozenset({Right.AUDIT_READ, Right.OPERATIONS_READ}),
}

EVERYBODY = frozenset({Right.ADMINISTER})
"""Rights over every person, whatever the teams: names and places, never content."""

NOBODY = frozenset({Right.AUDIT_READ, Right.OPERATIONS_READ})
"""Rights that open no person."""

DECIDING = (Right.PROPOSALS_DECIDE, Right.READINGS_CONFIRM, Right.CONCERNS_DECIDE)
"""Each of them puts something on somebody's review queue."""

SCOPES = (
    Right.USERS_READ,
    Right.USERS_WRITE,
    Right.FACTS_READ,
    Right.FACTS_WRITE,
    Right.MESSAGES_READ,
    Right.MESSAGES_WRITE,
    Right.STATE_READ,
    Right.QUERY,
    Right.ASK,
    Right.ALERTS_READ,
    Right.ALERTS_HANDLE,
    Right.CODE_READ,
    Right.JOBS_CANCEL,
    Right.WEBHOOKS,
)
"""What a key may be given."""


def holders(right: Right) -> list[str]:
    """The roles that have a right."""
    return [role for role, rights in RIGHTS.items() if right in rights]
