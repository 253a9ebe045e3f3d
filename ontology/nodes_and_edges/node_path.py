"""Base class of the REST views whose path names one node."""

from __future__ import annotations

from contextlib import suppress

from rest_framework.response import Response

from core.errors import ProductError
from core.http.url_parameters import path_id
from ontology.nodes_and_edges.selectors import access_node
from telemetry.actions.call_targets import is_collecting
from workspaces.http.rest import WorkspaceView


class NodePathView(WorkspaceView):
    """A view of the node in its path, whose type telemetry learns also where the call is refused before it opens it.

    Else the failures of a type would be counted apart from its successes.
    """

    def handle_exception(self, exc: Exception) -> Response:
        answer = super().handle_exception(exc)
        if hasattr(self, "caller") and is_collecting() and answer.status_code < 500:
            with suppress(ProductError):
                access_node(self.caller, path_id(self.kwargs["node_id"]), with_deleted=True)
        return answer
