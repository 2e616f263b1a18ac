"""The demo's staff logins and its app key: made once, shown once."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from memory.actions.app_keys import EVERYTHING, create_app_key
from memory.actions.staff import grant_role
from memory.audit import CONSOLE
from memory.models import AppKey
from memory.rights import Role
from uac_site.env import BASE_DIR
from uac_site.examples.load import APP_NAME
from uac_site.examples.teams import TEAMS, join_all, team_called

KEY_FILE = BASE_DIR / "var" / "demo-key"
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike
GROUPS, GROUP = 4, 4


@dataclass(frozen=True)
class Login:
    """A member of staff; `password` is empty where they exist already."""

    username: str
    password: str
    what: str


LOGINS = (
    (Role.ADMIN, "people, teams, keys, settings; no personal content"),
    (Role.CAREGIVER, "sees the people of the teams and handles their alerts"),
    (Role.REVIEWER, "judges the code that is proposed for them"),
    (Role.AUDITOR, "reads the audit; no personal content"),
)
WITH_TEAMS = (Role.CAREGIVER, Role.REVIEWER)


def make_logins(*, now: datetime) -> list[Login]:
    """One for each role, named after it and made if there is none."""
    return [_login(role, what, now) for role, what in LOGINS]


@transaction.atomic
def _login(role: Role, what: str, now: datetime) -> Login:
    if User.objects.filter(username=role.value).exists():
        return Login(role.value, "", what)
    password = new_password()
    staff = User.objects.create_user(role.value, password=password, is_staff=True)
    grant_role(staff=staff, role=role, actor=CONSOLE, now=now)
    if role in WITH_TEAMS:
        join_all(staff, now)
    return Login(role.value, password, what)


def new_password() -> str:
    """Sixteen letters and digits in groups, 79 random bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def demo_key(*, now: datetime, path: Path = KEY_FILE) -> tuple[str, bool]:
    """The secret of the demo's app key, and whether it is new; kept in a file its owner reads."""
    if path.exists():
        secret = path.read_text(encoding="utf-8").strip()
        if AppKey.objects.for_secret(secret, now).exists():
            return secret, False
    _, secret = create_app_key(
        app_name=APP_NAME,
        grant=EVERYTHING,
        actor=CONSOLE,
        now=now,
        team=team_called(TEAMS[0], now),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(secret + "\n")
    return secret, True
