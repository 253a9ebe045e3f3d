"""What an operator says about the OpenID Connect provider of an organisation, and what is wrong with it."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.http.egress import RefusedAddressError, allowed_hosts, refuse_odd_url

_DOMAIN = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+")


@dataclass(frozen=True, slots=True)
class OidcSettings:
    """One provider; without an `issuer` there is none.

    `is_only`: passwords are for staff alone. `asks_code`: the product's second factor is asked of those who have one,
    unless the provider says that it asked for several.
    """

    issuer: str = ""
    client_id: str = ""
    client_secret: str = ""
    name: str = "single sign-on"
    allowed_domains: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    is_only: bool = False
    asks_code: bool = True

    def problems(self) -> list[str]:
        """Return what cannot work, each as a sentence that names the cure."""
        if not self.issuer:
            is_wanted = self.is_only or self.client_id or self.client_secret
            return ["OIDC_ISSUER must name the provider, or OIDC_ONLY and OIDC_CLIENT_… be unset."] if is_wanted else []
        found = []
        if not is_secure_address(self.issuer):
            found.append(
                "OIDC_ISSUER must be an https:// address without a query, as the provider's metadata names it."
            )
        if not (self.client_id and self.client_secret):
            found.append("OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be those that the provider gave to this server.")
        if not all(map(_DOMAIN.fullmatch, self.allowed_domains)):
            found.append("OIDC_ALLOWED_DOMAINS must list domains of e-mail addresses, such as acme.example.")
        try:
            allowed_hosts(self.hosts)
        except ValueError as error:
            found.append(f"OIDC_HOSTS: {error}")
        return found

    def accepts_domain(self, email: str) -> bool:
        """Return whether people with this address may sign in."""
        return not self.allowed_domains or email.rpartition("@")[2].lower() in self.allowed_domains


def is_secure_address(url: str) -> bool:
    """Return whether it is an https address without query and fragment; plain http goes to this machine only."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or parts.query or parts.fragment or parts.username is not None:
        return False
    try:
        host, _ = refuse_odd_url(url)
    except (RefusedAddressError, ValueError):
        return False
    return parts.scheme == "https" or host == "localhost" or _is_loopback(host)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
