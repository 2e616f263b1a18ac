"""The demo's logins need no phone, and nothing but a demo may do so."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client
from pydantic import ValidationError
from pytest_django import Settings

from tests.uac_site.accounts.door import enrolled, give_password, is_in
from uac_site.env import Environment

KEY = "k3y-" * 8 + "abcdefghij0123456789"


def test_the_page_says_plainly_that_it_is_a_demo(
    browser: Client, reviewer: Staff, settings: Settings
) -> None:
    assert "Demo" not in browser.get("/login").content.decode()
    settings.SECOND_FACTOR_REQUIRED = False
    assert "need no second factor here" in browser.get("/login").content.decode()
    give_password(browser, "reviewer")
    assert is_in(browser)


def test_who_has_enrolled_is_asked_in_a_demo_too(
    browser: Client, reviewer: Staff, settings: Settings
) -> None:
    enrolled("reviewer")
    settings.SECOND_FACTOR_REQUIRED = False
    assert give_password(browser, "reviewer")["Location"] == "/login/code"


@pytest.mark.parametrize(
    ("https", "hosts"), [(True, ("localhost",)), (False, ("localhost", "uac.example.org"))]
)
def test_a_production_site_refuses_to_start_so(https: bool, hosts: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError, match="UAC_DEMO_WITHOUT_SECOND_FACTOR"):
        Environment(
            secret_key=KEY,
            https=https,
            allowed_hosts=hosts,
            uac_demo_without_second_factor=True,
        )


def test_a_site_on_this_machine_alone_may() -> None:
    made = Environment(
        secret_key=KEY,
        https=False,
        allowed_hosts=("localhost", "127.0.0.1"),
        uac_demo_without_second_factor=True,
    )
    assert made.only_here
