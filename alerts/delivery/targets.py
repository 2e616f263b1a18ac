"""Where a webhook may lead: to a public address of the internet, unless a setting allows others.

The name is looked up once, every address found is judged, and the connection goes to one of those
that were judged, so that a name cannot lead elsewhere a moment later.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

LONGEST = 500
TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
COMPATIBLE = IPv6Network("::/96")
SPECIAL = tuple(
    ip_network(one)
    for one in (
        *("192.0.0.0/24", "192.88.99.0/24"),  # protocol assignments, relays of 6to4
        *("2001::/23", "3fff::/20", "5f00::/16"),  # the same with Teredo, documentation, SRv6
    )
)
"""Of these the standard library takes some for addresses of the internet."""
Address = IPv4Address | IPv6Address
LookUp = Callable[[str, int], list[str]]


class BadTarget(ValueError):
    """An address that no webhook may have, in words for whoever gave it."""


class Forbidden(Exception):
    """The name leads to an address of this machine, of a private network, or of no host at all."""


class NoAddress(Exception):
    """The name leads nowhere."""


def checked_url(url: str, *, private: bool) -> str:
    """The address as it may be stored. Raises BadTarget. The name is not looked up yet.

    HTTPS, unless private targets are allowed.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        raise BadTarget(f"an address has at most {LONGEST} ASCII characters and no spaces")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise BadTarget("this is no address") from None
    if parts.scheme != "https" and not (private and parts.scheme == "http"):
        raise BadTarget("an address begins with https://")
    if not host or parts.username or parts.password or parts.fragment or "@" in parts.netloc:
        raise BadTarget("an address has a host, and neither user, password nor #fragment")
    if not private and (literal := literal_address(host)) and not is_public(literal):
        raise BadTarget("this address is not one of the internet")
    return url


def literal_address(host: str) -> Address | None:
    """The address that a host is written as, if it is one."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def look_up(*, private: bool) -> LookUp:
    """Finds the addresses of a name. Raises Forbidden where any may not be connected to, and
    NoAddress."""

    def found(host: str, port: int) -> list[str]:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise NoAddress(host) from None
        addresses = list(dict.fromkeys(str(row[4][0]) for row in rows))
        if not private and not all(is_public(ip_address(one)) for one in addresses):
            raise Forbidden(host)
        return addresses

    return found


def is_public(address: Address) -> bool:
    """Whether an address, and each that is written inside it, is one of a host of the internet."""
    if any(address.version == one.version and address in one for one in SPECIAL):
        return False
    inner = embedded(address)
    if inner:
        return all(is_public(one) for one in inner)
    return (
        address.is_global
        and not address.is_private
        and not address.is_loopback
        and not address.is_link_local
        and not address.is_multicast
        and not address.is_reserved
        and not address.is_unspecified
        and not (isinstance(address, IPv6Address) and address.is_site_local)
    )


def embedded(address: Address) -> list[IPv4Address]:
    """The IPv4 addresses that an IPv6 one stands for: mapped, translated or tunnelled."""
    if isinstance(address, IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in COMPATIBLE or any(address in network for network in TRANSLATED):
        found.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return [one for one in found if one is not None]
