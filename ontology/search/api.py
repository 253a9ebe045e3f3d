"""REST of finding and asking: hybrid search over nodes, prompts that update or query, answers that cite."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.search.schemas import NodeSearchInput
from ontology.search.serializers import hits_json
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class NodeSearchView(WorkspaceView):
    """Search nodes of every type by words and by meaning."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(NodeSearchInput)
        narrow = given.pop("filters", {})
        found = search_ontology(
            caller=self.caller, **given, as_of=narrow.pop("as_of", None), narrow=NodeFilter(**narrow)
        )
        return Response(hits_json(found))
