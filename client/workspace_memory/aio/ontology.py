"""What things are and how they hang together: nodes, edges, and questions to both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, Literal

from typing_extensions import Unpack

from workspace_memory.aio.transport import AsyncTransport, read_each, read_found
from workspace_memory.answer_models import OntologyAnswer, PromptResult
from workspace_memory.models import Found, ItemResult, Mode, StoredAction
from workspace_memory.node_models import (
    Connection,
    Edge,
    FoundPath,
    Impact,
    Merge,
    MergeCandidate,
    Neighbourhood,
    Node,
    NodeChange,
    NodeHit,
    NodeType,
)
from workspace_memory.request_fields import (
    EdgeChanges,
    EdgeFields,
    EdgeFilters,
    NodeChanges,
    NodeFields,
    NodeFilters,
    NodeListFilters,
)
from workspace_memory.wire import asked, body_of, given, json_lines, quoted

Direction = Literal["both", "out", "in"]
ItemResults = list[ItemResult]  # in the classes `list` is a method


class AsyncNodes:
    """Things of any type, each with a name and properties; `memory.ontology.nodes`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, type: str, name: str, **fields: Unpack[NodeFields]) -> Node:
        """Create a node of a type of your own words, such as `person`; the catalogue of types fills itself."""
        body = body_of({"type": type, "name": name, **fields})
        return await self._transport.ask(Node, "POST", "ontology/nodes", body)

    async def create_many(self, nodes: Iterable[Mapping[str, Any]]) -> ItemResults:
        """Create up to 10,000 nodes, each with what `create` takes; one result for each, in order."""
        return await _in_lines(self._transport, "ontology/nodes/bulk", nodes)

    def list(self, *, limit: int | None = None, **filters: Unpack[NodeListFilters]) -> AsyncIterator[Node]:
        """Nodes, newest first. `name` is the whole name, `q` a part of it."""
        return self._transport.each(Node, "ontology/nodes", asked(**body_of({**filters})), limit)

    async def get(self, id: str) -> Node:
        """One node, also a deleted one, which says `is_deleted`."""
        return await self._transport.ask(Node, "GET", _node(id))

    async def edit(self, id: str, **changes: Unpack[NodeChanges]) -> Node:
        """Change what is named. Properties are merged; None takes one away."""
        return await self._transport.ask(Node, "PATCH", _node(id), body_of({**changes}))

    async def delete(self, id: str) -> Node:
        """Delete it with its edges; `restore` undoes it."""
        return await self._transport.ask(Node, "DELETE", _node(id))

    async def restore(self, id: str) -> Node:
        """Undo deleting it, and bring its edges back."""
        return await self._transport.ask(Node, "POST", f"{_node(id)}/restore")

    def history(self, id: str, *, limit: int | None = None) -> AsyncIterator[NodeChange]:
        """What happened to it after it was made, newest first."""
        return self._transport.each(NodeChange, f"{_node(id)}/history", {}, limit)

    def actions(self, id: str, *, limit: int = 50) -> AsyncIterator[StoredAction]:
        """What agents did to it, the latest first; at most 200."""
        return self._transport.each(StoredAction, f"{_node(id)}/actions", {}, limit)

    async def neighbours(
        self, id: str, *, depth: int = 1, direction: Direction = "both", limit: int = 200
    ) -> Neighbourhood:
        """What lies within `depth` edges (1 to 6) of it, nearest first, and the edges among all of them."""
        query = asked(depth=depth, direction=direction, limit=limit)
        return await self._transport.ask(Neighbourhood, "GET", f"{_node(id)}/neighbours", query=query)

    async def impact(self, id: str, *, depth: int = 3, direction: Direction = "in", limit: int = 1_000) -> Impact:
        """What leads to it by directed edges, or with the direction `out` what it leads to."""
        query = asked(depth=depth, direction=direction, limit=limit)
        return await self._transport.ask(Impact, "GET", f"{_node(id)}/impact", query=query)


class AsyncEdges:
    """How nodes are related, from a source to a target; `memory.ontology.edges`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, type: str, source: str, target: str, **fields: Unpack[EdgeFields]) -> Edge:
        """Connect two nodes by their ids. The same edge again answers the one that is there."""
        body = body_of({"type": type, "source": source, "target": target, **fields})
        return await self._transport.ask(Edge, "POST", "ontology/edges", body)

    async def create_many(self, edges: Iterable[Mapping[str, Any]]) -> ItemResults:
        """Create up to 10,000 edges, each with what `create` takes; one result for each, in order."""
        return await _in_lines(self._transport, "ontology/edges/bulk", edges)

    def list(self, *, limit: int | None = None, **filters: Unpack[EdgeFilters]) -> AsyncIterator[Edge]:
        """Edges, newest first. `node` is the id of either end."""
        return self._transport.each(Edge, "ontology/edges", asked(**body_of({**filters})), limit)

    async def get(self, id: str) -> Edge:
        """One edge, also a deleted one, which says `is_deleted`."""
        return await self._transport.ask(Edge, "GET", _edge(id))

    async def edit(self, id: str, **changes: Unpack[EdgeChanges]) -> Edge:
        """Change what is named. Properties are merged; None takes one away."""
        return await self._transport.ask(Edge, "PATCH", _edge(id), body_of({**changes}))

    async def delete(self, id: str) -> Edge:
        """Delete it; `restore` undoes it."""
        return await self._transport.ask(Edge, "DELETE", _edge(id))

    async def restore(self, id: str) -> Edge:
        """Undo deleting it."""
        return await self._transport.ask(Edge, "POST", f"{_edge(id)}/restore")


class AsyncConnections:
    """Sources that own the nodes that came through them; `memory.ontology.connections`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, name: str, *, kind: str = "") -> Connection:
        """Make a connection; nodes and edges name it as their `connection`."""
        return await self._transport.ask(Connection, "POST", "ontology/connections", {"name": name, "kind": kind})

    def list(self, *, limit: int | None = None) -> AsyncIterator[Connection]:
        """Connections, newest first."""
        return self._transport.each(Connection, "ontology/connections", {}, limit)

    async def get(self, id: str) -> Connection:
        """One connection; of a deleted one `removal` says how far its slice is removed."""
        return await self._transport.ask(Connection, "GET", f"ontology/connections/{quoted(id)}")

    async def delete(self, id: str) -> Connection:
        """Delete it with all that came through it; needs the scope `admin`. A large one goes on in the background."""
        return await self._transport.ask(Connection, "DELETE", f"ontology/connections/{quoted(id)}")


