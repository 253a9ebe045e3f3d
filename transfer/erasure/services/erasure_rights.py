"""Who may erase a space or a whole workspace."""

from __future__ import annotations

from core.errors import ForbiddenError
from workspaces.access.callers import PEOPLE, Caller, Right
from workspaces.access.selectors import is_owner


class OwnerRequiredError(ForbiddenError):
    """A person who erases is an owner."""

    code = "owner_required"
    title = "Only an owner of the workspace can erase it or a space of it. Ask one, or use an API key of scope `admin`."


def require_eraser(caller: Caller) -> None:
    """Raise OwnerRequiredError for a person who is not an owner; for others MissingScopeError without `admin`, and
    SpaceNotAllowedError for a key that is bound to spaces."""
    # First, since `admin` alone would be said to suffice: admins have it as well.
    if caller.kind in PEOPLE and not is_owner(caller):
        raise OwnerRequiredError()
    caller.require(Right.ADMIN)
    caller.require_unbound()
