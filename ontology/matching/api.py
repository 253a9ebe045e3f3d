"""REST of the merge queue: nodes that may be one, merging them, and undoing that."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages, PageInput, one_page, read_limit
from ontology.matching.schemas import MergeInput
from ontology.matching.selectors import merge_candidates, workspace_merges
from ontology.matching.serializers import candidate_json, merge_json
from ontology.matching.services import candidates, merges
from ontology.nodes_and_edges.schemas import NothingInput
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class CandidatesView(WorkspaceView):
    """Pairs of nodes that may be one, with reasons, the likeliest first; those that are kept apart are left out."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = merge_candidates(self.caller, limit=read_limit(request))
        return Response(one_page([candidate_json(candidate) for candidate in found]))


class KeepApartView(WorkspaceView):
    """Say that two nodes are not one; the pair is not proposed again."""

    def post(self, request: Request, ws: str, candidate_id: str) -> Response:
        self.body(NothingInput)
        kept = candidates.keep_apart(caller=self.caller, candidate_id=path_id(candidate_id))
        return Response(candidate_json(kept))


class MergeView(WorkspaceView):
    """Let one node take over the edges, references and missing properties of another, which is deleted."""

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MergeInput)
        merge = merges.merge_nodes(caller=self.caller, keep_id=given["keep"], absorb_id=given["absorb"])
        return Response(merge_json(merge), status=201)


class MergesView(WorkspaceView):
    """List the workspace's merges, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(workspace_merges(self.caller), request, self)
        return pages.get_paginated_response([merge_json(merge) for merge in page or []])


class UndoMergeView(WorkspaceView):
    """Make everything as it was before a merge, except for what somebody has changed since."""

    def post(self, request: Request, ws: str, merge_id: str) -> Response:
        self.body(NothingInput)
        return Response(merge_json(merges.undo_merge(caller=self.caller, merge_id=path_id(merge_id))))
