"""REST of proposals: offering a memory to another space, and deciding about it."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import MEMORIES
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from memory.memories.proposals import services
from memory.memories.proposals.schemas import AcceptInput, ProposalInput, ProposalResponse, ProposalsQuery
from memory.memories.proposals.selectors import proposals_in_status
from workspaces.access.callers import Right
from workspaces.access.spaces import parse_space
from workspaces.http.rest import WorkspaceView


class ProposeView(WorkspaceView):
    """Offer a memory of a user's, an agent's or another space to `shared`; it stays where it is."""

    action_types = MEMORIES
    stays_within = False  # the answer tells of the space that it is offered to
    reads = {"POST": ProposalInput}
    answers = {"POST": {200: ProposalResponse, 201: ProposalResponse}}

    def post(self, request: Request, ws: str, memory_id: str) -> Response:
        space = parse_space(self.body(ProposalInput).space)
        proposed = services.propose_memory(caller=self.caller, memory_id=path_id(memory_id), space=space)
        return self.answer(ProposalResponse.of(proposed.proposal), status=201 if proposed.is_new else 200)


class ProposalsView(WorkspaceView):
    """List what was offered to the spaces that the call reads, newest first."""

    action_types = MEMORIES
    asks = {"GET": ProposalsQuery}
    answers = {"GET": Page[ProposalResponse]}

    def get(self, request: Request, ws: str) -> Response:
        status = self.query(ProposalsQuery).given().get("status", "")
        return self.page(ProposalResponse, lambda: proposals_in_status(self.caller, status))


class ProposalView(WorkspaceView):
    """Take back what was offered and not decided: for the space that it came from, or with the right to decide."""

    action_types = MEMORIES
    answers = {"DELETE": None}

    def delete(self, request: Request, ws: str, proposal_id: str) -> Response:
        self.body(NoBody)
        services.withdraw_proposal(caller=self.caller, proposal_id=path_id(proposal_id))
        return Response(status=204)


class AcceptView(WorkspaceView):
    """Copy what was offered into the space, in its own words or in `content`; an equal live memory stands for it."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}
    reads = {"POST": AcceptInput}
    answers = {"POST": ProposalResponse}

    def post(self, request: Request, ws: str, proposal_id: str) -> Response:
        content = self.body(AcceptInput).content
        decided = services.accept_proposal(caller=self.caller, proposal_id=path_id(proposal_id), content=content)
        return self.answer(ProposalResponse.of(decided))


class RejectView(WorkspaceView):
    """Keep what was offered out of the space; it can be offered again."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}
    answers = {"POST": ProposalResponse}

    def post(self, request: Request, ws: str, proposal_id: str) -> Response:
        self.body(NoBody)
        decided = services.reject_proposal(caller=self.caller, proposal_id=path_id(proposal_id))
        return self.answer(ProposalResponse.of(decided))
