"""Workspaces that operators make: each with an admin API key, and once for each idempotency key."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from uuid import UUID

from core.clock import utc_now
from core.ids import new_id
from workspaces.access.callers import Caller, Right
from workspaces.access.idempotency_keys import KEPT, AnswerNotKeptError, KeyReusedError, refuse_unfit_key
from workspaces.access.operators import Operator
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.invitations import invite_member
from workspaces.accounts.services.workspace_create import insert_workspace
from workspaces.keys.services import NewKey, create_key, revoke_key
from workspaces.models import ApiKey, Membership, OperatorEvent, Role, Workspace, WorkspaceFounding

KEY_NAME = "Admin key of the operator"


@dataclass(frozen=True, slots=True)
class ProvisionedWorkspace:
    """A workspace with its admin key; `is_repeated` of one that an earlier call made."""

    workspace: Workspace
    key: NewKey
    is_repeated: bool = False


def provision_workspace(
    *, operator: Operator, name: str, owner: str = "", idempotency_key: str | None = None
) -> ProvisionedWorkspace:
    """Make a workspace with an admin API key, and invite the address `owner` as its owner.

    Under an idempotency key that made one within a day, return that workspace: as long as its admin key was never
    used and no person joined, with another one in its place, since its secret is kept nowhere. Raises InvalidError for
    what cannot be an idempotency key, KeyReusedError, AnswerNotKeptError once the admin key was used, a person joined,
    or the workspace was deleted.
    """
    if idempotency_key is not None:
        refuse_unfit_key(idempotency_key)
    call = _digest([str(operator.id), idempotency_key]) if idempotency_key is not None else ""
    request, identity = _digest([name, owner]), new_id()
    caller = operator.workspace_caller(identity)
    with workspace_scope(caller):
        founding = _start(operator, call=call, request=request, made_id=identity)
        if founding.made_id == identity:
            return _create(operator, caller, founding, name=name, owner=owner)
    if founding.request_sha256 != request:
        raise KeyReusedError()
    return _answer_again(operator, founding)


def _start(operator: Operator, *, call: str, request: str, made_id: UUID) -> WorkspaceFounding:
    """Return the row of this call, or that of the earlier one: a call at the same moment waits here for its commit."""
    new = {"made_id": made_id, "request_sha256": request}
    if not call:
        return WorkspaceFounding.objects.create(key_id=operator.id, **new)
    mine = WorkspaceFounding.objects.filter(key_id=operator.id, call=call)
    mine.filter(created_at__lt=utc_now() - KEPT).update(call="")
    return WorkspaceFounding.objects.get_or_create(key_id=operator.id, call=call, defaults=new)[0]


def _create(
    operator: Operator, caller: Caller, founding: WorkspaceFounding, *, name: str, owner: str
) -> ProvisionedWorkspace:
    workspace = insert_workspace(caller=caller, name=name)
    if owner:
        invite_member(caller=caller, email=owner, role=Role.OWNER)
    made = _make_key(caller, founding)
    OperatorEvent.objects.create(
        key_id=operator.id, action="workspace.founded", object_id=str(workspace.id), address=operator.address
    )
    return ProvisionedWorkspace(workspace, made)


def _answer_again(operator: Operator, founding: WorkspaceFounding) -> ProvisionedWorkspace:
    """Return the workspace of an earlier call with another admin key: the answer with the first one was lost."""
    caller = operator.workspace_caller(founding.made_id)
    with workspace_scope(caller):
        # Of two repetitions at once, the second revokes what the first has made.
        held = WorkspaceFounding.objects.select_for_update().get(id=founding.id)
        workspace = Workspace.objects.live().filter(id=held.made_id).first()
        unused = ApiKey.objects.of(caller).filter(revoked_at=None, last_used_at=None)
        former = unused.filter(id=held.api_key_id).first() if held.api_key_id else None
        # Once a person is in, the key would open what is theirs, and they make keys themselves.
        has_people = Membership.objects.of(caller).exists()
        if workspace is None or former is None or has_people:
            raise AnswerNotKeptError(
                f"That call made the workspace {held.made_id}. Its admin key was used or revoked, a person joined it, "
                "or it was deleted since, so that it is not answered again."
            )
        revoke_key(caller=caller, key_id=former.id)
        return ProvisionedWorkspace(workspace, _make_key(caller, held), is_repeated=True)


def _make_key(caller: Caller, founding: WorkspaceFounding) -> NewKey:
    made = create_key(caller=caller, name=KEY_NAME, scopes=list(Right))
    WorkspaceFounding.objects.filter(id=founding.id).update(api_key_id=made.key.id)
    return made


def _digest(parts: list[str]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
