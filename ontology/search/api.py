"""REST of finding nodes: hybrid search by words and by meaning."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import NODE_SEARCH
from ontology.search.schemas import NodeSearchInput, NodeSearchResponse
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class NodeSearchView(WorkspaceView):
    """Search nodes of every type by words and by meaning."""

    action_types = NODE_SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": NodeSearchInput}
    answers = {"POST": NodeSearchResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(NodeSearchInput)
        found = search_ontology(
            caller=self.caller,
            query=given.query,
            mode=given.mode,
            top_k=given.top_k,
            narrow=given.filters.narrowed(),
            as_of=given.filters.as_of,
        )
        return self.answer(NodeSearchResponse.of(found))
