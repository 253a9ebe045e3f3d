"""Beginning the erasure of a workspace: counting what there is, and closing the workspace for good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from core.stores import queue, redis
from core.stores.graph import GraphUnavailableError, graph
from core.stores.redis import RedisUnavailableError
from ontology.graph.services.graph_removal import count_twins
from transfer.erasure.services.erasure_rights import require_eraser
from transfer.erasure.workspace_tables import GRAPH_NODES, QUEUED_TASKS, REDIS_KEYS, list_workspace_tables
from transfer.models import WorkspaceErasure
from workspaces.access.audit import record_event
from workspaces.access.callers import ActorKind, Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import acting_person, current_workspace
from workspaces.models import ApiKey, Workspace

ERASE_WORKSPACE_TASK = "transfer.erasure.tasks.erase_workspace"


@dataclass(frozen=True, slots=True)
class WorkspaceContent:
    """What there is of a workspace, by table and store. `unreachable` are stores that did not answer."""

    workspace_id: UUID
    rows: Mapping[str, int]
    unreachable: tuple[str, ...] = ()


def count_workspace(*, caller: Caller) -> WorkspaceContent:
    """Count what erasing the workspace would delete, and change nothing.

    Raises MissingScopeError without `admin`, SpaceNotAllowedError for a key that is bound to spaces,
    OwnerRequiredError for a person who is not an owner, NotFoundError.
    """
    require_eraser(caller)
    workspace_id = current_workspace(caller).id
    with workspace_scope(maintenance_caller(workspace_id, "erasure")):
        rows = {table.name: table.count(workspace_id) for table in list_workspace_tables()}
    rows |= {"workspaces": 1, QUEUED_TASKS: queue.count_lane_tasks(workspace_id)}
    unreachable = []
    try:
        rows[GRAPH_NODES] = count_twins(workspace_id=workspace_id, graph=graph()) if settings.GRAPH_URL else 0
    except GraphUnavailableError:
        unreachable.append("graph")
    try:
        rows[REDIS_KEYS] = redis.count_workspace_keys(workspace_id) if settings.REDIS_URL else 0
    except RedisUnavailableError:
        unreachable.append("redis")
    counted = {name: number for name, number in sorted(rows.items()) if number}
    return WorkspaceContent(workspace_id, counted, tuple(unreachable))


def erase_workspace(*, caller: Caller, confirm: str) -> WorkspaceErasure:
    """Close the workspace for good and have the worker delete everything of it; `confirm` is its name or its slug.

    Of several callers at once, the first closes it and all get the same erasure. Raises what `count_workspace` raises,
    and InvalidError where `confirm` is something else.
    """
    counted = count_workspace(caller=caller)
    _check_confirmation(current_workspace(caller), confirm)
    with workspace_scope(caller):
        # Waits for those who are just adding something, whose rows refer to this one.
        held = Workspace.objects.select_for_update().get(id=caller.workspace_id)
        if held.is_deleted:
            return WorkspaceErasure.objects.get(erased_id=held.id)
        erasure: WorkspaceErasure = WorkspaceErasure.objects.create(
            erased_id=held.id,
            actor_kind=caller.kind,
            actor_id=caller.id,
            person_id=acting_person(caller),
            key_hash=_key_hash(caller),
            planned=dict(counted.rows),
        )
        record_event(caller=caller, action="workspace.erasing", object_type="workspace", object_id=held.id)
        held.is_deleted, held.deleted_at = True, utc_now()
        held.save(update_fields=["is_deleted", "deleted_at", "updated_at"])
        queue.enqueue(ERASE_WORKSPACE_TASK, str(erasure.id))
    return erasure


def _check_confirmation(workspace: Workspace, confirm: str) -> None:
    if confirm not in {workspace.name, workspace.slug}:
        sentence = "Type the name or the slug of the workspace, exactly as it is written."
        raise InvalidError(problems=(FieldProblem("confirm", "mismatch", sentence),))


def _key_hash(caller: Caller) -> str:
    """Return the hash of the key that asks, which may read the receipt when its own row is gone; '' for others."""
    if caller.kind != ActorKind.API_KEY:
        return ""
    return str(ApiKey.objects.of(caller).filter(id=caller.id).values_list("secret_hash", flat=True).get())
