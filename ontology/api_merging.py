"""REST of the merge queue: nodes that may be one, merging them, and undoing that."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pages import CursorPages, PageInput, limit_of, one_page
from ontology import inputs, selectors
from ontology.presenting import candidate_json, merge_json
from ontology.services import matching, merging
from workspaces.http import WorkspaceView
from workspaces.scope import workspace_scope


class CandidatesView(WorkspaceView):
    """Pairs of nodes that may be one, with reasons, the likeliest first; those that are kept apart are left out."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = selectors.merge_candidates(self.caller, limit=limit_of(request))
        return Response(one_page([candidate_json(candidate) for candidate in found]))


class KeepApartView(WorkspaceView):
    """Say that two nodes are not one; the pair is not proposed again."""

    def post(self, request: Request, ws: str, candidate_id: str) -> Response:
        self.body(inputs.NothingInput)
        kept = matching.keep_apart(caller=self.caller, candidate_id=path_id(candidate_id))
        return Response(candidate_json(kept))


class MergeView(WorkspaceView):
    """Let one node take over the edges, references and missing properties of another, which is deleted."""

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.MergeInput)
        merge = merging.merge_nodes(caller=self.caller, keep_id=given["keep"], absorb_id=given["absorb"])
        return Response(merge_json(merge), status=201)


class MergesView(WorkspaceView):
    """List the workspace's merges, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.merges_of(self.caller), request, self)
        return pages.get_paginated_response([merge_json(merge) for merge in page or []])


class UndoMergeView(WorkspaceView):
    """Make everything as it was before a merge, except for what somebody has changed since."""

    def post(self, request: Request, ws: str, merge_id: str) -> Response:
        self.body(inputs.NothingInput)
        return Response(merge_json(merging.undo_merge(caller=self.caller, merge_id=path_id(merge_id))))
