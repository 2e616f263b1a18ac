"""Make, rotate and revoke the keys of chat apps."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from memory import audit
from memory.actions.entitled import Administrator, check_entitled
from memory.models import App, AppKey, MemoryUser, Reach, Team
from memory.rights import SCOPES, Right

USE_RESOLUTION = timedelta(minutes=1)
LIFETIME = timedelta(days=365)
OVERLAP = timedelta(days=7)


class NotActive(Exception):
    """The key is revoked or expired: there is nothing to rotate; make a new one."""


@dataclass(frozen=True)
class Grant:
    """What a key may do, to whom, until when, and how often.

    `people` are those of a reach of `listed`. `requests_per_minute` of None: as the settings say.
    """

    scopes: Collection[Right]
    reach: Reach
    people: Collection[UUID] = ()
    lifetime: timedelta = LIFETIME
    requests_per_minute: int | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.scopes) - set(SCOPES))
        if unknown or not self.scopes:
            known = ", ".join(SCOPES)
            raise ValueError(f"A key needs scopes, each one of: {known}. Not: {unknown}.")
        if bool(self.people) != (self.reach == Reach.LISTED):
            raise ValueError("A reach of listed, and no other, names people.")
        if self.lifetime <= timedelta():
            raise ValueError("A key must live for some time.")


EVERYTHING = Grant(scopes=SCOPES, reach=Reach.ALL)
"""Every scope over all people: for a trusted app on a site of its own, and for demos."""


def app_of(actor: AppKey | App) -> App:
    """The app that acts."""
    return actor.app if isinstance(actor, AppKey) else actor


def get_or_create_app(*, name: str, now: datetime, team: Team | None = None) -> App:
    """The app of that name, made if there is none; `team` is where its people are placed."""
    app, _ = App.objects.get_or_create(name=name, defaults={"created_at": now, "team": team})
    return app


@transaction.atomic
def set_app_team(*, app: App, team: Team | None, actor: Administrator, now: datetime) -> None:
    """Whose care people are placed in whom the app introduces from now on."""
    check_entitled(actor)
    App.objects.filter(pk=app.pk).update(team=team)
    app.team = team
    audit.record("app.set_team", actor=actor, now=now, of="app", object_id=app.pk)


@transaction.atomic
def create_app_key(
    *,
    app_name: str,
    grant: Grant,
    actor: Administrator,
    now: datetime,
    team: Team | None = None,
) -> tuple[AppKey, str]:
    """A new key of an app (made if there is none) and its secret, which is shown only now.

    `team`, where given, is from now on the one that cares for people whom the app introduces.
    """
    check_entitled(actor)
    app = get_or_create_app(name=app_name, now=now, team=team)
    if team is not None and app.team_id != team.pk:
        set_app_team(app=app, team=team, actor=actor, now=now)
    key, secret = _create(app, grant, now, replaces=None)
    _record("app_key.create", key, actor, now)
    return key, secret


@transaction.atomic
def rotate_app_key(
    *, key: AppKey, actor: Administrator, now: datetime, overlap: timedelta = OVERLAP
) -> tuple[AppKey, str]:
    """A new key that may do the same as this one, which itself ends after the overlap.

    The new one lives as long as the old one was meant to. Raises NotActive.
    """
    check_entitled(actor)
    found = AppKey.objects.active(now).select_for_update().filter(pk=key.pk).first()
    if found is None:
        raise NotActive(key.pk)
    grant = replace(grant_of(found), lifetime=found.expires_at - found.created_at)
    made, secret = _create(found.app, grant, now, replaces=found)
    AppKey.objects.filter(pk=found.pk).update(expires_at=min(found.expires_at, now + overlap))
    _record("app_key.rotate", found, actor, now)
    return made, secret


def grant_of(key: AppKey) -> Grant:
    """What a key was given."""
    return Grant(
        scopes=[Right(scope) for scope in key.scopes],
        reach=Reach(key.reach),
        people=list(key.people.values_list("pk", flat=True)),
        requests_per_minute=key.requests_per_minute,
    )


def _create(
    app: App, grant: Grant, now: datetime, *, replaces: AppKey | None
) -> tuple[AppKey, str]:
    secret = AppKey.new_secret()
    key = AppKey.objects.create(
        app=app,
        prefix=secret[:12],
        digest=AppKey.digest_of(secret),
        scopes=[scope.value for scope in SCOPES if scope in grant.scopes],
        reach=grant.reach,
        requests_per_minute=grant.requests_per_minute,
        created_at=now,
        expires_at=now + grant.lifetime,
        replaces=replaces,
    )
    key.people.set(MemoryUser.objects.filter(pk__in=grant.people))
    return key, secret


@transaction.atomic
def revoke_app_key(*, key: AppKey, actor: Administrator, now: datetime) -> bool:
    """Close the door to a key; False where it was closed already."""
    check_entitled(actor)
    revoked = AppKey.objects.active(now).filter(pk=key.pk).update(revoked_at=now)
    if revoked:
        _record("app_key.revoke", key, actor, now)
    return bool(revoked)


def _record(action: str, key: AppKey, actor: Administrator, now: datetime) -> None:
    audit.record(action, actor=actor, now=now, of="app key", object_id=key.pk)


def note_use(*, key: AppKey, now: datetime) -> None:
    """Remember that a key was used, to the minute: a write a request would cost too much."""
    if key.last_used_at is None or now - key.last_used_at > USE_RESOLUTION:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_RESOLUTION)
        AppKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
