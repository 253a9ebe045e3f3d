"""REST of telemetry: what agents did, what keeps going wrong, and how well it goes."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages
from telemetry.actions.selectors import MAX_ACTIONS_SHOWN
from telemetry.actions.serializers import action_json
from telemetry.sequences.schemas import SequencesQuery
from telemetry.sequences.selectors import access_sequence, sequence_actions, workspace_sequences
from telemetry.sequences.serializers import sequence_json
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class SequencesView(WorkspaceView):
    """List sequences of actions, the latest beginning first."""

    asks = {"GET": SequencesQuery}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(workspace_sequences(self.caller, self.asked), request, self)
        return pages.get_paginated_response([sequence_json(sequence) for sequence in page or []])


class SequenceView(WorkspaceView):
    """One sequence with its actions in order, a thousand of them at the most."""

    def get(self, request: Request, ws: str, sequence_id: str) -> Response:
        sequence = access_sequence(self.caller, path_id(sequence_id))
        with workspace_scope(self.caller):
            actions = list(sequence_actions(self.caller, sequence)[:MAX_ACTIONS_SHOWN])
        return Response({**sequence_json(sequence), "actions": [action_json(action) for action in actions]})
