"""Addresses that calls on behalf of a workspace may go to: public ones, and those that the operator allows.

A member who may set an address of a provider must not reach what only this server can reach: itself, its neighbours,
the metadata service of its cloud. Pure, but for `resolve`, which asks the name service.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*")
_LAST_LABEL_IS_A_NUMBER = re.compile(r"(?:\A|\.)(?:\d+|0x[0-9a-f]*)\Z")
_DEFAULT_PORTS = {"http": 80, "https": 443}
# What Python's versions do not all know as private, or what leads to other addresses or to the host: NAT64, 6to4,
# Teredo, Azure's own services.
_INDIRECT = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",
            "fec0::/10",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "2002::/16",
            "2001::/32",
            "192.88.99.0/24",
            "192.31.196.0/24",
            "3fff::/20",
            "2620:4f:8000::/48",
            "168.63.129.16/32",
        ),
    )
)


class RefusedAddressError(ValueError):
    """Calls must not go to this address; the message is a sentence for the caller."""


@dataclass(frozen=True, slots=True)
class AllowedHost:
    """One entry of the operator's list: a name or a network, at one port or at any."""

    name: str
    network: Network | None
    port: int | None

    @classmethod
    def parse(cls, entry: str) -> AllowedHost:
        """Read `name`, `192.0.2.7`, `10.0.0.0/8` or `[::1]`, each with or without `:port`. Raises ValueError."""
        bracketed = re.fullmatch(r"\[([^\[\]]+)\](?::(\d+))?", entry)
        plain = re.fullmatch(r"([^:\[\]]+)(?::(\d+))?", entry)
        found = bracketed or plain
        host, port = (found[1], found[2]) if found else (entry, None)
        if port is not None and not 0 < int(port) < 65_536:
            raise ValueError(f"{entry} has no port from 1 to 65,535.")
        try:
            return cls("", ipaddress.ip_network(host), int(port) if port else None)
        except ValueError:
            if bracketed or not _NAME.fullmatch(host.lower()) or _LAST_LABEL_IS_A_NUMBER.search(host.lower()):
                raise ValueError(f"{entry} is not a host name, an address or a network in CIDR form.") from None
            return cls(host.lower(), None, int(port) if port else None)

    def covers(self, name: str, address: Address, port: int) -> bool:
        if self.port not in {None, port}:
            return False
        return address in self.network if self.network else self.name == name


def allowed_hosts(entries: Iterable[str]) -> tuple[AllowedHost, ...]:
    """Return the operator's list. Raises ValueError, whose message names the entry that cannot be read."""
    return tuple(map(AllowedHost.parse, entries))


def refuse_odd_url(url: str) -> tuple[str, int]:
    """Return the host and port of an http(s) URL. Raises RefusedAddressError for spellings that programs read apart."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    segments = re.split(r"[/\\]", unquote(unquote(parts.path)))
    if {".", ".."} & set(segments) or "\\" in url:
        raise RefusedAddressError("Write the path without `.`, `..` and backslashes.")
    return refuse_odd_host(host), parts.port or _DEFAULT_PORTS[parts.scheme]


def refuse_odd_host(host: str) -> str:
    """Return the host in lower case. Raises RefusedAddressError unless it is a plain name or a canonical address."""
    host = host.lower()
    try:
        if str(ipaddress.ip_address(host)) == host and "%" not in host:
            return host
    except ValueError:
        if _NAME.fullmatch(host) and not _LAST_LABEL_IS_A_NUMBER.search(host):
            return host
    raise RefusedAddressError("Write the host as a plain name, or as an address such as 192.0.2.7 or [2001:db8::7].")


def select_permitted(
    name: str, port: int, addresses: Sequence[Address], allowed: Iterable[AllowedHost]
) -> list[Address]:
    """Return the addresses of a name if calls may go to all of them. Raises RefusedAddressError."""
    hosts = tuple(allowed)
    for address in addresses:
        if not (is_public(address) or any(host.covers(name, address, port) for host in hosts)):
            raise RefusedAddressError(
                "This address is not a public one. The operator of this server can allow it with MODEL_HOSTS."
            )
    return list(addresses)


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the public internet, and to no mechanism that leads somewhere else."""
    if getattr(address, "ipv4_mapped", None) is not None or any(address in network for network in _INDIRECT):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def resolve(name: str, port: int) -> list[Address]:
    """Return the addresses of a name, in the order in which to try them. Raises OSError."""
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ipaddress.ip_address(each[4][0]) for each in found))
