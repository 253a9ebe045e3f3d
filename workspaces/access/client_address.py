"""Where a call comes from: the address of a client, and the network that counts as one client."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def client_address(request: Request | HttpRequest) -> str:
    """Return where a call came from."""
    return caller_address(
        peer=request.META.get("REMOTE_ADDR", ""), forwarded=request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def caller_address(*, peer: str, forwarded: str) -> str:
    """Return the other end of a connection; behind a trusted proxy, the last address of its X-Forwarded-For.

    Without a port, and an IPv4 address that is mapped into IPv6 as itself: however a proxy writes it, it is one client.
    What is not an address is not believed: then it is the proxy's own.
    """
    stated = address_in_header(forwarded) if settings.TRUST_PROXY else ""
    return stated or _normalise(peer) or peer[:64]


def address_in_header(forwarded: str) -> str:
    """Return the last address of an X-Forwarded-For, which the nearest proxy wrote; "" where there is none."""
    return _normalise(forwarded.rsplit(",", maxsplit=1)[-1].strip())


def client_network(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 network that one IPv6 client has to itself."""
    if ":" not in address:
        return address
    normal = _normalise(address)
    if ":" not in normal:
        return normal or address
    return str(ip_network((normal.partition("%")[0], 64), strict=False))


def _normalise(text: str) -> str:
    """Return an address in its canonical form; "" for what is none."""
    if text.startswith("["):  # [2001:db8::1]:5
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:  # 192.0.2.1:5
        text = text.partition(":")[0]
    found = _parse(text[:64])
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return "" if found is None else str(found)


def _parse(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
