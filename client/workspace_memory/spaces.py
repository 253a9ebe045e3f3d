"""Whose memory a client is about: what it names in every call, and the stamp of a key that asks for one."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, cast
from urllib.parse import quote

from workspace_memory.errors import WorkspaceMemoryError

STAMP = "X-On-Behalf-Of"
SUB_AGENT = "X-Sub-Agent"
# Calls with an `agent` of their own, which says who ran or acted, and not whose memory it is.
OWN_AGENT = frozenset(
    {("POST", "runs"), ("POST", "undo"), ("GET", "actions"), ("GET", "receipts"), ("GET", "sequences")}
)


@dataclass(frozen=True, slots=True)
class Spaces:
    """The spaces that a client names; without any of them it reads and writes what is shared.

    `is_sub_agent` says that a sub-agent calls, which is given no memory of users.
    """

    user: str | None = None
    agent: str | None = None
    space: str | None = None
    shared: bool = True
    is_sub_agent: bool = False

    def naming(self, *, shared: bool = True, **given: str) -> Spaces:
        """These and those. Raises WorkspaceMemoryError for another name of a kind that has one, and for none at all."""
        for kind, name in given.items():
            if not isinstance(name, str) or not name.strip():
                raise WorkspaceMemoryError(f"Name the {kind}, as text that is not empty.")
            _require_text(name)
            if (here := getattr(self, kind)) not in {None, name}:
                raise WorkspaceMemoryError(f"This client is for the {kind} {here!r}: make another one for {name!r}.")
        return replace(self, shared=self.shared and shared, **cast(dict[str, Any], given))

    def fields(self, *, method: str, path: str) -> dict[str, Any]:
        """What a call says of them, in its query string or its body."""
        named = {"user": self.user, "agent": self.agent, "space": self.space}
        if (method, path) in OWN_AGENT and self.agent is not None:
            is_alone = self.user is None and self.space is None
            named |= {"agent": None, "space": f"agent:{self.agent}" if is_alone else self.space}
        said: dict[str, Any] = {kind: name for kind, name in named.items() if name is not None}
        return said if self.shared else {**said, "shared": False}


def stamp(*, key: str, user: str, clock: Callable[[], float] = time.time) -> str:
    """The value of the header that says for which user a call is, at this minute; only the key's owner can make it."""
    minute = int(clock()) // 60
    code = hmac.new(key.encode(), f"{user}\n{minute}".encode(), sha256).hexdigest()
    return f"{quote(user, safe='')} {minute} {code}"


def _require_text(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise WorkspaceMemoryError("A name holds characters that are not text.") from error
