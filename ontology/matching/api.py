"""REST of the merge queue: nodes that may be one, merging them, and undoing that."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import NODES
from core.http.pagination import PageQuery, one_page
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from ontology.matching.schemas import CandidateResponse, MergeInput, MergeResponse
from ontology.matching.selectors import merge_candidates, workspace_merges
from ontology.matching.services import candidates, merges
from workspaces.http.rest import WorkspaceView


class CandidatesView(WorkspaceView):
    """Pairs of nodes that may be one, with reasons, the likeliest first; those that are kept apart are left out."""

    action_types = NODES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[CandidateResponse]}

    def get(self, request: Request, ws: str) -> Response:
        found = merge_candidates(self.caller, limit=self.query(PageQuery).limit)
        return Response(one_page([CandidateResponse.of(candidate).as_json() for candidate in found]))


class KeepApartView(WorkspaceView):
    """Say that two nodes are not one; the pair is not proposed again."""

    action_types = NODES
    answers = {"POST": CandidateResponse}

    def post(self, request: Request, ws: str, candidate_id: str) -> Response:
        self.body(NoBody)
        kept = candidates.keep_apart(caller=self.caller, candidate_id=path_id(candidate_id))
        return self.answer(CandidateResponse.of(kept))


class MergeView(WorkspaceView):
    """Let one node take over the edges, references and missing properties of another, which is deleted."""

    action_types = NODES
    reads = {"POST": MergeInput}
    answers = {"POST": {201: MergeResponse}}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MergeInput)
        merge = merges.merge_nodes(caller=self.caller, keep_id=given.keep, absorb_id=given.absorb, take=given.take)
        return self.answer(MergeResponse.of(merge), status=201)


class MergesView(WorkspaceView):
    """List the workspace's merges, newest first."""

    action_types = NODES
    asks = {"GET": PageQuery}
    answers = {"GET": Page[MergeResponse]}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(MergeResponse, lambda: workspace_merges(self.caller))


class UndoMergeView(WorkspaceView):
    """Make everything as it was before a merge, except for what was changed since."""

    action_types = NODES
    answers = {"POST": MergeResponse}

    def post(self, request: Request, ws: str, merge_id: str) -> Response:
        self.body(NoBody)
        return self.answer(MergeResponse.of(merges.undo_merge(caller=self.caller, merge_id=path_id(merge_id))))
