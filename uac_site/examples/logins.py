"""The demo's staff logins and its app key: made once, shown once."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.contrib.auth.models import User

from memory.actions.app_keys import create_app_key
from memory.models import AppKey
from uac_site.env import BASE_DIR
from uac_site.examples.load import APP_NAME

KEY_FILE = BASE_DIR / "var" / "demo-key"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
GROUPS, GROUP = 4, 4


@dataclass(frozen=True)
class Login:
    """A member of staff; `password` is empty where they exist already."""

    username: str
    password: str
    what: str


def make_logins() -> list[Login]:
    """An admin and a caregiver, each made if there is none."""
    return [
        _login("admin", "may do everything, Django admin included", superuser=True),
        _login("caregiver", "sees people and alerts", superuser=False),
    ]


def _login(username: str, what: str, *, superuser: bool) -> Login:
    if User.objects.filter(username=username).exists():
        return Login(username, "", what)
    password = new_password()
    User.objects.create_user(username, password=password, is_staff=True, is_superuser=superuser)
    return Login(username, password, what)


def new_password() -> str:
    """Sixteen letters and digits in groups, 79 random bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def demo_key(*, now: datetime, path: Path = KEY_FILE) -> tuple[str, bool]:
    """The secret of the demo's app key, and whether it is new; kept in a file its owner reads."""
    if path.exists():
        secret = path.read_text(encoding="utf-8").strip()
        if AppKey.objects.for_secret(secret).exists():
            return secret, False
    _, secret = create_app_key(app_name=APP_NAME, now=now)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secret + "\n")
    return secret, True
