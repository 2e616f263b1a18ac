"""Admins look after staff on pages of their own."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from memory.access import may
from memory.models import AuditEvent, RoleGrant
from memory.rights import Right, Role
from tests.api_client import HOST
from tests.uac_site.accounts.conftest import staff_called
from tests.uac_site.accounts.door import enrolled, give_password, is_in

SECRET = re.compile(r'id="secret">([^<]+)<')


@pytest.fixture
def office(transactional_db: None) -> Client:
    """The browser of an admin who has enrolled."""
    staff_called("admin", Role.ADMIN)
    return enrolled("admin")[0]


def shown(text: bytes) -> str:
    found = SECRET.search(text.decode())
    assert found is not None
    return found[1]


def act(office: Client, staff: Staff, what: str, **form: str) -> str:
    """Press a button on somebody's page; the page afterwards."""
    answer = office.post(f"/office/staff/{staff.pk}/{what}", form, follow=True)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_a_new_login_begins_with_a_password_shown_once(office: Client, browser: Client) -> None:
    form = {"username": "mary", "full_name": "Mary Seacole", "roles": ["caregiver"]}
    password = shown(office.post("/office/staff/new", form).content)
    mary = Staff.objects.get(username="mary")
    for path in ("/office/staff", f"/office/staff/{mary.pk}"):
        text = office.get(path).content.decode()
        assert "Mary Seacole" in text
        assert password not in text
    assert may(mary, Right.ALERTS_READ)
    assert give_password(browser, "mary", password)["Location"] == "/login/password"


@pytest.mark.parametrize(("name", "words"), [("ADMIN", "Another login"), ("a b", "Enter a valid")])
def test_a_name_that_cannot_be_is_refused(office: Client, name: str, words: str) -> None:
    answer = office.post("/office/staff/new", {"username": name})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Staff.objects.count() == 1


def test_a_role_is_given_and_taken_back(office: Client, nurse: Staff) -> None:
    act(office, nurse, "grant", role="auditor")
    assert may(nurse, Right.AUDIT_READ)
    assert "is an auditor now" in act(office, nurse, "grant", role="auditor")
    act(office, nurse, "withdraw", role="auditor")
    assert not may(nurse, Right.AUDIT_READ)
    assert "did not have" in act(office, nurse, "withdraw", role="auditor")
    assert RoleGrant.objects.filter(staff=nurse, role="auditor").count() == 1


def test_a_role_that_demands_a_second_factor_ends_sessions_without_one(
    office: Client, browser: Client, nurse: Staff
) -> None:
    give_password(browser, "nurse")
    act(office, nurse, "grant", role="auditor")
    assert is_in(browser)
    act(office, nurse, "grant", role="reviewer")
    assert not is_in(browser)
    assert give_password(browser, "nurse")["Location"] == "/login/second-factor"


def test_who_is_shut_out_is_out_at_once_and_may_be_let_in_again(
    office: Client, browser: Client, nurse: Staff
) -> None:
    give_password(browser, "nurse")
    assert "shut out" in act(office, nurse, "disable")
    assert not is_in(browser)
    assert give_password(browser, "nurse").status_code == 200
    act(office, nurse, "enable")
    assert give_password(browser, "nurse").status_code == 302


def test_a_second_factor_is_reset_by_an_admin_and_recorded(office: Client, reviewer: Staff) -> None:
    theirs, _, _ = enrolled("reviewer")
    assert "reset and their sessions" in act(office, reviewer, "second-factor/reset")
    assert not is_in(theirs)
    assert not TOTPDevice.objects.filter(user=reviewer).exists()
    browser = Client(SERVER_NAME=HOST)
    assert give_password(browser, "reviewer")["Location"] == "/login/second-factor"
    event = AuditEvent.objects.get(action="account.remove_second_factor")
    admin = Staff.objects.get(username="admin")
    assert (event.actor_id, event.object_id) == (str(admin.pk), str(reviewer.pk))
    assert "no second factor to reset" in act(office, reviewer, "second-factor/reset")


def test_a_lost_password_is_replaced_by_one_shown_once(
    office: Client, browser: Client, nurse: Staff
) -> None:
    password = shown(office.post(f"/office/staff/{nurse.pk}/password").content)
    assert give_password(browser, "nurse").status_code == 200
    assert give_password(browser, "nurse", password)["Location"] == "/login/password"


@pytest.mark.parametrize("what", ["disable", "second-factor/reset", "password"])
def test_admins_do_not_do_it_to_themselves(office: Client, what: str) -> None:
    admin = Staff.objects.get(username="admin")
    before = admin.password
    staff_called("other", Role.ADMIN)
    assert "for another admin" in act(office, admin, what)
    admin.refresh_from_db()
    assert admin.is_active
    assert admin.password == before
    assert TOTPDevice.objects.filter(user=admin).exists()


def test_the_last_admin_stays_one(office: Client) -> None:
    admin = Staff.objects.get(username="admin")
    office.post(f"/office/staff/{admin.pk}/withdraw", {"role": "admin"})
    assert may(admin, Right.ADMINISTER)
    staff_called("other", Role.ADMIN)
    office.post(f"/office/staff/{admin.pk}/withdraw", {"role": "admin"})
    assert not may(admin, Right.ADMINISTER)
    assert office.get("/office/staff").status_code == 403


def test_the_list_says_what_matters_of_each(office: Client, nurse: Staff, reviewer: Staff) -> None:
    text = office.get("/office/staff").content.decode()
    for words in ("set up", "due at login", "not set up", "caregiver", "reviewer"):
        assert words in text
    found = office.get("/office/staff", {"q": "nur"}).content.decode()
    assert ">nurse<" in found
    assert ">reviewer<" not in found
    assert "Nobody is called" in office.get("/office/staff", {"q": "xyz"}).content.decode()


@pytest.mark.parametrize("path", ["/office/staff", "/office/teams", "/office/keys"])
def test_the_office_is_for_admins(browser: Client, nurse: Staff, path: str) -> None:
    assert browser.get(path).status_code == 302
    give_password(browser, "nurse")
    assert browser.get(path).status_code == 403


def test_nobody_else_resets_a_second_factor(browser: Client, nurse: Staff, reviewer: Staff) -> None:
    enrolled("reviewer")
    give_password(browser, "nurse")
    answer = browser.post(f"/office/staff/{reviewer.pk}/second-factor/reset")
    assert answer.status_code == 404
    assert TOTPDevice.objects.filter(user=reviewer).exists()


def test_the_number_of_queries_does_not_grow_with_the_staff(
    office: Client, settings: Settings, django_assert_max_num_queries: object
) -> None:
    for number in range(8):
        staff_called(f"colleague-{number}", Role.CAREGIVER)
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        office.get("/office/staff")


@pytest.mark.parametrize(
    ("roles", "home"),
    [
        ((Role.CAREGIVER,), "/"),
        ((Role.AUDITOR, Role.CAREGIVER), "/"),
        ((Role.AUDITOR,), "/audit"),
        ((), "/account"),
    ],
)
def test_one_comes_to_where_ones_work_is(
    browser: Client, transactional_db: None, roles: tuple[Role, ...], home: str
) -> None:
    staff_called("somebody", *roles)
    assert give_password(browser, "somebody")["Location"] == home
    assert browser.get("/login")["Location"] == home
