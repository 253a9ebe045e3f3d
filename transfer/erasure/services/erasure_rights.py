"""Who may erase a space or a whole workspace."""

from __future__ import annotations

from core.errors import ForbiddenError
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.selectors import is_owner


class OwnerRequiredError(ForbiddenError):
    """A person who erases is an owner."""

    code = "owner_required"
    title = "Only an owner of the workspace can erase it or a space of it. Ask one, or use an API key of scope `admin`."


def require_eraser(caller: Caller) -> None:
    """Raise MissingScopeError without `admin`, SpaceNotAllowedError for a key that is bound to spaces,
    OwnerRequiredError for a person who is not an owner."""
    caller.require(Right.ADMIN)
    caller.require_unbound()
    if caller.kind in {ActorKind.USER, ActorKind.STAFF} and not is_owner(caller):
        raise OwnerRequiredError()
