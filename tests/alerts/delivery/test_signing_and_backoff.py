"""The pure parts of telling others: secrets, signatures, waits."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from pytest_django import Settings

from alerts.delivery.backoff import ATTEMPTS, LONGEST, wait_after
from alerts.delivery.signing import secret_of, signature

ID = UUID("00000000-0000-0000-0000-000000000001")
OTHER = UUID("00000000-0000-0000-0000-000000000002")


def test_a_signature_is_the_hmac_of_time_and_body() -> None:
    # printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac key
    told = signature("key", 1_700_000_000, b'{"a":1}')
    assert told == "a438e398bfafc57e4396bb7fc2304422f0f768e965d073ca313cb52e22e6ad03"
    assert told != signature("key", 1_700_000_001, b'{"a":1}')
    assert told != signature("other", 1_700_000_000, b'{"a":1}')


def test_a_secret_is_of_its_webhook_its_number_and_the_site(settings: Settings) -> None:
    one = secret_of(ID, 1)
    assert one == secret_of(ID, 1)
    assert len({one, secret_of(ID, 2), secret_of(OTHER, 1)}) == 3
    assert one.startswith("uacwh_")
    assert len(one) == len("uacwh_") + 43
    settings.SECRET_KEY = "another key of the site, as long as it has to be"
    assert secret_of(ID, 1) != one


def test_waits_grow_threefold_up_to_a_longest_and_end() -> None:
    waits = [wait_after(attempt, random=lambda: 0.0) for attempt in range(1, ATTEMPTS + 1)]
    assert waits[:4] == [timedelta(seconds=seconds) for seconds in (20, 60, 180, 540)]
    assert waits[-2:] == [LONGEST, None]
    assert timedelta(hours=30) < sum((one for one in waits if one), timedelta()) < timedelta(days=2)


def test_chance_takes_up_to_a_third_away() -> None:
    assert wait_after(2, random=lambda: 1.0) == timedelta(seconds=40)


def test_what_the_endpoint_asks_for_is_the_least_up_to_an_hour() -> None:
    assert wait_after(1, random=lambda: 0.0, asked=90) == timedelta(seconds=90)
    assert wait_after(1, random=lambda: 0.0, asked=1e9) == timedelta(hours=1)
    assert wait_after(5, random=lambda: 0.0, asked=1) == timedelta(seconds=1_620)
