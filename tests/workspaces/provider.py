"""An OpenID Connect provider on loopback, with keys of its own, that can be made to misbehave."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.test import Client
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from core.http.oidc import OidcSettings
from tests.cast import Answer

DANA: dict[str, Any] = {"sub": "dana-1", "email": "dana@acme.example", "email_verified": True, "name": "Dana"}
ALICE: dict[str, Any] = {
    "sub": "alice-1",
    "email": "alice@acme.example",
    "email_verified": True,
    "name": "Someone else",
}
CLIENT_ID, CLIENT_SECRET = "memory", "a secret of the client: %&"


@cache
def signing_key(name: str = "first") -> RSAKey:
    """A key of a provider; another name is another key."""
    return RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


@dataclass
class OidcProvider:
    """Who signs in next, and how the provider misbehaves."""

    port: int = 0
    claims: dict[str, Any] = field(default_factory=dict)
    header: dict[str, Any] = field(default_factory=lambda: {"alg": "RS256", "kid": "first"})
    key: Any = field(default_factory=signing_key)
    keys: list[RSAKey] = field(default_factory=lambda: [signing_key()])
    metadata: dict[str, Any] = field(default_factory=dict)
    user_info: dict[str, Any] = field(default_factory=dict)
    alters: Callable[[str], str] = str
    asked: dict[str, dict[str, str]] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def settings(self) -> OidcSettings:
        return OidcSettings(self.issuer, CLIENT_ID, CLIENT_SECRET, "Acme Login")

    def authorize(self, url: str) -> dict[str, str]:
        """Sign in as the next person at the address that a browser was sent to; what it brings back."""
        query = dict(parse_qsl(urlsplit(url).query))
        assert url.startswith(f"{self.issuer}/authorize?")
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT_ID)
        assert query["code_challenge_method"] == "S256"
        assert {"openid", "email"} <= set(query["scope"].split())
        code = secrets.token_urlsafe(16)
        self.asked[code] = query
        return {"code": code, "state": query["state"], "iss": self.issuer}

    def exchange(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """The tokens for a code, once, for the client that asked and knows the verifier."""
        query = self.asked.pop(form.get("code", ""), None)
        user, _, password = base64.b64decode(authorization.removeprefix("Basic ")).decode().partition(":")
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        is_client = (unquote(user), unquote(password)) == (CLIENT_ID, CLIENT_SECRET)
        if not query or not is_client or challenge != query["code_challenge"]:
            return None
        if form["redirect_uri"] != query["redirect_uri"]:
            return None
        return {"access_token": "opened", "token_type": "Bearer", "id_token": self.sign(query["nonce"])}

    def sign(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": nonce, **self.claims}
        said = {name: value for name, value in claims.items() if value is not None}
        if self.header["alg"] == "none":
            parts = [_encode(self.header), _encode(said), ""]
            return self.alters(".".join(parts))
        return self.alters(jwt.encode(self.header, said, self.key, algorithms=[self.header["alg"]]))

    def answer(self, path: str) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
                "verify": False,  # which a careless client would take for an option of its own
                **self.metadata,
            }
        if path == "/keys":
            return {"keys": [key.as_dict(private=False) for key in self.keys]}
        return self.user_info if path == "/userinfo" else None


def symmetric_key() -> OctKey:
    """The client's secret as a key, with which a client could sign tokens for itself."""
    return OctKey.import_key(CLIENT_SECRET.encode())


def _encode(part: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


@contextmanager
def serve_provider() -> Iterator[OidcProvider]:
    """A provider that answers until the block ends."""
    provider = OidcProvider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            provider.seen.append(self.path)
            self._send(provider.answer(self.path), 404)

        def do_POST(self) -> None:
            provider.seen.append(self.path)
            form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
            self._send(provider.exchange(form, self.headers.get("Authorization", "")), 400)

        def _send(self, body: dict[str, Any] | None, refusal: int) -> None:
            raw = json.dumps({"error": "invalid_grant"} if body is None else body).encode()
            self.send_response(refusal if body is None else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        provider.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()


def start(client: Client, **query: str) -> str:
    answer = client.get("/sign-in/provider", query)
    assert answer.status_code == 302, answer.content
    return str(answer.headers["Location"])


def come_back(client: Client, brought: dict[str, str]) -> Answer:
    return client.get("/sign-in/provider/answer", brought)


def enter(provider: OidcProvider, client: Client | None = None, **query: str) -> Answer:
    """A person who signs in from the first click to the page behind it."""
    client = client or Client(raise_request_exception=False)
    return come_back(client, provider.authorize(start(client, **query)))


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session
