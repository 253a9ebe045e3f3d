"""Earlier versions of nodes and edges, from their history: its edits are undone, the newest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from types import NoneType
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q

from ontology.models import Change, Edge, Node
from ontology.nodes_and_edges.normalisation import MAX_NAME_CHARACTERS, render_properties
from ontology.nodes_and_edges.provenance import WORDS_OF
from ontology.nodes_and_edges.validation import MAX_TYPE_CHARACTERS
from workspaces.access.callers import Caller

EDIT = "edit"
EDITED = "edited"  # what the provenance of a node or an edge calls its last editor
SHAPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("type", "name"), (str,)),
    "properties": (dict,),
    "is_deleted": (bool,),
    WORDS_OF: (dict, NoneType),
}
MAX_CHARACTERS = {"type": MAX_TYPE_CHARACTERS, "name": MAX_NAME_CHARACTERS}
Entity = TypeVar("Entity", Node, Edge)


@dataclass(frozen=True, slots=True)
class NodeMoment:
    """For when nodes are asked: when it was true, and when it was known; one of them is given."""

    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def until(self) -> datetime:
        """The time after which nothing that was changed counts."""
        return min(each for each in (self.as_of, self.known_at) if each is not None)

    @property
    def valid_moment(self) -> datetime:
        return self.as_of or self.until

    def condition(self) -> Q:
        """Return what was there then, as far as was known: added by then, valid then, and not deleted yet."""
        at = self.valid_moment
        condition = Q(valid_from=None) | Q(valid_from__lte=at)
        condition &= Q(valid_to=None) | Q(valid_to__gt=at)
        condition &= Q(is_deleted=False) | Q(deleted_at__gt=self.until)
        if self.as_of:
            condition &= Q(created_at__lte=self.as_of) | Q(valid_from__lte=self.as_of)
        if self.known_at:
            condition &= Q(created_at__lte=self.known_at)
        return condition


def rewind_nodes(caller: Caller, nodes: Sequence[Node], until: datetime) -> list[Node]:
    """Return nodes as they were at a moment, as unsaved copies, for an open scope."""
    edits = entity_edits(caller, [node.id for node in nodes])
    return [_rewind_node(node, edits.get(node.id, ()), until) for node in nodes]


def _rewind_node(node: Node, edits: Sequence[Change], until: datetime) -> Node:
    later = [edit for edit in edits if edit.created_at > until]
    versions = list(past_versions(node, edits))
    version = versions[len(later)]
    if later:
        touched = next((edit.created_at for edit in edits if edit.created_at <= until), node.created_at)
        version.updated_at = max(touched, node.created_at)
    return version


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
        for name, value in edit_values(change).items():
            setattr(version, name, value)
        if isinstance(version, Node) and "properties" in change.before:
            version.body = render_properties(version.properties)
        version.provenance = with_editor(version.provenance, next(iter(edits[place + 1 :]), None))
        yield version


def with_editor(provenance: Mapping[str, Any], edit: Change | None) -> dict[str, Any]:
    """Return the provenance with the actor of an edit as the last editor; without one where there was none."""
    others = {name: value for name, value in provenance.items() if name != EDITED}
    if edit is None:
        return others
    editor = edit.before.get(WORDS_OF, {"by": edit.actor_label, "by_kind": edit.actor_kind})
    return others | ({EDITED: editor} if editor else {})


def find_unfit_value(before: Mapping[str, Any]) -> str:
    """Return a name under which a change does not keep what it has to, as one that was imported may; '' for none."""
    known = [(name, shape) for name, shape in SHAPES.items() if name in before]
    unfit = (name for name, shape in known if not isinstance(before[name], shape) or _is_too_long(name, before[name]))
    return next(unfit, "")


def _is_too_long(name: str, value: object) -> bool:
    return name in MAX_CHARACTERS and isinstance(value, str) and len(value) > MAX_CHARACTERS[name]


def edit_values(change: Change) -> dict[str, Any]:
    """Return what a change replaced, without whose words it has put back."""
    return {name: value for name, value in change.before.items() if name != WORDS_OF}


def earlier_provenances(now: Entity, edits: Sequence[Change]) -> dict[UUID, Mapping[str, Any]]:
    """Return the provenance that a node or an edge had before each of its edits (newest first), by the edit."""
    _, *earlier = past_versions(now, edits)
    return {edit.id: version.provenance for edit, version in zip(edits, earlier, strict=True)}
