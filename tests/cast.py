"""The people and workspaces that tests talk about."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.test import Client

from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller, Right
from workspaces.accounts.services.memberships import add_member
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.keys.services import create_key
from workspaces.models import Role, User, Workspace

Answer = Any  # django-stubs gives the test client's response no public name
PASSWORD = "correct horse battery"


@cache
def _client() -> Client:
    """One for all keys: a client of its own for every call would build the whole middleware every time."""
    return Client(raise_request_exception=False)


@dataclass(frozen=True)
class RestClient:
    """An agent with a key, talking JSON to `/v1/workspaces/{ws}/`; `mark` is what it says of being a sub-agent."""

    workspace_id: UUID
    secret: str
    accept: str = "*/*"
    mark: str = ""

    def get(self, path: str, **query: Any) -> Answer:
        return self._send("GET", path, query)

    def post(self, path: str, body: Any = None) -> Answer:
        return self._send("POST", path, {} if body is None else body)

    def put(self, path: str, body: Any) -> Answer:
        return self._send("PUT", path, body)

    def patch(self, path: str, body: Any) -> Answer:
        return self._send("PATCH", path, body)

    def delete(self, path: str, body: Any = None) -> Answer:
        return self._send("DELETE", path, {} if body is None else body)

    def raw(self, method: str, path: str, body: bytes | str, content_type: str = "application/json") -> Answer:
        """A body exactly as given, well-formed or not."""
        return _client().generic(method, self._address(path), body, content_type=content_type, headers=self._headers)

    def remembered(self, content: str, **fields: Any) -> dict[str, Any]:
        """Remember something and answer its JSON."""
        answer = self.post("memories", {"content": content, **fields})
        assert answer.status_code in {200, 201}, answer.content
        return dict(answer.json())

    @property
    def _headers(self) -> dict[str, str]:
        marks = {"X-Sub-Agent": self.mark} if self.mark else {}
        return {"Authorization": f"Bearer {self.secret}", "Accept": self.accept, **marks}

    def _address(self, path: str) -> str:
        return path if path.startswith("/") else f"/v1/workspaces/{self.workspace_id}/{path}"

    def _send(self, method: str, path: str, content: Any) -> Answer:
        client = _client()
        if method == "GET":
            return client.get(self._address(path), content, headers=self._headers)
        return client.generic(
            method, self._address(path), json.dumps(content), content_type="application/json", headers=self._headers
        )


@dataclass(frozen=True)
class Household:
    """A workspace, its owner as a caller, and a key of its agent."""

    workspace: Workspace
    owner: User
    caller: Caller
    secret: str

    def rest(self, *scopes: Right) -> RestClient:
        """REST with the agent's key, or with a new key that has just these scopes."""
        if not scopes:
            return RestClient(self.workspace.id, self.secret)
        return RestClient(self.workspace.id, create_key(caller=self.caller, name="narrow", scopes=scopes).secret)

    def caller_as(self, role: Role) -> Caller:
        """The owner's caller with the rights of another role."""
        return Caller(self.workspace.id, ActorKind.USER, self.caller.id, self.caller.label, RIGHTS_OF_ROLE[role])


@dataclass(frozen=True)
class Cast:
    """Everybody."""

    alice: User
    bob: User
    charlie: User
    acme: Household
    umbrella: Household


def assemble_cast() -> Cast:
    """Create the people, their workspaces and keys."""
    alice = User.objects.create_user("alice@acme.example", PASSWORD, name="Alice")
    bob = User.objects.create_user("bob@acme.example", PASSWORD, name="Bob")
    charlie = User.objects.create_user("charlie@umbrella.example", PASSWORD, name="Charlie")
    acme = found_household(alice, "Acme")
    add_member(caller=acme.caller, email=bob.email, role=Role.MEMBER)
    return Cast(alice, bob, charlie, acme, found_household(charlie, "Umbrella"))


def found_household(owner: User, name: str) -> Household:
    """Found a workspace with an owner and a key of all scopes."""
    workspace = found_workspace(owner=owner, name=name)
    caller = Caller(workspace.id, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"])
    made = create_key(caller=caller, name=f"{name} agent", scopes=list(Right), owner=owner.id)
    return Household(workspace, owner, caller, made.secret)
