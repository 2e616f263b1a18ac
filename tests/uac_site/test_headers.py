"""What every answer tells the browser: run nothing of strangers, keep nothing, show it nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.models import MemoryUser
from memory.rights import Role
from tests.api_client import HOST, Api
from tests.facts import allergy, medication
from tests.staff import new_staff
from uac_site.env import BASE_DIR

CSP = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self'",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
}
PAGES = ("/", "/people", "/people/{}", "/people/{}?tab=facts", "/proposals", "/account", "/nowhere")
SECURE = """
import os, django
django.setup()
from django.test import Client
answer = Client(SERVER_NAME="localhost").get("/login", secure=True)
for name in ("Strict-Transport-Security", "Content-Security-Policy"):
    print(f"{name}: {answer[name]}")
for morsel in answer.cookies.values():
    print("cookie", morsel.key, morsel["secure"], morsel["samesite"])
print(Client(SERVER_NAME="localhost").get("/login")["Location"])
"""


@pytest.fixture
def page(caregiver: Staff) -> Client:
    """The site as the caregiver sees it."""
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    return client


def _directives(answer: Any) -> dict[str, str]:
    parts = answer["Content-Security-Policy"].split(";")
    return {name: value for name, _, value in (part.strip().partition(" ") for part in parts)}


def _guarded(answer: Any) -> None:
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]
    assert "no-store" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]


def test_every_page_carries_the_whole_policy(page: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("Amoxicillin"))
    for path in PAGES:
        answer = page.get(path.format(person.pk))
        assert _directives(answer) == CSP, path
        _guarded(answer)


def test_so_do_the_door_and_what_it_turns_away(transactional_db: None) -> None:
    client = Client(SERVER_NAME=HOST)
    for path in ("/login", "/people", "/session-ended", "/nowhere"):
        answer = client.get(path)
        assert _directives(answer) == CSP
        _guarded(answer)


def test_answers_of_the_api_are_kept_by_nobody(api: Api, person: MemoryUser) -> None:
    for answer in (
        api.get(f"users/{person.pk}"),
        api.get(f"users/{person.pk}/code.zip"),
        api.get("users/none"),
        api.post_facts(person, {"text": ""}),
        Api(None).get(f"users/{person.pk}"),
    ):
        _guarded(answer)


def test_the_page_of_the_api_needs_nothing_inline(page: Client) -> None:
    answer = page.get("/api/v1/docs")
    assert _directives(answer) == {**CSP, "img-src": "'self' data:"}
    assert "<style" not in answer.content.decode()


def test_the_administration_is_under_the_same_policy(transactional_db: None) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(new_staff("boss", Role.ADMIN))
    for path in ("/admin/", "/data", "/admin/memory/memoryuser/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert _directives(answer) == CSP
        _guarded(answer)


def test_no_template_of_ours_has_a_script_or_style_inline() -> None:
    inline = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:|<script(?![^>]*\ssrc=)", re.I)
    for path in (BASE_DIR / "templates").rglob("*.html"):
        assert inline.search(path.read_text()) is None, path


def test_no_script_of_ours_keeps_anything_in_the_browser() -> None:
    keeps = re.compile(r"localStorage|sessionStorage|indexedDB|document\.cookie|caches\.")
    unsafe = re.compile(r"\beval\(|new Function|document\.write|outerHTML\s*=")
    for path in (BASE_DIR / "static" / "js").rglob("*.js"):
        text = path.read_text()
        assert keeps.search(text) is None, path
        assert unsafe.search(text) is None, path


def _secure_site(**more: str) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": "/usr/bin:/bin",
        "DJANGO_SETTINGS_MODULE": "uac_site.settings",
        "HTTPS": "true",
        "DEBUG": "false",
        "SECRET_KEY": "Zq3vT8yKx1mNw5Rb7Jd0Lc4Hf6Gs9Pa2Ue_QiYoXtVkBnM",
        "ALLOWED_HOSTS": "localhost",
        "DATABASE_URL": "sqlite://:memory:",
        **more,
    }
    return subprocess.run(
        [sys.executable, "-c", SECURE],
        cwd=BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_with_https_the_browser_is_told_to_stay_there() -> None:
    ended = _secure_site()
    assert ended.returncode == 0, ended.stderr
    told = ended.stdout
    assert "Strict-Transport-Security: max-age=31536000; includeSubDomains; preload" in told
    assert "cookie csrftoken True Lax" in told
    assert told.splitlines()[-1] == "https://localhost/login"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "change-me"),
        ("SECRET_KEY", "a" * 50),
        ("SECRET_KEY", "django-insecure-Zq3vT8yKx1mNw5Rb7Jd0Lc4Hf6Gs9Pa2Ue"),
        ("DEBUG", "true"),
        ("ALLOWED_HOSTS", "*"),
        ("UAC_DEMO_WITHOUT_SECOND_FACTOR", "true"),
    ],
)
def test_production_does_not_start_on_defaults(name: str, value: str) -> None:
    ended = _secure_site(**{name: value})
    assert ended.returncode == 1
    assert name in ended.stderr
    assert not value or value[:20] not in ended.stderr or name != "SECRET_KEY"
