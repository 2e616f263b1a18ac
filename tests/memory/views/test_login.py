"""Logging in and out, and the pages for what goes wrong."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from tests.api_client import HOST

PASSWORD = "a-long-pass-phrase"


def log_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> object:
    return client.post("/login", {"username": name, "password": password, **more})


def test_staff_log_in_and_come_to_where_they_wanted(caregiver: Staff) -> None:
    answer = log_in(Client(SERVER_NAME=HOST), "caregiver", next="/people")
    assert answer.status_code == 302  # type: ignore[attr-defined]
    assert answer["Location"] == "/people"  # type: ignore[index]


def test_a_login_leads_to_no_other_site(caregiver: Staff) -> None:
    answer = log_in(Client(SERVER_NAME=HOST), "caregiver", next="https://evil.example/")
    assert answer["Location"] == "/"  # type: ignore[index]


def test_a_login_that_could_see_nothing_is_refused_with_the_remedy(outsider: Staff) -> None:
    answer = log_in(Client(SERVER_NAME=HOST), "outsider")
    assert "Ask an administrator" in answer.content.decode()  # type: ignore[attr-defined]


def test_a_wrong_password_is_refused(caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    log_in(client, "caregiver", "wrong")
    assert client.get("/people").status_code == 302


def test_a_login_that_is_closed_ends_at_once(caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert client.get("/people").status_code == 200
    Staff.objects.update(is_active=False)
    assert client.get("/people").status_code == 302


def test_logging_out_is_a_post_and_ends_the_session(caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert client.get("/logout").status_code == 405
    assert client.post("/logout").status_code == 302
    assert client.get("/people").status_code == 302


def test_a_form_from_elsewhere_changes_nothing_and_says_why(caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST, enforce_csrf_checks=True)
    answer = log_in(client, "caregiver")
    assert answer.status_code == 403  # type: ignore[attr-defined]
    assert "nothing was changed" in answer.content.decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/login", "/nowhere", "/people"])
def test_no_page_needs_a_script_or_style_of_its_own(caregiver: Staff, path: str) -> None:
    client = Client(SERVER_NAME=HOST)
    if path != "/login":
        client.force_login(caregiver)
    answer = client.get(path)
    policy = answer["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    text = answer.content.decode()
    assert "<style" not in text
    assert " style=" not in text
    assert " onclick=" not in text


def test_what_does_not_exist_says_what_to_do(transactional_db: None) -> None:
    answer = Client(SERVER_NAME=HOST).get("/nowhere")
    assert answer.status_code == 404
    assert "ask an administrator for access" in answer.content.decode()


def test_personal_pages_are_kept_by_no_cache(caregiver: Staff) -> None:
    client = Client(SERVER_NAME=HOST)
    client.force_login(caregiver)
    assert "no-store" in client.get("/people")["Cache-Control"]
