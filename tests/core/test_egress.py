"""Which addresses calls may go to, as tables."""

from __future__ import annotations

import ipaddress

import pytest

from core.http.egress import (
    RefusedAddressError,
    allowed_hosts,
    is_public,
    refuse_odd_host,
    refuse_odd_url,
    select_permitted,
)

NOT_PUBLIC = """
    127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
    100.100.100.200 192.0.0.192 192.0.2.1 198.18.0.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 168.63.129.16
    :: ::1 fe80::1 fec0::1 fc00::1 fd00:ec2::254 ff02::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1
    64:ff9b:1::a00:1 2002:7f00:1:: 2001::1 2001:db8::1 ::7f00:1
""".split()  # noqa: SIM905  # as a list, a line each


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_what_is_not_public_is_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::200e"])
def test_what_is_public_is_not(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


ODD = """
    2130706433 127.1 127.0.1 0x7f.1 0x7f000001 0177.0.0.1 127.0.0.01 0 localhost. 127.0.0.1. ::0001 0:0:0:0:0:0:0:1
    ::FFFF:127.0.0.1%1 fe80::1%eth0 a..b -a.example a.example:80 ⓛocalhost １２７.0.0.1 a.1 a.0x1 %6cocalhost
""".split()  # noqa: SIM905  # as a list, a line each


@pytest.mark.parametrize("host", [*ODD, "", "a\tb"])
def test_a_host_that_programs_read_apart_is_refused(host: str) -> None:
    with pytest.raises(RefusedAddressError, match="plain name"):
        refuse_odd_host(host)


@pytest.mark.parametrize(
    "host", ["localhost", "Models.Example.com", "ollama", "xn--mnchen-3ya.example", "8.8.8.8", "::1"]
)
def test_a_plain_host_is_not(host: str) -> None:
    assert refuse_odd_host(host) == host.lower()


@pytest.mark.parametrize(
    "path", ["/v1/../../secret", "/v1/..", "/./v1", "/v1/%2e%2e/x", "/v1/%252e%252e/x", "/v1\\..\\x"]
)
def test_a_path_that_leads_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(RefusedAddressError, match="path"):
        refuse_odd_url(f"https://models.example{path}")


def test_the_port_is_that_of_the_scheme_unless_it_is_named() -> None:
    assert refuse_odd_url("https://models.example/v1") == ("models.example", 443)
    assert refuse_odd_url("http://[::1]:8080/v1.5") == ("::1", 8080)


@pytest.mark.parametrize(
    ("entry", "name", "address", "port", "is_allowed"),
    [
        ("127.0.0.1:11434", "127.0.0.1", "127.0.0.1", 11434, True),
        ("127.0.0.1:11434", "127.0.0.1", "127.0.0.1", 5432, False),
        ("127.0.0.1", "localhost", "127.0.0.1", 80, True),
        ("localhost", "localhost", "::1", 80, True),
        ("localhost", "127.0.0.1", "127.0.0.1", 80, False),
        ("ollama:11434", "ollama", "10.1.2.3", 11434, True),
        ("ollama:11434", "other", "10.1.2.3", 11434, False),
        ("10.0.0.0/8", "ollama", "10.1.2.3", 80, True),
        ("10.0.0.0/8:80", "ollama", "10.1.2.3", 443, False),
        ("[::1]:80", "::1", "::1", 80, True),
        ("[fd00::/8]", "ollama", "fd00::7", 80, True),
    ],
)
def test_the_operator_allows_names_addresses_and_networks(
    entry: str, name: str, address: str, port: int, is_allowed: bool
) -> None:
    found = [ipaddress.ip_address(address)]
    if is_allowed:
        assert select_permitted(name, port, found, allowed_hosts([entry])) == found
    else:
        with pytest.raises(RefusedAddressError, match="MODEL_HOSTS"):
            select_permitted(name, port, found, allowed_hosts([entry]))


def test_a_name_with_one_private_address_is_refused_altogether() -> None:
    with pytest.raises(RefusedAddressError):
        select_permitted("x", 80, [ipaddress.ip_address("8.8.8.8"), ipaddress.ip_address("10.0.0.1")], ())


@pytest.mark.parametrize("entry", ["", "a b", "http://x", "10.0.0.0/40", "x:0", "x:99999", "[x]", "127.1", "a..b"])
def test_an_entry_that_cannot_be_read_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match=entry.replace("[", r"\[") or "is not"):
        allowed_hosts([entry])
