"""Every operation by the name of its address: what it reads and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rest_framework.serializers import Serializer

from config.openapi import shapes as s
from config.openapi import shapes_ontology as o
from core.http.fields import StrictSerializer
from core.http.schemas import NoBody, Page, RequestSchema
from ontology.answers.schemas import AskInput, PromptInput
from ontology.connections.schemas import ConnectionInput
from ontology.graph.schemas import PathInput
from ontology.matching.schemas import MergeInput
from ontology.nodes_and_edges.schemas import (
    EdgeEditInput,
    EdgeInput,
    NodeEditInput,
    NodeInput,
    TypeEditInput,
    TypeInput,
)
from ontology.search import schemas as search_schemas
from telemetry.actions.schemas import ActionResponse
from transfer.imports import schemas as transfer

Reader = type[Serializer[Any] | RequestSchema]
JSON_LINES = "application/x-ndjson"


class NothingInput(StrictSerializer):
    """An empty body."""


@dataclass(frozen=True)
class Operation:
    """`reads` may be several: any of these. `gives` are the shapes of good answers by status; None for no body."""

    gives: dict[int, Any]
    reads: tuple[Reader, ...] = ()
    takes_lines: bool = False
    streams: tuple[str, ...] = ()
    scope_parameters: bool = False


def declared(view: Any, method: str) -> Operation | None:
    """What a view says of one of its methods."""
    answers = view.answers.get(method)
    if method not in view.answers:
        return None
    reads = view.reads.get(method, () if method == "GET" else NoBody)
    gives = answers if isinstance(answers, dict) else {204: None} if answers is None else {200: answers}
    return Operation(
        gives,
        reads if isinstance(reads, tuple) else (reads,),
        takes_lines=method in view.reads_lines,
        streams=view.streams.get(method, ()),
        scope_parameters=view.takes_scope,
    )


def ok(shape: Any, **more: Any) -> Operation:
    return Operation({200: shape}, **more)


def takes(reader: Reader, shape: Any, status: int = 200, **more: Any) -> Operation:
    return Operation({status: shape}, (reader,), **more)


def does(shape: Any, status: int = 200) -> Operation:
    """Something that needs no words."""
    return Operation({status: shape}, (NothingInput,))


def lists(shape: Any) -> Operation:
    return Operation({200: s.Page[shape]})


GONE = Operation({204: None}, (NothingInput,))

OPERATIONS: dict[tuple[str, str], Operation] = {
    ("POST", "api-import-items-bulk"): Operation(
        {200: s.LineResults}, (transfer.ImportedMessageInput, transfer.MemoryLine), takes_lines=True
    ),
    ("GET", "api-nodes"): lists(o.Node),
    ("POST", "api-nodes"): takes(NodeInput, o.Node, 201),
    ("POST", "api-nodes-bulk"): takes(NodeInput, s.LineResults, takes_lines=True),
    ("GET", "api-node"): ok(o.Node),
    ("PATCH", "api-node"): takes(NodeEditInput, o.Node),
    ("DELETE", "api-node"): does(o.Node),
    ("POST", "api-node-restore"): does(o.Node),
    ("GET", "api-node-history"): lists(o.Change),
    ("GET", "api-neighbours"): ok(o.Neighbourhood),
    ("GET", "api-impact"): ok(o.Impact),
    ("GET", "api-node-actions"): ok(Page[ActionResponse]),
    ("POST", "api-path"): takes(PathInput, o.Path),
    ("GET", "api-edges"): lists(o.Edge),
    ("POST", "api-edges"): Operation({200: o.Edge, 201: o.Edge}, (EdgeInput,)),
    ("POST", "api-edges-bulk"): takes(EdgeInput, s.LineResults, takes_lines=True),
    ("GET", "api-edge"): ok(o.Edge),
    ("PATCH", "api-edge"): takes(EdgeEditInput, o.Edge),
    ("DELETE", "api-edge"): does(o.Edge),
    ("POST", "api-edge-restore"): does(o.Edge),
    ("POST", "api-ontology-search"): takes(search_schemas.NodeSearchInput, s.Search[o.NodeHit]),
    ("POST", "api-ontology-prompt"): takes(PromptInput, o.Prompted),
    ("POST", "api-ontology-ask"): takes(AskInput, o.Answer),
    ("GET", "api-types"): lists(o.Type),
    ("POST", "api-types"): takes(TypeInput, o.Type, 201),
    ("PATCH", "api-type"): takes(TypeEditInput, o.Type),
    ("DELETE", "api-type"): does(o.Type),
    ("POST", "api-type-restore"): does(o.Type),
    ("GET", "api-connections"): lists(o.Connection),
    ("POST", "api-connections"): takes(ConnectionInput, o.Connection, 201),
    ("GET", "api-connection"): ok(o.Connection),
    ("DELETE", "api-connection"): Operation({200: o.Connection, 202: o.Connection}, (NothingInput,)),
    ("GET", "api-merge-candidates"): lists(o.Candidate),
    ("POST", "api-keep-apart"): does(o.Candidate),
    ("POST", "api-merge"): takes(MergeInput, o.Merge, 201),
    ("GET", "api-merges"): lists(o.Merge),
    ("POST", "api-merge-undo"): does(o.Merge),
}
