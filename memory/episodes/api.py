"""REST of what the memory does with conversations: window, episodes, end, consolidation, deletion."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages.schemas import ConversationResponse
from conversations.messages.selectors import access_conversation
from core.errors import NotFoundError
from core.http.pagination import PageQuery
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from memory.episodes.schemas import (
    AddedResponse,
    AddInput,
    ConsolidatedResponse,
    ConsolidationInput,
    EndedResponse,
    EndInput,
    EpisodeResponse,
)
from memory.episodes.selectors import access_episode, episodes_with_statements
from memory.episodes.services import conversation_deletion, end_conversation, episode_deletion
from memory.episodes.services.added_messages import add_messages
from memory.episodes.services.consolidation import consolidate_for_a_while
from workspaces.access.callers import Caller, Right
from workspaces.access.selectors import access_workspace, member_workspaces
from workspaces.access.spaces import SpaceNotAllowedError
from workspaces.http.authentication import who
from workspaces.http.rest import WorkspaceView
from workspaces.http.space_fields import join_spaces, split_query
from workspaces.models import User


class ConversationView(WorkspaceView):
    """Read one conversation; delete it with everything that hangs on it."""

    answers = {"GET": ConversationResponse, "DELETE": None}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        return self.answer(ConversationResponse.of(access_conversation(self.caller, conversation)))

    def delete(self, request: Request, ws: str, conversation: str) -> Response:
        self.body(NoBody)
        conversation_deletion.delete_conversation(caller=self.caller, conversation=conversation)
        return Response(status=204)


class ConversationByIdView(WorkspaceView):
    """Delete a conversation by its id alone: the key, or the person's memberships, say where to look for it."""

    answers = {"DELETE": None}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs, ws=_find_workspace(request, kwargs["conversation_id"]))

    def delete(self, request: Request, conversation_id: str) -> Response:
        self.body(NoBody)
        conversation_deletion.delete_conversation(caller=self.caller, conversation=path_id(conversation_id))
        return Response(status=204)


class EndView(WorkspaceView):
    """End a conversation; facts and preferences are looked for in the background while memory is on."""

    reads = {"POST": EndInput}
    answers = {"POST": EndedResponse}

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(EndInput)
        ended = end_conversation.end_conversation(caller=self.caller, conversation=conversation, extract=given.extract)
        return self.answer(EndedResponse.of(ended))


class AddView(WorkspaceView):
    """Add messages; facts and preferences are looked for in them after a pause, without an end to say."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    reads = {"POST": AddInput}
    answers = {"POST": {201: AddedResponse}}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(AddInput)
        messages = [one.new_message() for one in given.messages]
        added = add_messages(caller=self.caller, messages=messages, conversation=given.conversation or "")
        return self.answer(AddedResponse.of(added), status=201)


class ConsolidateView(WorkspaceView):
    """Turn older messages into episodes; what takes longer than a request may, the worker goes on with."""

    asks_model = True
    waits = True
    reads = {"POST": ConsolidationInput}
    answers = {"POST": ConsolidatedResponse}

    def post(self, request: Request, ws: str, conversation: str) -> Response:
        given = self.body(ConsolidationInput)
        found = access_conversation(self.caller, conversation)
        made = consolidate_for_a_while(
            caller=self.caller,
            conversation=found,
            retain_last=given.retain_last,
            max_age_days=given.max_age_days,
        )
        return self.answer(ConsolidatedResponse.of(made))


class EpisodesView(WorkspaceView):
    """The summaries and statements of a conversation's older messages, newest first."""

    asks = {"GET": PageQuery}
    answers = {"GET": Page[EpisodeResponse]}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = access_conversation(self.caller, conversation)
        return self.page(EpisodeResponse, lambda: episodes_with_statements(self.caller, found))


class EpisodeView(WorkspaceView):
    """Delete an episode with its statements from everything that is read; it can be restored."""

    rights: ClassVar[dict[str, Right]] = {"DELETE": Right.ADMIN}
    answers = {"DELETE": None}

    def delete(self, request: Request, ws: str, episode_id: str) -> Response:
        self.body(NoBody)
        episode_deletion.delete_episode(caller=self.caller, episode_id=path_id(episode_id))
        return Response(status=204)


class EpisodeRestoreView(WorkspaceView):
    """Restore a deleted episode with its statements."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    answers = {"POST": EpisodeResponse}

    def post(self, request: Request, ws: str, episode_id: str) -> Response:
        self.body(NoBody)
        episode_deletion.restore_episode(caller=self.caller, episode_id=path_id(episode_id))
        return self.answer(EpisodeResponse.of(access_episode(self.caller, path_id(episode_id))))


def _find_workspace(request: Request, conversation_id: str) -> str:
    """Return the workspace to look for a conversation in; '' for a caller that has none with it.

    Raises SeveralConversationsError for a person who has a workspace and a copy of it.
    """
    found = who(request)
    if isinstance(found, Caller):
        return str(found.workspace_id)
    if not isinstance(found, User):
        return ""
    holding = []
    _, named = split_query(request.query_params, ())
    for workspace in member_workspaces(found):
        with suppress(NotFoundError, SpaceNotAllowedError):
            caller = access_workspace(user=found, workspace_id=workspace.id).naming(join_spaces(named))
            access_conversation(caller, path_id(conversation_id))
            holding.append(str(workspace.id))
    if len(holding) > 1:
        raise conversation_deletion.SeveralConversationsError()
    return holding[0] if holding else ""
