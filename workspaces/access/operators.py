"""Operators: who runs the server and makes workspaces by script, in no workspace themselves."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from core.errors import ForbiddenError
from workspaces.access.callers import MAX_SIGNATURE, ActorKind, Caller, Right


class OperatorsOnlyError(ForbiddenError):
    """The call needs an operator's key."""

    code = "operators_only"
    title = "Only an operator's key makes workspaces. Who runs the server makes one: manage.py make_operator_key."


@dataclass(frozen=True, slots=True)
class Operator:
    """An authenticated operator's key; `id` is that of the key."""

    id: UUID
    name: str
    address: str = ""

    def workspace_caller(self, workspace_id: UUID) -> Caller:
        """Return the caller that sets up a workspace which the operator makes. No door gives it to requests."""
        label = f"{self.name} (operator's key)"[:MAX_SIGNATURE]
        return Caller(workspace_id, ActorKind.SYSTEM, str(self.id), label, frozenset(Right), self.address)
