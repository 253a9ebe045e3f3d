"""What pages show of the erasure of a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transfer.erasure.receipt_notes import HOW_CHECKED, list_notes
from transfer.erasure.services.workspace_erasure import WorkspaceContent
from transfer.erasure.workspace_tables import sum_layers
from transfer.models import WorkspaceErasure

# Layers in the words of the console, in the order in which they are shown.
LAYER_NAMES = {
    "memory": "Memories, episodes, slots, runs",
    "conversations": "Conversations and their word index",
    "ontology": "Nodes, edges and their vectors",
    "telemetry": "Actions, sequences, patterns, metrics",
    "models": "Model settings and the record of model calls",
    "imports": "Imports",
    "access": "Members, keys, apps, spaces, the audit record",
    "graph": "Nodes in the graph server",
    "redis": "Keys in Valkey or Redis",
    "queue": "Queued tasks",
}
CHECK_NAMES = {"tables": "Tables", "graph": "Graph", "redis": "Valkey or Redis", "queue": "Queue"}
STORE_NAMES = {"graph": "The graph server", "redis": "Valkey or Redis"}


@dataclass(frozen=True, slots=True)
class LayerLine:
    """A layer, and the number of things in it."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class CheckLine:
    """What was looked through, how, and what was found."""

    name: str
    how: str
    found: int


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """The erasure of a workspace as its page shows it."""

    erasure: WorkspaceErasure
    layers: Sequence[LayerLine]
    checks: Sequence[CheckLine]
    stays: Sequence[str]
    out_of_reach: Sequence[str]

    @property
    def deleted(self) -> int:
        return int(sum(self.erasure.rows.values()))

    @property
    def total(self) -> int:
        return max(int(sum(self.erasure.planned.values())), self.deleted)

    @property
    def absent_store(self) -> str:
        """The name of the store that does not answer; '' for none."""
        return STORE_NAMES.get(self.erasure.waits_for, "")


def content_lines(content: WorkspaceContent) -> list[LayerLine]:
    """Return what a workspace holds, by layer."""
    return _layer_lines(sum_layers(content.rows))


def unreachable_names(content: WorkspaceContent) -> list[str]:
    """Return the names of the stores that could not be counted."""
    return [STORE_NAMES[store] for store in content.unreachable]


def read_receipt(erasure: WorkspaceErasure) -> ErasureReceipt:
    """Return what a page shows of an erasure."""
    notes = list_notes(has_key=bool(erasure.key_hash))
    checks = [
        CheckLine(CHECK_NAMES[check["what"]], HOW_CHECKED[check["what"]], check["found"]) for check in erasure.checks
    ]
    layers = _layer_lines(sum_layers(erasure.rows))
    return ErasureReceipt(erasure, layers, checks, notes["stays"], notes["out_of_reach"])


def _layer_lines(layers: dict[str, int]) -> list[LayerLine]:
    order = [*LAYER_NAMES, *(name for name in layers if name not in LAYER_NAMES)]
    return [LayerLine(LAYER_NAMES.get(name, name), layers[name]) for name in order if layers.get(name)]
