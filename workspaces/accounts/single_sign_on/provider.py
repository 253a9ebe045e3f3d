"""Calls to the OpenID Connect provider: its metadata, the authorization request, and redeeming the code it leads to.

Authorization code flow with PKCE (RFC 7636), state and nonce; the ID token is verified as OpenID Connect Core 3.1.3.7
says: signature by the provider's keys, issuer, audience, expiry, nonce.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.httpx_client import OAuth2Client
from authlib.oidc.core import CodeIDToken
from cachetools import TTLCache
from django.conf import settings
from httpx2 import HTTPError
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from core.errors import ForbiddenError, UnavailableError
from core.http.checked_calls import PermittedTransport
from core.http.egress import AllowedHost, allowed_hosts, refuse_odd_url
from core.http.oidc import OidcSettings, is_secure_address
from core.text import has_forbidden_characters, strip_invisible_characters
from workspaces.accounts.services.external_identities import ProvenIdentity

log = logging.getLogger(__name__)

SECONDS = 10
METADATA_SECONDS = 600
LEEWAY_SECONDS = 60
SCOPE = "openid email profile"
# Of asymmetric signatures alone: who knows the client's secret, or signs nothing, cannot make a token.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_lock = Lock()
_metadata: TTLCache[OidcSettings, Provider] = TTLCache(maxsize=4, ttl=METADATA_SECONDS)


class ProviderUnavailableError(UnavailableError):
    """The provider does not answer, or not as OpenID Connect says."""

    code = "sign_in_provider_unavailable"
    title = "The service that signs you in does not answer as it should. Try again, or ask your operator."


class SignInRefusedError(ForbiddenError):
    """What came back from the provider does not prove who signs in."""

    code = "sign_in_refused"
    title = "This sign-in could not be verified. Start again."


@dataclass(frozen=True, slots=True)
class Provider:
    """What the provider's metadata says, as far as it is used."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str
    algorithms: tuple[str, ...]
    auth_method: str


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """Where a person is sent, and what must come back, which stays in their session."""

    url: str
    state: str
    nonce: str
    verifier: str


def build_request(*, redirect_uri: str) -> AuthorizationRequest:
    """Return a request that sends a person to the provider. Raises ProviderUnavailableError."""
    provider = load_provider(settings.OIDC)
    verifier, nonce = generate_token(64), generate_token(32)
    with _client(provider.auth_method) as client:
        url, state = client.create_authorization_url(
            provider.authorization_endpoint, code_verifier=verifier, nonce=nonce, redirect_uri=redirect_uri
        )
    return AuthorizationRequest(url, state, nonce, verifier)


def redeem_code(*, code: str, verifier: str, nonce: str, redirect_uri: str, issuer: str = "") -> ProvenIdentity:
    """Exchange a code, once, for who has signed in; `issuer` is who says that it gave the code (RFC 9207).

    Raises SignInRefusedError, ProviderUnavailableError.
    """
    provider = load_provider(settings.OIDC)
    if issuer and issuer != provider.issuer:
        raise SignInRefusedError()
    with _client(provider.auth_method) as client, _answers("token"):
        token = client.fetch_token(
            provider.token_endpoint, code=code, code_verifier=verifier, redirect_uri=redirect_uri
        )
        keys = _get_json(client, provider.jwks_uri)
    claims = _verify(str(token.get("id_token", "")), keys, provider, nonce, token)
    if "email" not in claims and provider.userinfo_endpoint:
        claims = {**_user_info(provider, token, claims), **claims}
    return _identity(provider, claims)


def load_provider(oidc: OidcSettings) -> Provider:
    """Return the provider's metadata, read at most every ten minutes. Raises ProviderUnavailableError."""
    with _lock:
        found = _metadata.get(oidc)
    if found is None:
        with _client() as client, _answers("metadata"):
            found = _read_metadata(oidc, _get_json(client, f"{oidc.issuer}/.well-known/openid-configuration"))
        with _lock:
            _metadata[oidc] = found
    return found


def _read_metadata(oidc: OidcSettings, answered: Any) -> Provider:
    """Return what is used of the metadata. Raises ValueError for another issuer's, and for addresses without TLS."""
    if not isinstance(answered, dict) or str(answered.get("issuer", "")).rstrip("/") != oidc.issuer:
        raise ValueError("The metadata is that of another issuer.")
    endpoints = {name: str(answered.get(name) or "") for name in ("token_endpoint", "jwks_uri", "userinfo_endpoint")}
    endpoints["authorization_endpoint"] = str(answered.get("authorization_endpoint") or "")
    needed = [url for name, url in endpoints.items() if url or name != "userinfo_endpoint"]
    if not all(map(_is_endpoint, needed)):
        raise ValueError("An endpoint has an address that is not used.")
    stated = answered.get("id_token_signing_alg_values_supported") or ["RS256"]
    algorithms = tuple(each for each in ALGORITHMS if each in stated)
    if not algorithms:  # an empty list would allow what the library recommends, signatures by a shared secret among it
        raise ValueError("The metadata names no asymmetric signature.")
    methods = answered.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return Provider(
        **endpoints,
        issuer=str(answered["issuer"]),
        algorithms=algorithms,
        auth_method="client_secret_basic" if "client_secret_basic" in methods else "client_secret_post",
    )


