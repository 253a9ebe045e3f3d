"""Creating workspaces: the row with its event, and its first owner."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.text import slugify

from core.ids import new_id
from workspaces.access.audit import record_event
from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller
from workspaces.access.scope import workspace_scope
from workspaces.models import Membership, Role, User, Workspace


def found_workspace(*, owner: User, name: str, config: dict[str, Any] | None = None, address: str = "") -> Workspace:
    """Create a workspace with its first owner. Its address in the console is made from its name."""
    identity = new_id()
    caller = Caller(identity, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"], address)
    with workspace_scope(caller):
        workspace = insert_workspace(caller=caller, name=name, config=config)
        Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER)
    return workspace


def insert_workspace(*, caller: Caller, name: str, config: dict[str, Any] | None = None) -> Workspace:
    """Create the workspace whose id the caller has, inside the caller's open scope. It has no members yet."""
    identity = caller.workspace_id
    workspace = Workspace.objects.create(id=identity, name=name, slug=_slug(name, identity), config=config or {})
    record_event(caller=caller, action="workspace.founded", object_type="workspace", object_id=identity)
    return workspace


def _slug(name: str, identity: UUID) -> str:
    """Readable, and unique without asking: asking would tell which names other workspaces have."""
    return f"{slugify(name)[:60] or 'workspace'}-{identity.hex[-6:]}"
