"""Whom a webhook may be told of, decided anew each time: by its key, or by its team's people."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from alerts.models import Webhook
from memory.access import memory_users
from memory.models import AppKey, CarePlacement
from memory.rights import Right

MOST_ROTATIONS = 100


def standing_key(key: AppKey, now: datetime) -> AppKey | None:
    """The key, or the newest that was made in its place and still opens the door."""
    for _ in range(MOST_ROTATIONS):
        if key.state_at(now) == "active":
            return key
        following = AppKey.objects.filter(replaces=key).order_by("-created_at").first()
        if following is None:
            return None
        key = following
    return None


def in_reach(webhook: Webhook, people: Collection[UUID], now: datetime) -> set[UUID]:
    """Those of these people whom the webhook may be told of at this moment."""
    found = _of_key(webhook.key, people, now) if webhook.key else _of_team(webhook, people, now)
    if webhook.narrowed:
        found &= {*webhook.people.values_list("pk", flat=True)}
    return found


def _of_key(key: AppKey, people: Collection[UUID], now: datetime) -> set[UUID]:
    standing = standing_key(key, now)
    if standing is None or not standing.may(Right.WEBHOOKS):
        return set()
    reached = memory_users(standing, Right.ALERTS_READ).filter(pk__in=people)
    return {*reached.values_list("pk", flat=True)}


def _of_team(webhook: Webhook, people: Collection[UUID], now: datetime) -> set[UUID]:
    placed = CarePlacement.objects.at(now).filter(team=webhook.team_id, user__in=people)
    return {*placed.values_list("user", flat=True)}
