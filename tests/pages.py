"""A browser without script or layout: a signed-in person who opens console pages and posts their forms."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from django.test import Client

from tests.cast import Answer, Cast
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role, User, Workspace


@dataclass(frozen=True)
class Visitor:
    """A person on the pages of one workspace; paths are below `/w/<slug>/` unless they start with a slash."""

    client: Client
    workspace: Workspace

    @classmethod
    def of(cls, user: User, workspace: Workspace) -> Visitor:
        client = Client(raise_request_exception=False)
        client.force_login(user)
        return cls(client, workspace)

    def get(self, path: str, **query: Any) -> Answer:
        return self.client.get(self.address(path), query)

    def post(self, path: str, **fields: Any) -> Answer:
        return self.client.post(self.address(path), fields)

    def swap(self, path: str, *, target: str = "", at: str = "memory", **fields: Any) -> Answer:
        """Post as htmx does, from the page `at`, to replace the element with the id `target`."""
        headers = {
            "HX-Request": "true",
            "HX-Current-URL": f"http://testserver{self.address(at)}",
            "Accept": "*/*",
            **({"HX-Target": target} if target else {}),
        }
        return self.client.post(self.address(path), fields, headers=headers)

    def address(self, path: str) -> str:
        return path if path.startswith("/") else f"/w/{self.workspace.slug}/{path}"


def as_role(cast: Cast, role: Role) -> Visitor:
    """Bob in another role."""
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    return Visitor.of(cast.bob, cast.acme.workspace)


def toast_of(answer: Answer) -> dict[str, str]:
    """What an answer to htmx says in the corner of the page."""
    return dict(json.loads(answer.headers["HX-Trigger"])["toast"])


def text_of(answer: Answer) -> str:
    return str(answer.content.decode())
