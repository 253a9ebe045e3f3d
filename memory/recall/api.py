"""REST of assembled contexts, and windows of conversations."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages.selectors import access_conversation
from core.action_types import SEARCH
from memory.recall.schemas import ContextInput, ContextResponse, WindowQuery, WindowResponse
from memory.recall.services.context import assemble_context
from memory.recall.services.conversation_window import conversation_window
from memory.recall.services.pattern_warnings import warn_about_nodes
from telemetry.patterns.schemas import InjectedResponse, InjectionInput
from telemetry.patterns.services.warning_injection import DICE
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class ContextView(WorkspaceView):
    """What an agent should know before it acts, within a token budget."""

    action_types = SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": ContextInput}
    answers = {"POST": ContextResponse}

    def post(self, request: Request, ws: str) -> Response:
        wanted = self.body(ContextInput).request(DICE.random())
        return self.answer(ContextResponse.of(assemble_context(caller=self.caller, wanted=wanted)))


class InjectionView(WorkspaceView):
    """What tends to go wrong with these nodes, before an agent touches them; held out one time in ten."""

    action_types = None
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": InjectionInput}
    answers = {"POST": InjectedResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(InjectionInput)
        warned = warn_about_nodes(
            caller=self.caller,
            node_ids=given.node_ids,
            draw=DICE.random(),
            action_type=given.action_type,
            session=given.session,
        )
        return self.answer(InjectedResponse.of(warned))


class WindowView(WorkspaceView):
    """What an agent is given of a conversation: the newest episodes and the last messages, oldest first; or its
    observations, and the messages that these do not stand for yet."""

    asks = {"GET": WindowQuery}
    answers = {"GET": WindowResponse}

    def get(self, request: Request, ws: str, conversation: str) -> Response:
        found = access_conversation(self.caller, conversation)
        asked = self.query(WindowQuery)
        window = conversation_window(
            caller=self.caller, conversation=found, last=asked.last, token_budget=asked.token_budget
        )
        return self.answer(WindowResponse.of(window))
