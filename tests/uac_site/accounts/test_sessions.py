"""A session has an idle limit that acts renew, and one that nothing renews."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from tests.api_client import HOST
from tests.uac_site.accounts.conftest import PASSWORD
from tests.uac_site.accounts.door import give_password, is_in
from uac_site.accounts.actions.passwords import give_password as hand_out
from uac_site.accounts.models import StaffSession
from uac_site.accounts.sessions import SessionStore
from uac_site.accounts.tasks import sweep_accounts

NEW = "three-other-long-words"


def shift(time: timedelta) -> None:
    """Let time pass for every session: what it keeps lies further back."""
    for row in StaffSession.rows.all():
        data = {
            name: value - time.total_seconds() if name in ("began", "seen") else value
            for name, value in row.get_decoded().items()
        }
        StaffSession.rows.filter(pk=row.pk).update(
            session_data=SessionStore().encode(data),
            expire_date=row.expire_date - time,
            seen_at=row.seen_at - time,
            began_at=row.began_at - time,
        )


@pytest.fixture
def at_work(browser: Client, nurse: Staff) -> Client:
    """The browser of somebody who is logged in."""
    give_password(browser, "nurse")
    assert is_in(browser)
    return browser


def test_a_session_ends_when_nothing_is_done(at_work: Client) -> None:
    shift(timedelta(minutes=29))
    assert is_in(at_work)
    shift(timedelta(minutes=29))
    assert is_in(at_work)
    shift(timedelta(minutes=31))
    answer = at_work.get("/account")
    assert answer["Location"] == "/session-ended?next=/account"
    page = at_work.get(answer["Location"]).content.decode()
    assert "after 30 minutes" in page
    assert 'href="/login?next=%2Faccount"' in page


def test_a_session_ends_whatever_is_done(at_work: Client) -> None:
    for _ in range(24):
        assert is_in(at_work)
        shift(timedelta(minutes=29, seconds=50))
    assert is_in(at_work)
    shift(timedelta(minutes=5))
    assert not is_in(at_work)


def test_a_page_that_keeps_itself_up_to_date_does_not_renew(at_work: Client) -> None:
    for _ in range(4):
        shift(timedelta(minutes=8))
        at_work.get("/account", headers={"X-Requested-With": "fetch"})
    assert not is_in(at_work)


def test_what_is_left_can_be_asked_and_renewed(at_work: Client) -> None:
    shift(timedelta(minutes=20))
    asked = at_work.get("/session").json()
    assert 590 <= asked["left"] <= 600
    assert asked["renewable"]
    assert at_work.post("/session").json()["left"] >= 1_798
    shift(timedelta(minutes=31))
    assert at_work.get("/session").json() == {"left": 0, "renewable": False}
    assert at_work.post("/session").json()["left"] == 0


def test_near_the_longest_time_nothing_renews(at_work: Client, settings: Settings) -> None:
    settings.SESSION_LONGEST = timedelta(minutes=20)
    assert is_in(at_work)
    at_work.post("/session")
    left = at_work.get("/session").json()
    assert left["left"] <= 1_200
    assert not left["renewable"]


def test_a_form_from_elsewhere_renews_nothing(nurse: Staff) -> None:
    browser = Client(SERVER_NAME=HOST, enforce_csrf_checks=True)
    assert browser.post("/session").status_code == 403


def test_every_page_carries_the_warning(at_work: Client) -> None:
    text = at_work.get("/account").content.decode()
    assert "data-session " in text
    assert 'src="/static/js/session.js"' in text


def test_the_cookie_ends_with_the_browser(browser: Client, nurse: Staff) -> None:
    cookie = give_password(browser, "nurse").cookies["sessionid"]
    assert cookie["max-age"] == ""
    assert cookie["expires"] == ""
    assert cookie["httponly"]


def test_who_never_logged_in_reads_nothing_of_an_ended_session(browser: Client) -> None:
    assert browser.get("/account")["Location"].startswith("/login?")


def test_logging_out_everywhere_else_leaves_this_session(at_work: Client) -> None:
    other = Client(SERVER_NAME=HOST)
    give_password(other, "nurse")
    at_work.post("/account/sessions/end")
    assert is_in(at_work)
    assert not is_in(other)


def test_logging_out_everywhere_leaves_none(at_work: Client, reviewer: Staff) -> None:
    other = Client(SERVER_NAME=HOST)
    give_password(other, "nurse")
    at_work.post("/account/sessions/end", {"everywhere": "yes"})
    assert not is_in(at_work)
    assert not is_in(other)


def test_the_account_names_each_session_by_browser_and_address(nurse: Staff) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    browser = Client(SERVER_NAME=HOST, REMOTE_ADDR="203.0.113.5", HTTP_USER_AGENT=agent)
    give_password(browser, "nurse")
    text = browser.get("/account").content.decode()
    assert "Firefox on Linux" in text
    assert "203.0.113.5" in text


def test_a_login_begins_a_session_with_another_key(browser: Client, nurse: Staff) -> None:
    browser.get("/login")
    give_password(browser, "nurse")
    before = browser.session.session_key
    browser.post("/logout")
    assert not StaffSession.rows.filter(pk=before).exists()
    give_password(browser, "nurse")
    assert browser.session.session_key != before


def change(browser: Client, old: str = PASSWORD, new: str = NEW, again: str = NEW) -> int:
    form = {"old": old, "new": new, "again": again}
    return int(browser.post("/account/password", form).status_code)


def test_a_changed_password_ends_the_other_sessions(at_work: Client, nurse: Staff) -> None:
    other = Client(SERVER_NAME=HOST)
    give_password(other, "nurse")
    assert change(at_work) == 302
    assert is_in(at_work)
    assert not is_in(other)
    give_password(other, "nurse", NEW)
    assert is_in(other)


@pytest.mark.parametrize("new", ["short", "123456789012345", "q1w2e3r4t5y6", PASSWORD])
def test_a_weak_password_is_refused(at_work: Client, new: str) -> None:
    assert change(at_work, new=new, again=new) == 422


def test_the_password_is_not_changed_without_the_old_one_or_by_a_slip(at_work: Client) -> None:
    assert change(at_work, old="wrong") == 422
    assert change(at_work, again="another-slip-of-words") == 422
    assert Staff.objects.get(username="nurse").check_password(PASSWORD)


def test_a_password_somebody_was_given_is_replaced_at_the_door(
    browser: Client, at_work: Client, nurse: Staff, reviewer: Staff
) -> None:
    given = hand_out(staff=nurse, actor=reviewer, now=timezone.now())
    assert not is_in(at_work)
    assert give_password(browser, "nurse", given)["Location"] == "/login/password"
    assert not is_in(browser)
    assert browser.post("/login/password", {"new": given, "again": given}).status_code == 422
    assert browser.post("/login/password", {"new": NEW, "again": NEW}).status_code == 302
    assert is_in(browser)
    again = Client(SERVER_NAME=HOST)
    give_password(again, "nurse", NEW)
    assert is_in(again)


def test_who_stands_at_the_door_too_long_begins_anew(browser: Client, reviewer: Staff) -> None:
    give_password(browser, "reviewer")
    assert browser.get("/login/second-factor").status_code == 200
    shift(timedelta(minutes=11))
    assert browser.get("/login/second-factor")["Location"] == "/login"


def test_what_is_over_is_swept(at_work: Client) -> None:
    shift(timedelta(hours=1))
    sweep_accounts()
    assert not StaffSession.rows.exists()
