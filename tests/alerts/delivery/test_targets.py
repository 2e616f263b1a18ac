"""Where a webhook may lead: every address that a name has is judged, however it is written."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Any

import pytest

from alerts.delivery.door import post
from alerts.delivery.targets import (
    BadTarget,
    Forbidden,
    NoAddress,
    checked_url,
    is_public,
    look_up,
)
from tests.webhook_server import receiver

INSIDE = (
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255"),
    *("192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1"),
    *("198.51.100.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fc00::1", "fd12::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "2002:7f00:1::"),
    *("2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:80ff:fffe", "100::1"),
)
OUTSIDE = ("1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "::ffff:1.1.1.1", "2002:101:101::1")


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_of_no_host_of_the_internet_is_refused(address: str) -> None:
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", OUTSIDE)
def test_an_address_of_the_internet_is_taken(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/hook",
        "ftp://example.org/",
        "https://",
        "https:///hook",
        "https://user@example.org/",
        "https://user:secret@example.org/",
        "https://example.org/#part",
        "https://example.org:70000/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://exa mple.org/",
        "https://example.org/\r\nHost: inside",
        "https://exämple.org/",
        "https://example.org/" + "a" * 500,
        "javascript:alert(1)",
        "",
    ],
)
def test_such_an_address_is_refused_before_it_is_stored(url: str) -> None:
    with pytest.raises(BadTarget):
        checked_url(url, private=False)


def test_what_is_fine_is_kept_as_it_is() -> None:
    for url in ("https://hooks.example.org/a?b=c", "https://example.org:8443/", "https://1.1.1.1/"):
        assert checked_url(url, private=False) == url
    assert checked_url("http://127.0.0.1:8000/x", private=True) == "http://127.0.0.1:8000/x"


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f000001", "127.1", "0", "::1"])
def test_other_ways_to_write_this_machine_are_seen_through(host: str) -> None:
    with pytest.raises((Forbidden, NoAddress)):
        look_up(private=False)(host, 443)


def test_a_name_that_leads_nowhere_is_said_so() -> None:
    with pytest.raises(NoAddress):
        look_up(private=False)("nobody.invalid", 443)
    with pytest.raises(NoAddress):
        look_up(private=False)("a" * 70 + ".example", 443)


def test_one_address_inside_among_others_is_enough_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [(2, 1, 6, "", ("1.1.1.1", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *asked, **more: rows)
    with pytest.raises(Forbidden):
        look_up(private=False)("both.example", 443)


def test_the_connection_goes_to_the_address_that_was_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name that leads elsewhere when it is asked again is not asked again."""
    asked: list[str] = []

    def rebinding(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
        asked.append(host)
        first = "127.0.0.1" if host in asked[:-1] else "127.0.0.2"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (first, port))]

    with receiver() as inside:
        port = inside.server.server_port
        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        found = look_up(private=True)
        answered = post(f"http://twice.example:{port}/", b"{}", {}, look_up=found)
        assert asked.count("twice.example") == 1
        assert inside.received == []  # it listens on 127.0.0.1 alone: the second answer
    assert answered.error == "no_connection"
