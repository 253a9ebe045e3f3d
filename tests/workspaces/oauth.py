"""A desktop program that connects the way OAuth says, step by step, in the test's own transaction."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from django.test import Client

from tests.cast import Answer
from workspaces.models import User

BACK = "http://127.0.0.1:4711/callback"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
RESOURCE = "http://testserver/mcp"


@dataclass
class Desk:
    """The program, and the browser of the person who uses it."""

    browser: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    client_id: str = ""

    @classmethod
    def of(cls, person: User) -> Desk:
        """A registered program whose person is signed in."""
        desk = cls()
        desk.browser.force_login(person)
        desk.client_id = desk.registers().json()["client_id"]
        return desk

    def registers(self, **metadata: Any) -> Answer:
        told = {"client_name": "Desk", "redirect_uris": [BACK], "token_endpoint_auth_method": "none", **metadata}
        return self.browser.post("/oauth/register", told, content_type="application/json")

    def asks(self, **changed: Any) -> Answer:
        """The browser is led to the page of consent; None takes a parameter away."""
        query = {
            "client_id": self.client_id,
            "redirect_uri": BACK,
            "response_type": "code",
            "code_challenge": CHALLENGE,
            "code_challenge_method": "S256",
            "state": "s-1",
            "scope": "read write",
            "resource": RESOURCE,
            **changed,
        }
        return self.browser.get("/oauth/authorize", {name: value for name, value in query.items() if value is not None})

    def consents(self, chosen: UUID, *, page: Answer = None, **given: Any) -> Answer:
        """The person chooses and presses the button; None in `given` takes a field away."""
        page = page or self.asks()
        assert page.status_code == 200, page.content
        fields: dict[str, Any] = dict(hidden_fields(page.content.decode()))
        fields |= {
            "workspace": str(chosen),
            "scopes": ["read", "write"],
            "spaces": ["shared"],
            "allow": "true",
            **given,
        }
        return self.browser.post(
            "/oauth/authorize", {name: value for name, value in fields.items() if value is not None}
        )

    def connects(self, chosen: UUID, **given: Any) -> dict[str, Any]:
        """All of it: the tokens that the program gets."""
        answer = self.exchanges(told(self.consents(chosen, **given))["code"])
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def exchanges(self, code: str, **changed: Any) -> Answer:
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": BACK,
            "client_id": self.client_id,
            "code_verifier": VERIFIER,
            "resource": RESOURCE,
            **changed,
        }
        return Client(raise_request_exception=False).post(
            "/oauth/token", {name: value for name, value in given.items() if value is not None}
        )

    def refreshes(self, refresh_token: str, **changed: Any) -> Answer:
        given = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": self.client_id, **changed}
        return Client(raise_request_exception=False).post("/oauth/token", given)


def hidden_fields(page: str) -> dict[str, str]:
    """What the form of a page sends without asking."""
    found = re.findall(r'<input type="hidden" name="(\w+)"(?: value="([^"]*)")?', page)
    return {name: html.unescape(value) for name, value in found}


def told(answer: Answer) -> dict[str, str]:
    """What the program is told where the browser is led back to it."""
    assert answer.status_code == 302, answer.content
    address = urlsplit(answer["Location"])
    assert address._replace(query="").geturl() == BACK
    return {name: values[0] for name, values in parse_qs(address.query).items()}
