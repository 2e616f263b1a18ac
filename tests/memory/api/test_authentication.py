"""Who enters: an app with an active key, and nobody else."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import CommandError, call_command
from django.db import connection

from memory.actions.app_keys import note_use, revoke_app_key
from memory.audit import CONSOLE
from memory.models import AppKey, MemoryUser
from tests.api_client import HOST, Api, facts_path, pointers
from tests.facts import fact
from tests.staff import new_key


def _paths(person: MemoryUser) -> list[str]:
    own = ("", "/facts", "/messages", "/state", "/state/health.Allergy", "/alerts")
    return ["users", *(f"users/{person.pk}{rest}" for rest in own)]


@pytest.mark.parametrize("secret", [None, "", "uac_wrong", "x" * 5_000, "uac_ü"])
def test_nobody_enters_without_a_key_that_is_known(person: MemoryUser, secret: str | None) -> None:
    for path in _paths(person):
        answer = Api(secret).get(path)
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"].startswith("Bearer")
        pointers(answer)


def test_nothing_is_stored_without_a_key(api: Api, person: MemoryUser) -> None:
    assert Api(None).post_facts(person, fact("one")).status_code == 401
    assert api.all(facts_path(person.pk)) == []


@pytest.mark.parametrize("scheme", ["Basic", "Token", ""])
def test_a_key_under_another_scheme_is_none(
    app_secret: str, person: MemoryUser, scheme: str
) -> None:
    api = Api(None)
    answer = api.client.get(
        f"/api/v1/users/{person.pk}", headers={"authorization": f"{scheme} {app_secret}".strip()}
    )
    assert answer.status_code == 401


def test_a_caregivers_session_does_not_open_the_api(caregiver: Staff, person: MemoryUser) -> None:
    api = Api(None)
    api.client.force_login(caregiver)
    assert api.get(f"users/{person.pk}").status_code == 401


def test_a_revoked_key_closes_at_once(api: Api, person: MemoryUser, now: datetime) -> None:
    assert api.get(f"users/{person.pk}").status_code == 200
    assert revoke_app_key(key=AppKey.objects.get(), actor=CONSOLE, now=now)
    assert api.get(f"users/{person.pk}").status_code == 401
    assert not revoke_app_key(key=AppKey.objects.get(), actor=CONSOLE, now=now)


def test_an_app_may_hold_two_keys_while_it_changes_them(
    api: Api, person: MemoryUser, now: datetime
) -> None:
    old = AppKey.objects.get()
    secret = new_key("chat", now=now)
    assert set(AppKey.objects.values_list("app", flat=True)) == {old.app_id}
    revoke_app_key(key=old, actor=CONSOLE, now=now)
    assert Api(secret).get(f"users/{person.pk}").status_code == 200


def test_the_secret_itself_is_stored_nowhere(app_secret: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM memory_appkey")
        (row,) = cursor.fetchall()
    kept = "".join(str(value) for value in row)
    assert app_secret not in kept
    assert app_secret[12:] not in kept
    assert AppKey.digest_of(app_secret) in kept


def test_secrets_do_not_repeat() -> None:
    secrets = {AppKey.new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(len(secret) >= 46 and secret.startswith("uac_") for secret in secrets)


def test_use_of_a_key_is_noted(api: Api, person: MemoryUser, now: datetime) -> None:
    assert AppKey.objects.get().last_used_at is None
    api.get(f"users/{person.pk}")
    used = AppKey.objects.get().last_used_at
    assert used is not None
    assert used >= now


def test_use_is_noted_to_the_minute(api: Api, now: datetime) -> None:
    for moment in (now, now + timedelta(seconds=59)):
        note_use(key=AppKey.objects.get(), now=moment)
    assert AppKey.objects.get().last_used_at == now
    later = now + timedelta(seconds=61)
    note_use(key=AppKey.objects.get(), now=later)
    assert AppKey.objects.get().last_used_at == later


def test_keys_are_made_listed_and_revoked_by_command(
    capsys: pytest.CaptureFixture[str], person: MemoryUser
) -> None:
    call_command("app_key", "create", "robot")
    secret = capsys.readouterr().out.strip()
    assert Api(secret).get(f"users/{person.pk}").status_code == 200
    call_command("app_key", "list")
    listed = capsys.readouterr().out
    assert secret not in listed
    assert f"{secret[:12]}  robot  active" in listed
    call_command("app_key", "revoke", secret[:12])
    assert Api(secret).get(f"users/{person.pk}").status_code == 401
    with pytest.raises(CommandError, match="0 active keys"):
        call_command("app_key", "revoke", secret[:12])


def test_answers_are_kept_by_no_cache(api: Api, person: MemoryUser) -> None:
    assert "no-store" in api.get(f"users/{person.pk}")["Cache-Control"]
    assert api.client.defaults["SERVER_NAME"] == HOST
