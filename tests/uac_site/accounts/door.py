"""Log in as a person would, step by step."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tests.api_client import HOST
from tests.authenticator import code_of, codes_on, key_on
from tests.uac_site.accounts.conftest import PASSWORD


def give_password(browser: Client, name: str, password: str = PASSWORD, **more: Any) -> Any:
    """The first step."""
    return browser.post("/login", {"username": name, "password": password}, **more)


def give_code(browser: Client, code: str, **more: Any) -> Any:
    """The second step."""
    return browser.post("/login/code", {"code": code}, **more)


def enrolled(name: str) -> tuple[Client, bytes, list[str]]:
    """Somebody logs in for the first time and enrols: their browser, key and recovery codes."""
    browser = Client(SERVER_NAME=HOST)
    give_password(browser, name)
    address = "/login/second-factor"
    if browser.get(address).status_code == 302:  # nobody demands it: it is set up on the account
        address = "/account/second-factor"
    key = key_on(browser.get(address).content.decode())
    answer = browser.post(address, {"code": code_of(key)})
    assert answer.status_code == 200, answer.content.decode()
    return browser, key, codes_on(answer.content.decode())


def is_in(browser: Client) -> bool:
    """Whether the pages of the account open."""
    return bool(browser.get("/account").status_code == 200)
