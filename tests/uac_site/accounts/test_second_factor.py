"""Two steps for whose roles demand it: no page but enrolment until it is done."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import CommandError, call_command
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from memory.models import AuditEvent, RoleGrant
from memory.rights import Role
from tests.api_client import HOST
from tests.authenticator import code_of, codes_on, key_on, next_code_of
from tests.uac_site.accounts.conftest import PASSWORD, staff_called
from tests.uac_site.accounts.door import enrolled, give_code, give_password, is_in
from uac_site.accounts.models import RecoveryCode

PAGES = ("/", "/people", "/proposals", "/account", "/account/password", "/admin/", "/api/v1/docs")


@pytest.mark.parametrize("path", PAGES)
def test_no_page_opens_before_enrolment(browser: Client, reviewer: Staff, path: str) -> None:
    answer = give_password(browser, "reviewer")
    assert answer["Location"] == "/login/second-factor"
    assert browser.get(path).status_code in (302, 403)
    assert "_auth_user_id" not in browser.session


@pytest.mark.parametrize("path", PAGES)
def test_a_session_from_before_the_role_was_given_ends_at_enrolment(
    browser: Client, nurse: Staff, path: str
) -> None:
    give_password(browser, "nurse")
    assert is_in(browser)
    RoleGrant.objects.create(staff=nurse, role=Role.REVIEWER, starts_at=nurse.date_joined)
    assert browser.get(path)["Location"] == "/login/second-factor"
    assert "_auth_user_id" not in browser.session


def test_enrolment_shows_a_picture_and_takes_the_code_of_the_phone(
    browser: Client, reviewer: Staff
) -> None:
    browser.post("/login", {"username": "reviewer", "password": PASSWORD, "next": "/proposals"})
    page = browser.get("/login/second-factor").content.decode()
    picture = browser.get("/login/qr.svg")
    assert picture["Content-Type"] == "image/svg+xml"
    assert picture.content.startswith(b"<svg")
    assert "no-store" in picture["Cache-Control"]
    assert 'src="/login/qr.svg"' in page
    done = browser.post("/login/second-factor", {"code": code_of(key_on(page))})
    assert len(codes_on(done.content.decode())) == 10
    assert 'href="/proposals"' in done.content.decode()
    assert is_in(browser)


def test_a_wrong_code_enrols_nothing(browser: Client, reviewer: Staff) -> None:
    give_password(browser, "reviewer")
    key = key_on(browser.get("/login/second-factor").content.decode())
    answer = browser.post("/login/second-factor", {"code": code_of(key, at=0.0)})
    assert answer.status_code == 422
    assert "clock of the phone" in answer.content.decode()
    assert not TOTPDevice.objects.exists()
    assert not is_in(browser)


def test_a_key_shown_to_somebody_else_is_not_the_one_that_is_enrolled(reviewer: Staff) -> None:
    keys = []
    for _ in range(2):
        browser = Client(SERVER_NAME=HOST)
        give_password(browser, "reviewer")
        keys.append(key_on(browser.get("/login/second-factor").content.decode()))
    assert keys[0] != keys[1]
    assert browser.post("/login/second-factor", {"code": code_of(keys[0])}).status_code == 422


def test_the_picture_is_nobody_elses(browser: Client, nurse: Staff) -> None:
    assert browser.get("/login/qr.svg").status_code == 404
    give_password(browser, "nurse")
    assert browser.get("/login/qr.svg").status_code == 404


def test_recovery_codes_are_shown_once_and_kept_as_digests(reviewer: Staff) -> None:
    browser, _, codes = enrolled("reviewer")
    for path in ("/account", "/account/second-factor"):
        text = browser.get(path).content.decode()
        assert not [code for code in codes if code in text]
    assert not [code for code in codes if code in str(dict(browser.session))]
    kept = set(RecoveryCode.objects.values_list("digest", flat=True))
    assert len(kept) == 10
    assert not kept & set(codes)


def test_the_next_login_asks_for_a_code(browser: Client, reviewer: Staff) -> None:
    _, key, _ = enrolled("reviewer")
    assert give_password(browser, "reviewer")["Location"] == "/login/code"
    assert not is_in(browser)
    assert give_code(browser, next_code_of(key)).status_code == 302
    assert is_in(browser)


def test_a_code_opens_only_once(browser: Client, reviewer: Staff) -> None:
    _, key, _ = enrolled("reviewer")
    code = next_code_of(key)
    give_password(browser, "reviewer")
    give_code(browser, code)
    other = Client(SERVER_NAME=HOST)
    give_password(other, "reviewer")
    assert give_code(other, code).status_code == 422
    assert not is_in(other)


def test_a_code_without_the_password_opens_nothing(browser: Client, reviewer: Staff) -> None:
    _, key, codes = enrolled("reviewer")
    for code in (next_code_of(key), codes[0]):
        assert give_code(browser, code)["Location"] == "/login"
        assert not is_in(browser)


def test_a_recovery_code_opens_the_door_once_however_it_is_typed(reviewer: Staff) -> None:
    _, _, codes = enrolled("reviewer")
    for tries, opens in ((codes[0].upper().replace("-", " "), True), (codes[0], False)):
        browser = Client(SERVER_NAME=HOST)
        give_password(browser, "reviewer")
        give_code(browser, tries)
        assert is_in(browser) is opens
    assert RecoveryCode.objects.unused(reviewer).count() == 9


def test_an_enrolled_caregiver_is_asked_too(browser: Client, nurse: Staff) -> None:
    _, key, _ = enrolled("nurse")
    assert give_password(browser, "nurse")["Location"] == "/login/code"
    give_code(browser, next_code_of(key))
    assert is_in(browser)


def test_enrolling_ends_the_other_sessions(browser: Client, nurse: Staff) -> None:
    give_password(browser, "nurse")
    mine, _, _ = enrolled("nurse")
    assert is_in(mine)
    assert not is_in(browser)


def test_new_recovery_codes_take_a_code_and_void_the_old(reviewer: Staff) -> None:
    browser, key, old = enrolled("reviewer")
    address = "/account/second-factor/codes"
    assert browser.post(address, {"code": "000000"}).status_code == 422
    new = codes_on(browser.post(address, {"code": next_code_of(key)}).content.decode())
    assert not set(old) & set(new)
    other = Client(SERVER_NAME=HOST)
    give_password(other, "reviewer")
    assert give_code(other, old[0]).status_code == 422
    assert give_code(other, new[0]).status_code == 302


def test_who_must_have_it_cannot_remove_it_and_who_need_not_can(
    reviewer: Staff, nurse: Staff
) -> None:
    for name, left in (("reviewer", 1), ("nurse", 0)):
        browser, key, _ = enrolled(name)
        browser.post("/account/second-factor/remove", {"code": next_code_of(key)})
        assert TOTPDevice.objects.filter(user__username=name).count() == left
        assert is_in(browser) is bool(left)


def test_a_superuser_needs_one_and_the_admins_own_login_is_no_way_around(browser: Client) -> None:
    Staff.objects.create_superuser("root", password=PASSWORD)
    form = {"username": "root", "password": PASSWORD}
    answer = browser.post("/admin/login/?next=/admin/", form)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/login")
    assert give_password(browser, "root")["Location"] == "/login/second-factor"


def test_a_password_changed_meanwhile_sends_back_to_the_first_step(
    browser: Client, reviewer: Staff
) -> None:
    _, key, _ = enrolled("reviewer")
    give_password(browser, "reviewer")
    reviewer.set_password("another-long-pass-phrase")
    reviewer.save()
    assert give_code(browser, next_code_of(key))["Location"] == "/login"
    assert not is_in(browser)


def test_every_step_is_recorded_and_no_code_is(reviewer: Staff) -> None:
    browser, _, codes = enrolled("reviewer")
    browser.post("/logout")
    give_password(browser, "reviewer", "wrong")
    give_password(browser, "reviewer")
    give_code(browser, "123456")
    give_code(browser, codes[0])
    rows = AuditEvent.objects.order_by("id").values_list("action", "outcome")
    assert [row for row in rows if row[0].startswith("account.")] == [
        ("account.enrol", "done"),
        ("account.recovery_codes", "done"),
        ("account.log_in", "done"),
        ("account.log_out", "done"),
        ("account.log_in", "refused"),
        ("account.code", "refused"),
        ("account.use_recovery", "done"),
        ("account.log_in", "done"),
    ]
    assert codes[0] not in str(list(AuditEvent.objects.values()))


def test_two_roles_are_as_one(browser: Client) -> None:
    staff_called("both", Role.CAREGIVER, Role.ADMIN)
    assert give_password(browser, "both")["Location"] == "/login/second-factor"


def test_the_console_resets_it_too_and_is_recorded(reviewer: Staff) -> None:
    browser, _, _ = enrolled("reviewer")
    call_command("reset_second_factor", "reviewer")
    assert not is_in(browser)
    event = AuditEvent.objects.get(action="account.remove_second_factor")
    assert event.actor_kind == "console"
    for name in ("reviewer", "nobody"):
        with pytest.raises(CommandError):
            call_command("reset_second_factor", name)
