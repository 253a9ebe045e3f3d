"""Earlier versions of nodes and edges, from their history: its edits are undone, the newest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, TypeVar
from uuid import UUID

from ontology.models import Change, Edge, Node
from ontology.nodes_and_edges.normalisation import render_properties
from workspaces.access.callers import Caller

EDIT = "edit"
EDITED = "edited"  # what the provenance of a node or an edge calls its last editor
Entity = TypeVar("Entity", Node, Edge)


def entity_edits(caller: Caller, ids: Collection[UUID]) -> dict[UUID, list[Change]]:
    """Return the edits of nodes and edges, newest first, by id, for an open scope."""
    found: defaultdict[UUID, list[Change]] = defaultdict(list)
    for change in Change.objects.of(caller).filter(entity_id__in=ids, action=EDIT).order_by("-id"):
        found[change.entity_id].append(change)
    return found


def past_versions(now: Entity, edits: Sequence[Change]) -> Iterator[Entity]:
    """Return a node or an edge as it is, and as it was before each of its edits (newest first), as unsaved copies."""
    version = now
    yield version
    for place, change in enumerate(edits):
        version = copy(version)
        for name, value in change.before.items():
            setattr(version, name, value)
        if isinstance(version, Node) and "properties" in change.before:
            version.body = render_properties(version.properties)
        version.provenance = with_editor(version.provenance, next(iter(edits[place + 1 :]), None))
        yield version


def with_editor(provenance: Mapping[str, Any], edit: Change | None) -> dict[str, Any]:
    """Return the provenance with the actor of an edit as the last editor; without one where there was none."""
    others = {name: value for name, value in provenance.items() if name != EDITED}
    return others | ({EDITED: {"by": edit.actor_label, "by_kind": edit.actor_kind}} if edit else {})
