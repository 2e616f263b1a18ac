"""Make and revoke the keys of chat apps."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from memory.models import App, AppKey

USE_RESOLUTION = timedelta(minutes=1)


def get_or_create_app(*, name: str, now: datetime) -> App:
    """The app of that name, made if there is none."""
    app, _ = App.objects.get_or_create(name=name, defaults={"created_at": now})
    return app


@transaction.atomic
def create_app_key(*, app_name: str, now: datetime) -> tuple[AppKey, str]:
    """A new key of an app (made if there is none) and its secret, which is shown only now."""
    app = get_or_create_app(name=app_name, now=now)
    secret = AppKey.new_secret()
    key = AppKey.objects.create(
        app=app, prefix=secret[:12], digest=AppKey.digest_of(secret), created_at=now
    )
    return key, secret


def revoke_app_key(*, key: AppKey, now: datetime) -> bool:
    """Close the door to a key; False where it was closed already."""
    return bool(AppKey.objects.active().filter(pk=key.pk).update(revoked_at=now))


def note_use(*, key: AppKey, now: datetime) -> None:
    """Remember that a key was used, to the minute: a write a request would cost too much."""
    if key.last_used_at is None or now - key.last_used_at > USE_RESOLUTION:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_RESOLUTION)
        AppKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
