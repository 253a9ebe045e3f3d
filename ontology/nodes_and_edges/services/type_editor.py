"""The catalogue of types, which fills itself: describing an entry, and removing one that nothing uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from core.errors import ConflictError
from core.text.validators import refuse_secret
from ontology.models import CatalogueEntry, Edge, Entity, Node, is_governed_type
from ontology.nodes_and_edges.selectors import CATALOGUES, TypeCount, access_type
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


class TypeInUseError(ConflictError):
    """A type without an entry would register itself again with the next node or edge of it."""

    code = "type_in_use"
    title = "Something still has this type. Delete it, or give it another type, first."


def add_type(*, caller: Caller, entity: str, name: str, description: str = "") -> TypeCount:
    """Enter a type before anything has it; one that is there gets the description.

    Raises MissingScopeError without `write`, and without `facts` for the types of memories.
    """
    _require(caller, name if entity == Entity.NODE else "")
    refuse_secret(f"{name} {description}", field="description")
    catalogue = CATALOGUES[entity]
    with workspace_scope(caller):
        register_types(catalogue, caller.workspace_id, [name])
        entry = catalogue.objects.in_written_space(caller).select_for_update().get(name=name)
        if description:
            catalogue.objects.filter(id=entry.id).update(description=description)
        return _count_uses(caller, entry.id)


def register_types(catalogue: type[CatalogueEntry], workspace_id: UUID, names: Iterable[str]) -> None:
    """Make sure that the catalogue has these types."""
    wanted = sorted(set(names))
    # Two statements instead of an upsert, which would make everybody who uses a type wait for its row.
    catalogue.objects.bulk_create(
        [catalogue(workspace_id=workspace_id, name=name) for name in wanted], ignore_conflicts=True
    )
    catalogue.objects.filter(workspace_id=workspace_id, name__in=wanted, is_deleted=True).update(is_deleted=False)


def edit_type(*, caller: Caller, type_id: UUID, changes: Mapping[str, Any]) -> TypeCount:
    """Describe a type; those of memories with the right `facts`.

    Raises MissingScopeError, NotFoundError, SecretRefusedError.
    """
    caller.require(Right.WRITE)
    refuse_secret(changes.get("description", ""), field="description")
    with workspace_scope(caller):
        entry, entity = access_type(caller, type_id)
        _require(caller, entry.name if entity == Entity.NODE else "")
        CATALOGUES[entity].objects.filter(id=entry.id).update(**changes)
        return _count_uses(caller, type_id)


def delete_type(*, caller: Caller, type_id: UUID) -> TypeCount:
    """Take a type that nothing has out of the catalogue. Raises MissingScopeError, NotFoundError, TypeInUseError."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        counted = _count_uses(caller, type_id)
        if counted.count:
            raise TypeInUseError()
        return _set_deleted(caller, counted, is_deleted=True)


def restore_type(*, caller: Caller, type_id: UUID) -> TypeCount:
    """Put a type back into the catalogue. Raises MissingScopeError, NotFoundError."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        return _set_deleted(caller, _count_uses(caller, type_id), is_deleted=False)


def _require(caller: Caller, node_type: str) -> None:
    """Raise MissingScopeError without `write`, and for a type of memories without `facts`."""
    caller.require(Right.WRITE)
    if is_governed_type(node_type):
        caller.require(Right.FACTS)


def _set_deleted(caller: Caller, counted: TypeCount, *, is_deleted: bool) -> TypeCount:
    CATALOGUES[counted.entity].objects.filter(id=counted.entry.id).update(is_deleted=is_deleted)
    return _count_uses(caller, counted.entry.id)


def _count_uses(caller: Caller, type_id: UUID) -> TypeCount:
    """Return an entry, deleted or not, locked in the open scope, with its count. Raises NotFoundError."""
    entry, entity = access_type(caller, type_id, with_deleted=True)
    if entity == Entity.NODE:
        having = Node.objects.of(caller).filter(is_deleted=False, type=entry.name).count()
    else:
        having = Edge.objects.of(caller).visible().filter(type=entry.name).count()
    return TypeCount(entry, entity, having)
