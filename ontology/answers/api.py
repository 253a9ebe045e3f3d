"""REST of finding and asking: hybrid search over nodes, prompts that update or query, answers that cite."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from ontology.answers.schemas import AskInput, PromptInput
from ontology.answers.serializers import answer_json, prompted_json
from ontology.answers.services.question_answering import ask_ontology
from ontology.answers.services.text_ingest import PromptIntent, run_prompt
from ontology.nodes_and_edges.selectors import NodeFilter
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class PromptView(WorkspaceView):
    """Learn nodes and edges from a text, answer it, or both; an update needs `write`."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(PromptInput)
        given["intent"] = PromptIntent(given.get("intent", PromptIntent.BOTH))
        return Response(prompted_json(run_prompt(caller=self.caller, **given)))


class AskView(WorkspaceView):
    """Answer a question from what the workspace knows; every claim cites a node."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(AskInput)
        narrow = given.pop("filters", {})
        answer = ask_ontology(caller=self.caller, **given, as_of=narrow.pop("as_of", None), narrow=NodeFilter(**narrow))
        return Response(answer_json(answer))
