"""Guessing gets slower and slower, for who guesses, and for nobody else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.db.models import F
from django.test import Client

from tests.api_client import HOST
from tests.authenticator import next_code_of
from tests.together import together
from tests.uac_site.accounts.door import enrolled, give_code, give_password, is_in
from uac_site.accounts.address import neighbourhood
from uac_site.accounts.models import Throttle
from uac_site.accounts.throttling import ADDRESS, NAME, PAIR, Policy

HERE, THERE = {"REMOTE_ADDR": "203.0.113.5"}, {"REMOTE_ADDR": "198.51.100.7"}


def guess(browser: Client, times: int, name: str = "nurse", **where: str) -> int:
    """Wrong passwords in a row; the last answer's status."""
    for _ in range(times):
        status = give_password(browser, name, "wrong", **where).status_code
    return int(status)


def wait(time: timedelta) -> None:
    """Let time pass for the counts."""
    Throttle.objects.update(held_until=F("held_until") - time)


@pytest.mark.parametrize("policy", [PAIR, ADDRESS, NAME])
def test_the_wait_grows_and_has_an_end(policy: Policy) -> None:
    waits = [policy.wait(failures) for failures in range(1, 500)]
    assert waits == sorted(waits)
    assert waits[policy.free - 2] == timedelta(0)
    assert waits[policy.free - 1] == policy.first
    assert waits[policy.free] == 2 * policy.first
    assert waits[-1] == policy.longest


def test_after_five_failures_even_the_right_password_waits(browser: Client, nurse: Staff) -> None:
    assert guess(browser, 5) == 200
    answer = give_password(browser, "nurse")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 31
    assert "Wait" in answer.content.decode()
    wait(timedelta(seconds=31))
    assert give_password(browser, "nurse").status_code == 302


def test_a_failure_after_the_wait_doubles_it(browser: Client, nurse: Staff) -> None:
    guess(browser, 5)
    wait(timedelta(seconds=31))
    guess(browser, 1)
    assert 31 < int(give_password(browser, "nurse")["Retry-After"]) <= 61


def test_a_try_while_waiting_costs_nothing_more(browser: Client, nurse: Staff) -> None:
    guess(browser, 20)
    wait(timedelta(seconds=31))
    assert give_password(browser, "nurse").status_code == 302


def test_a_stranger_locks_nobody_out(browser: Client, nurse: Staff) -> None:
    assert guess(Client(SERVER_NAME=HOST), 20, **HERE) == 429
    assert give_password(browser, "nurse", **THERE).status_code == 302


def test_the_right_password_settles_the_count(browser: Client, nurse: Staff) -> None:
    for _ in range(3):
        assert guess(browser, 4) == 200
        assert give_password(browser, "nurse").status_code == 302
        browser.post("/logout")


def test_a_name_nobody_has_is_treated_alike(browser: Client, nurse: Staff) -> None:
    assert guess(browser, 5, "nobody") == 200
    assert guess(browser, 1, "nobody") == 429
    assert guess(browser, 1, "  NoBody ") == 429


def test_one_address_that_tries_many_names_waits_and_who_works_there_does_not(
    browser: Client, nurse: Staff, reviewer: Staff
) -> None:
    give_password(browser, "nurse", **HERE)
    browser.post("/logout")
    stranger = Client(SERVER_NAME=HOST)
    for number in range(ADDRESS.free):
        guess(stranger, 1, f"name-{number}", **HERE)
    assert guess(stranger, 1, "another", **HERE) == 429
    assert give_password(stranger, "reviewer", **HERE).status_code == 429
    assert give_password(browser, "nurse", **HERE).status_code == 302


def test_names_that_were_typed_are_not_kept(browser: Client, nurse: Staff) -> None:
    guess(browser, 1, "my-password-by-mistake")
    assert "my-password" not in str(list(Throttle.objects.values()))


def test_codes_are_counted_too_and_from_everywhere_together(reviewer: Staff) -> None:
    _, key, _ = enrolled("reviewer")
    answers = []
    for number in range(NAME.free + 1):
        browser = Client(SERVER_NAME=HOST, REMOTE_ADDR=f"203.0.113.{number}")
        give_password(browser, "reviewer")
        answers.append(give_code(browser, "000000").status_code)
    assert answers == [422] * NAME.free + [429]
    browser = Client(SERVER_NAME=HOST, REMOTE_ADDR="198.51.100.7")
    give_password(browser, "reviewer")
    assert give_code(browser, next_code_of(key)).status_code == 429
    wait(timedelta(seconds=61))
    assert give_code(browser, next_code_of(key)).status_code == 302
    assert is_in(browser)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_an_address_is_counted_by_who_was_given_it(address: str, counted: str) -> None:
    assert neighbourhood(address) == counted


def test_many_at_once_gain_nothing(nurse: Staff) -> None:
    def one() -> int:
        return int(give_password(Client(SERVER_NAME=HOST), "nurse", "wrong").status_code)

    answers = together(*[one for _ in range(8)])
    assert sorted(answers) == [200] * PAIR.free + [429] * (8 - PAIR.free)
