"""What contexts say of nodes and memories, as it was at another moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory.memories.history.past_state import MemoryState, PastStep, rewind_state
from memory.memories.history.selectors import memory_steps
from memory.models import Kind
from memory.recall.context_items import NodeRow
from ontology.models import Change
from ontology.nodes_and_edges.normalisation import render_properties
from ontology.nodes_and_edges.past_versions import entity_edits, with_editor
from workspaces.access.callers import Caller


def rewind_rows(caller: Caller, rows: list[NodeRow], until: datetime | None) -> list[NodeRow]:
    """Return the rows as they were at a moment, for an open scope; as they are where none is given."""
    if until is None or not rows:
        return rows
    steps = memory_steps(caller, [row.id for row in rows if row.type in Kind.values])
    edits = entity_edits(caller, [row.id for row in rows if row.type not in Kind.values])
    return [
        _past_memory(row, steps.get(row.id, ()), until)
        if row.type in Kind.values
        else _past_node(row, edits.get(row.id, ()), until)
        for row in rows
    ]


def _past_memory(row: NodeRow, steps: Sequence[PastStep], until: datetime) -> NodeRow:
    now = MemoryState(
        content=row.body,
        kind=row.type,
        tags=(),
        importance=0.0,
        confidence=0.0,
        manual_weight=row.manual_weight or 0.0,
        source=row.source or "",
        author=row.author or "",
        author_kind=row.author_kind or "",
        edited_by=row.edited_by or "",
        edited_by_kind=row.edited_by_kind or "",
    )
    then = rewind_state(now, steps, until)
    return row._replace(
        body=then.content,
        type=then.kind,
        manual_weight=then.manual_weight,
        source=then.source,
        author=then.author,
        author_kind=then.author_kind,
        edited_by=then.edited_by,
        edited_by_kind=then.edited_by_kind,
    )


def _past_node(row: NodeRow, edits: Sequence[Change], until: datetime) -> NodeRow:
    for place, edit in enumerate(edits):
        if edit.created_at <= until:
            break
        before = edit.before
        body = render_properties(before["properties"]) if "properties" in before else row.body
        editor = with_editor(row.kept_provenance, next(iter(edits[place + 1 :]), None))
        name, type_ = before.get("name", row.name), before.get("type", row.type)
        row = row._replace(name=name, type=type_, body=body, kept_provenance=editor)
    return row
