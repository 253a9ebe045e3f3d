"""REST of sequences: list them, and read one with its actions."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.schemas import Page
from core.http.url_parameters import path_id
from telemetry.actions.selectors import MAX_ACTIONS_SHOWN
from telemetry.sequences.schemas import SequenceResponse, SequencesQuery, SequenceWithActionsResponse
from telemetry.sequences.selectors import access_sequence, sequence_actions, workspace_sequences
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class SequencesView(WorkspaceView):
    """List sequences of actions, the latest beginning first."""

    action_types = None
    asks = {"GET": SequencesQuery}
    answers = {"GET": Page[SequenceResponse]}

    def get(self, request: Request, ws: str) -> Response:
        narrow = self.query(SequencesQuery).filter_values()
        return self.page(SequenceResponse, lambda: workspace_sequences(self.caller, narrow))


class SequenceView(WorkspaceView):
    """One sequence with its actions in order, at most a thousand of them."""

    action_types = None
    answers = {"GET": SequenceWithActionsResponse}

    def get(self, request: Request, ws: str, sequence_id: str) -> Response:
        sequence = access_sequence(self.caller, path_id(sequence_id))
        with workspace_scope(self.caller):
            actions = list(sequence_actions(self.caller, sequence)[:MAX_ACTIONS_SHOWN])
        return self.answer(SequenceWithActionsResponse.of_actions(sequence, actions))