def _is_endpoint(url: str) -> bool:
    return is_secure_address(url.partition("?")[0]) and "#" not in url


def _verify(id_token: str, keys: Any, provider: Provider, nonce: str, token: dict[str, Any]) -> dict[str, Any]:
    """Return the claims of an ID token that is for this sign-in. Raises SignInRefusedError."""
    oidc = settings.OIDC
    wanted = {
        "iss": {"essential": True, "value": provider.issuer},
        "aud": {"essential": True, "value": oidc.client_id},
        "nonce": {"essential": True, "value": nonce},
    }
    params = {"nonce": nonce, "client_id": oidc.client_id, "access_token": token.get("access_token")}
    try:
        registry = JWSRegistry(algorithms=list(provider.algorithms), strict_check_header=False)
        read = jwt.decode(id_token, KeySet.import_key_set(keys), registry=registry)
        claims = CodeIDToken(read.claims, read.header, wanted, params)
        claims.validate(leeway=LEEWAY_SECONDS)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        log.warning("oidc_refused An ID token was not valid: %s.", type(error).__name__)
        raise SignInRefusedError() from error
    return dict(claims)


def _user_info(provider: Provider, token: dict[str, Any], claims: dict[str, Any]) -> dict[str, Any]:
    """Return what the provider says of the person in addition, where it is about the same one."""
    with _client() as client, _answers("userinfo"):
        client.token = token
        response = client.get(provider.userinfo_endpoint)
        response.raise_for_status()
        said = response.json()
    is_theirs = isinstance(said, dict) and said.get("sub") == claims["sub"]
    return {name: said[name] for name in ("email", "email_verified", "name") if name in said} if is_theirs else {}


def _identity(provider: Provider, claims: dict[str, Any]) -> ProvenIdentity:
    subject = claims["sub"]
    if not (isinstance(subject, str) and 0 < len(subject) <= 255 and subject.isprintable()):
        raise SignInRefusedError()
    email, name, methods = claims.get("email"), claims.get("name"), claims.get("amr")
    return ProvenIdentity(
        issuer=provider.issuer,
        subject=subject,
        email=_read_address(email),
        is_email_verified=claims.get("email_verified") is True,
        name=_read_name(name),
        has_used_several_factors=isinstance(methods, list) and "mfa" in methods,
    )


def _read_address(email: object) -> str:
    """Return an address in lower case; '' for what is not text, and for one that would become another person's: the
    Kelvin sign in lower case is a k."""
    lowered = email.strip().lower() if isinstance(email, str) else ""
    return lowered if lowered.isascii() == str(email).isascii() else ""


def _read_name(name: object) -> str:
    """Return a name as a person could have typed it here; '' for what is not text."""
    if not isinstance(name, str) or has_forbidden_characters(name):
        return ""
    return " ".join(strip_invisible_characters(name).split())


@contextmanager
def _answers(what: str) -> Iterator[None]:
    """Say that the provider does not answer as it should; a code that it refuses is the sign-in's."""
    try:
        yield
    except AuthlibBaseError as error:
        log.warning("oidc_refused The provider did not take a code: %s.", type(error).__name__)
        raise SignInRefusedError() from error
    except (HTTPError, ValueError) as error:
        log.warning("oidc_failed The provider did not answer as it should (%s): %s.", what, type(error).__name__)
        raise ProviderUnavailableError() from error


def _get_json(client: OAuth2Client, url: str) -> Any:
    response = client.request("GET", url, withhold_token=True)
    response.raise_for_status()
    return response.json()


def _client(auth_method: str = "client_secret_basic") -> OAuth2Client:
    oidc = settings.OIDC
    return OAuth2Client(
        client_id=oidc.client_id,
        client_secret=oidc.client_secret,
        token_endpoint_auth_method=auth_method,
        scope=SCOPE,
        code_challenge_method="S256",
        transport=PermittedTransport(_reachable_hosts(oidc)),
        trust_env=False,
        timeout=SECONDS,
        headers={"Accept": "application/json"},
    )


def _reachable_hosts(oidc: OidcSettings) -> list[AllowedHost]:
    """Return what calls may reach next to public addresses: the issuer, which the operator named, and `OIDC_HOSTS`."""
    host, port = refuse_odd_url(oidc.issuer)
    literal = f"[{host}]" if ":" in host else host
    return [*allowed_hosts(oidc.hosts), AllowedHost.parse(f"{literal}:{port}")]
