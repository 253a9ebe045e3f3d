"""Nodes that a call turns out to be about, noted where services open, create or cite them.

A door collects them for the action that it captures. Nothing is collected outside of a call that may be captured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from uuid import UUID

from core.text import looks_like_credential
from core.text.email_addresses import has_email_address
from telemetry.actions.prose_detection import is_address, is_sentence
from workspaces.access.callers import Caller

# Of one call: a row of an action stays small, however many nodes a call creates.
MAX_TARGETS = 1_000


@dataclass(slots=True)
class CallTargets:
    """The nodes of one call, in the order in which they were noted, and their types."""

    nodes: dict[UUID, None] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)

    def linkable_ids(self, caller: Caller) -> tuple[UUID, ...]:
        """Return the ids of the nodes; none for a call that read other spaces than the one that its action stands in,
        whose readers may not know of nodes of those."""
        return tuple(self.nodes) if caller.reach.read == (caller.reach.written,) else ()

    def node_type(self, default: str) -> str:
        """Return the type that all of the nodes have; `default` where they have several, or one that says too much."""
        kind = next(iter(self.types)) if len(self.types) == 1 else default
        return kind if is_code(kind) else default


_TARGETS: ContextVar[CallTargets | None] = ContextVar("call_targets", default=None)


@contextmanager
def collect_targets() -> Iterator[CallTargets]:
    """Collect what is noted until the end of the block."""
    targets = CallTargets()
    token = _TARGETS.set(targets)
    try:
        yield targets
    finally:
        _TARGETS.reset(token)


def note_targets(nodes: Iterable[tuple[UUID, str]]) -> None:
    """Note nodes, by id and type, that the call has opened: not what its body or path merely names."""
    targets = _TARGETS.get()
    if targets is None:
        return
    for node_id, kind in nodes:
        targets.types.add(kind)
        if len(targets.nodes) < MAX_TARGETS:
            targets.nodes.setdefault(node_id)


def note_type(kind: str) -> None:
    """Note a type of the catalogue, where a node of it would have come into being but for a refusal."""
    if (targets := _TARGETS.get()) is not None:
        targets.types.add(kind)


def is_collecting() -> bool:
    """Return whether what is noted goes anywhere, so that nothing is looked up for nothing."""
    return _TARGETS.get() is not None


def is_code(kind: str) -> bool:
    """Return whether a type may stand in telemetry, which every agent of the space reads: types are what users say."""
    return not (is_address(kind) or is_sentence(kind) or looks_like_credential(kind) or has_email_address(kind))