class AsyncOntology:
    """Nodes, edges, and what is asked of both; `memory.ontology`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.nodes = AsyncNodes(transport)
        self.edges = AsyncEdges(transport)
        self.connections = AsyncConnections(transport)

    async def search(
        self, query: str, *, limit: int = 10, mode: Mode = "hybrid", **filters: Unpack[NodeFilters]
    ) -> Found[NodeHit]:
        """Search nodes of every type by words and by meaning, best first; `limit` 1 to 200.

        Filters: `types` (any of them), `properties` (all of them), `connection`, `created_after`, `created_before`,
        and `as_of`, what was known then.
        """
        body = {"query": query, "top_k": limit, "mode": mode, "filters": body_of({**filters})}
        return read_found(NodeHit, await self._transport.send("POST", "ontology/search", body))

    async def ask(self, question: str, *, limit: int = 12, **filters: Unpack[NodeFilters]) -> OntologyAnswer:
        """Answer a question from what the workspace knows; every claim cites a node. `limit` is that of its sources."""
        body = {"question": question, "top_k": limit, "filters": body_of({**filters})}
        return await self._transport.ask(OntologyAnswer, "POST", "ontology/ask", body)

    async def prompt(
        self,
        text: str,
        *,
        intent: Literal["update", "query", "both"] = "both",
        speaker: str = "",
        message_id: str | None = None,
    ) -> PromptResult:
        """Learn nodes and edges from a text (`update`), answer it (`query`), or both. It is read, and kept nowhere."""
        body = given(text=text, intent=intent, speaker=speaker, message_id=message_id)
        return await self._transport.ask(PromptResult, "POST", "ontology/prompt", body)

    async def path(self, source: str, target: str, *, max_depth: int = 4) -> FoundPath:
        """Find a shortest path between two nodes of at most `max_depth` edges (1 to 8), whichever way these point."""
        body = {"from": source, "to": target, "max_depth": max_depth}
        return await self._transport.ask(FoundPath, "POST", "ontology/path", body)

    def types(self, *, limit: int | None = None) -> AsyncIterator[NodeType]:
        """The catalogue of types of nodes and edges, with counts."""
        return self._transport.each(NodeType, "ontology/types", {}, limit)

    def merge_candidates(self, *, limit: int = 50) -> AsyncIterator[MergeCandidate]:
        """Pairs of nodes that may be one, the likeliest first."""
        return self._transport.each(MergeCandidate, "ontology/merge-candidates", {}, limit)

    async def keep_apart(self, candidate_id: str) -> MergeCandidate:
        """Say that two nodes are not one; the pair is not proposed again."""
        path = f"ontology/merge-candidates/{quoted(candidate_id)}/keep-apart"
        return await self._transport.ask(MergeCandidate, "POST", path)

    async def merge(self, keep: str, absorb: str, *, take: Iterable[str] = ()) -> Merge:
        """Let one node take over the edges, references and missing properties of another, which is deleted.

        `take` names properties that both have, of which the absorbed node's value is kept.
        """
        body = {"keep": keep, "absorb": absorb, "take": [*take]}
        return await self._transport.ask(Merge, "POST", "ontology/merge", body)

    def merges(self, *, limit: int | None = None) -> AsyncIterator[Merge]:
        """Merges, newest first."""
        return self._transport.each(Merge, "ontology/merges", {}, limit)

    async def undo_merge(self, merge_id: str) -> Merge:
        """Make everything as it was before a merge, except for what was changed since."""
        return await self._transport.ask(Merge, "POST", f"ontology/merges/{quoted(merge_id)}/undo")


def _node(id: str) -> str:
    return f"ontology/nodes/{quoted(id)}"


def _edge(id: str) -> str:
    return f"ontology/edges/{quoted(id)}"


async def _in_lines(transport: AsyncTransport, path: str, items: Iterable[Mapping[str, Any]]) -> ItemResults:
    """What became of each of these things, which are sent as JSON Lines."""
    lines = json_lines(items)
    return read_each(ItemResult, await transport.send_lines("POST", path, lines)) if lines else []
