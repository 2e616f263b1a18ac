"""Where a request comes from."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from django.http import HttpRequest

PREFIX_BITS = 64  # what one household or company is given of IPv6; the rest changes at will


def address_of(request: HttpRequest) -> str:
    """The client's address as the server process knows it; empty where it knows none."""
    return str(request.META.get("REMOTE_ADDR") or "")[:45]


def neighbourhood(address: str) -> str:
    """What failed attempts are counted by: an IPv4 address, or the /64 of an IPv6 one."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> PREFIX_BITS << PREFIX_BITS))
