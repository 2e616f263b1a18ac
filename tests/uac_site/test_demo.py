"""What `manage.py demo` prepares and prints."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.utils import timezone

from memory.models import AppKey
from tests.api_client import Api
from tests.people import new_person
from uac_site.examples.logins import demo_key, make_logins
from uac_site.management.commands.demo import PRESCRIBED, STOPPED, try_it, welcome
from uac_site.running import Place

PLACE = Place("127.0.0.1", 8000)


@pytest.mark.django_db
def test_passwords_are_shown_once_and_open_the_door() -> None:
    now = timezone.now()
    logins = make_logins(now=now)
    assert [login.username for login in logins] == ["admin", "caregiver", "reviewer", "auditor"]
    for login in logins:
        user = authenticate(username=login.username, password=login.password)
        assert user is not None
        assert login.password in "\n".join(welcome(PLACE, logins, ""))
    again = welcome(PLACE, make_logins(now=now), "")
    assert [line for line in again if "changepassword" in line] != []
    assert [login.password for login in make_logins(now=now)] == [""] * 4


@pytest.mark.django_db
def test_the_key_is_kept_for_its_owner_only_and_used_again(tmp_path: Path) -> None:
    path = tmp_path / "var" / "demo-key"
    secret, new = demo_key(now=timezone.now(), path=path)
    assert new
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert demo_key(now=timezone.now(), path=path) == (secret, False)


@pytest.mark.django_db
def test_a_kept_key_that_was_revoked_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "demo-key"
    secret, _ = demo_key(now=timezone.now(), path=path)
    AppKey.objects.update(revoked_at=timezone.now())
    replaced, new = demo_key(now=timezone.now(), path=path)
    assert new
    assert replaced != secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_two_commands_raise_and_clear_an_alert_again_and_again(api: Api) -> None:
    person = new_person(name="Margarete Vogel")
    allergy = {"kind": "health.Allergy", "data": {"substance": "penicillin", "severity": "severe"}}
    api.post(f"users/{person.pk}/facts", {"text": "Never penicillin.", "readings": [allergy]})
    for _ in range(2):
        raised = api.post(f"users/{person.pk}/facts", PRESCRIBED).json()
        assert [alert["severity"] for alert in raised["alerts"]["opened"]] == ["critical"]
        cleared = api.post(f"users/{person.pk}/facts", STOPPED).json()
        assert len(cleared["alerts"]["cleared"]) == 1


@pytest.mark.django_db
def test_the_printed_commands_are_whole(db: None) -> None:
    person = new_person(name="Margarete Vogel")
    lines = try_it(PLACE, person)
    assert any("Margarete Vogel" in line for line in lines)
    commands = [shlex.split(line) for line in lines if line.startswith("curl")]
    assert [command[2] for command in commands] == [
        f"http://localhost:8000/api/v1/users/{person.pk}/facts"
    ] * 2
