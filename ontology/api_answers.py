"""REST of finding and asking: hybrid search over nodes, prompts that update or query, answers that cite."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from ontology import inputs_answers
from ontology.presenting_answers import answer_json, hits_json, prompted_json
from ontology.selectors import NodeFilter
from ontology.services.asking import ask_ontology
from ontology.services.hits import search_ontology
from ontology.services.prompting import Intent, run_prompt
from workspaces.callers import Right
from workspaces.http import WorkspaceView


class SearchView(WorkspaceView):
    """Search nodes of every type by words and by meaning."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs_answers.SearchInput)
        narrow = given.pop("filters", {})
        found = search_ontology(
            caller=self.caller, **given, as_of=narrow.pop("as_of", None), narrow=NodeFilter(**narrow)
        )
        return Response(hits_json(found))


class PromptView(WorkspaceView):
    """Learn nodes and edges from a text, answer it, or both; an update needs `write`."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs_answers.PromptInput)
        given["intent"] = Intent(given.get("intent", Intent.BOTH))
        return Response(prompted_json(run_prompt(caller=self.caller, **given)))


class AskView(WorkspaceView):
    """Answer a question from what the workspace knows; every claim cites a node."""

    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs_answers.AskInput)
        narrow = given.pop("filters", {})
        answer = ask_ontology(caller=self.caller, **given, as_of=narrow.pop("as_of", None), narrow=NodeFilter(**narrow))
        return Response(answer_json(answer))
