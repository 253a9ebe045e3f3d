"""REST of what the memory does with conversations: window, episodes, end, consolidation, deletion."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.presenting import conversation_json
from conversations.selectors import access_conversation
from core.errors import NotFoundError
from core.http.fields import path_id
from core.http.pages import CursorPages, PageInput
from memory import inputs, selectors
from memory.presenting import consolidation_json, episode_json, window_json
from memory.services import deleting, ending
from memory.services.consolidating import consolidate_for_a_while
from memory.services.window import conversation_window
from workspaces.authentication import who
from workspaces.callers import Caller
from workspaces.http import WorkspaceView
from workspaces.models import User
from workspaces.scope import workspace_scope
from workspaces.selectors import access_workspace, workspaces_of


class ConversationView(WorkspaceView):
    """Read one conversation; delete it with everything that hangs on it."""

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        return Response(conversation_json(access_conversation(self.caller, conversation)))

    def delete(self, request: Request, ws: str, conversation: str) -> Response:
        self.body(inputs.NothingInput)
        deleting.delete_conversation(caller=self.caller, conversation=conversation)
        return Response(status=204)


class ConversationByIdView(WorkspaceView):
    """Delete a conversation by its id alone: the key, or the person's memberships, say where to look for it."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs, ws=_workspace_with(request, kwargs["conversation_id"]))

    def delete(self, request: Request, conversation_id: str) -> Response:
        self.body(inputs.NothingInput)
        deleting.delete_conversation(caller=self.caller, conversation=str(path_id(conversation_id)))
        return Response(status=204)


class EndView(WorkspaceView):
    """End a conversation; facts and preferences are looked for in the background while memory is on."""

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        self.body(inputs.NothingInput)
        ended = ending.end_conversation(caller=self.caller, conversation=conversation)
        return Response({**conversation_json(ended.conversation), "extracting": ended.is_extracting})


class ConsolidateView(WorkspaceView):
    """Turn older messages into episodes; what takes longer than a request may, the worker goes on with."""

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(inputs.ConsolidationInput)
        found = access_conversation(self.caller, conversation)
        return Response(consolidation_json(consolidate_for_a_while(caller=self.caller, conversation=found, **given)))


class EpisodesView(WorkspaceView):
    """The summaries of a conversation's older messages, newest first."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = access_conversation(self.caller, conversation)
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.episodes_of(self.caller, found), request, self)
        return pages.get_paginated_response([episode_json(episode) for episode in page or []])


class WindowView(WorkspaceView):
    """What an agent is given of a conversation: the newest episodes and the last messages, oldest first."""

    asks = {"GET": inputs.WindowInput}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = access_conversation(self.caller, conversation)
        return Response(window_json(conversation_window(caller=self.caller, conversation=found, **self.asked)))


def _workspace_with(request: Request, conversation_id: str) -> str:
    """The workspace to look for a conversation in; '' for somebody who has none with it."""
    found = who(request)
    if isinstance(found, Caller):
        return str(found.workspace_id)
    if not isinstance(found, User):
        return ""
    for workspace in workspaces_of(found):
        with suppress(NotFoundError):
            caller = access_workspace(user=found, workspace_id=workspace.id)
            access_conversation(caller, str(path_id(conversation_id)))
            return str(workspace.id)
    return ""
