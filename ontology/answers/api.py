"""REST of asking: prompts that update or query, answers that cite."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import NODE_SEARCH
from ontology.answers.schemas import AnswerResponse, AskInput, PromptedResponse, PromptInput
from ontology.answers.services.question_answering import ask_ontology
from ontology.answers.services.text_ingest import PromptIntent, run_prompt
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class PromptView(WorkspaceView):
    """Learn nodes and edges from a text, answer it, or both; an update needs `write`."""

    action_types = NODE_SEARCH
    asks_model = True
    waits = True
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": PromptInput}
    answers = {"POST": PromptedResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(PromptInput)
        prompted = run_prompt(
            caller=self.caller,
            text=given.given_text,
            intent=PromptIntent(given.intent),
            message_id=given.message_id,
            speaker=given.speaker,
            top_k=given.top_k,
        )
        return self.answer(PromptedResponse.of(prompted))


class AskView(WorkspaceView):
    """Answer a question from what the workspace knows; every claim cites a node."""

    action_types = NODE_SEARCH
    asks_model = True
    waits = True
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": AskInput}
    answers = {"POST": AnswerResponse}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(AskInput)
        answer = ask_ontology(
            caller=self.caller,
            question=given.asked,
            top_k=given.top_k,
            as_of=given.filters.as_of,
            narrow=given.filters.narrowed(),
        )
        return self.answer(AnswerResponse.of(answer))
