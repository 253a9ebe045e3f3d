"""REST of the embedding model of a workspace."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import CONFIGURATION
from core.http.schemas import NoBody
from llm.embedding import schemas
from llm.embedding.services import model_choice
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class EmbeddingView(WorkspaceView):
    """Which model makes the vectors of search by meaning, and how far a change has come; choose another one.

    Searches use the former vectors until all new ones are there. DELETE stays with the former model.
    """

    action_types = CONFIGURATION
    waits = True
    names_spaces = False
    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN, "DELETE": Right.ADMIN}
    reads = {"PUT": schemas.EmbedderInput}
    answers = {"GET": schemas.EmbeddingResponse, "PUT": schemas.EmbeddingResponse, "DELETE": None}

    def get(self, request: Request, ws: str) -> Response:
        return self.answer(schemas.EmbeddingResponse.of(model_choice.embedder_state(self.caller)))

    def put(self, request: Request, ws: str) -> Response:
        given = self.body(schemas.EmbedderInput)
        model_choice.choose_embedder(
            caller=self.caller, provider_id=given.provider, model=given.model, input_price=given.price
        )
        return self.answer(schemas.EmbeddingResponse.of(model_choice.embedder_state(self.caller)))

    def delete(self, request: Request, ws: str) -> Response:
        self.body(NoBody)
        model_choice.cancel_change(caller=self.caller)
        return Response(status=204)
