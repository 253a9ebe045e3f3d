"""OpenAI's chat completions for programs that cannot be changed: their address and key are all that is set."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any, ClassVar
from urllib.parse import quote, unquote
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from chat.proxy.openai_errors import encode_error, with_openai_error
from chat.proxy.schemas import ProviderAnswerResponse, ProxiedModelsResponse, ProxyInput
from chat.proxy.services.proxied_turn import Captured, ProxiedTurn, ProxyRequest, begin_turn
from core.errors import FieldProblem, ForbiddenError, InvalidError, ProductError
from core.http.event_streams import EVENT_STREAM, EventStreamRenderer, stream_response
from llm.configuration.selectors import workspace_choices
from workspaces.access.callers import Caller
from workspaces.access.spaces import NamedSpaces
from workspaces.http.authentication import who
from workspaces.http.rest import WorkspaceView
from workspaces.http.space_fields import SpaceFields
from workspaces.models import User

CONVERSATION, SPACE, CAPTURE, RECEIPT = (f"X-Memory-{name}" for name in ("Conversation", "Space", "Capture", "Receipt"))


class ProxyView(WorkspaceView):
    """An address of OpenAI's API; the workspace is that of the key, since programs have no place for it.

    A refusal is a problem as everywhere, and in the same object an error of OpenAI's API.
    """

    renderer_classes = (JSONRenderer, EventStreamRenderer)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **{**kwargs, "ws": _find_workspace(request)})

    def handle_exception(self, exc: Exception) -> Response:
        return with_openai_error(super().handle_exception(exc))


class ProxyModelsView(ProxyView):
    """List the models that a request may name, in the form of OpenAI's API."""

    names_spaces = False
    answers = {"GET": ProxiedModelsResponse}

    def get(self, request: Request) -> Response:
        choices = workspace_choices(self.caller)
        names = {choice.model: choice.provider.name for choice in choices}
        return self.answer(ProxiedModelsResponse.of_names({"default": "workspace", **names}, created=0))


class ProxyChatView(ProxyView):
    """Pass a chat completion on to the workspace's model, with what is remembered about the user's last message; keep
    that message and the answer.
    """

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    action_types = None  # a turn tells of itself
    asks_model = True
    waits = True
    reads = {"POST": ProxyInput}
    answers = {"POST": ProviderAnswerResponse}
    streams: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": (EVENT_STREAM,)}

    def post(self, request: Request) -> HttpResponseBase:
        given = self.body(ProxyInput)
        wanted = ProxyRequest(
            self._body,
            conversation=unquote(request.headers.get(CONVERSATION, "")),
            user=self.named.user or "",
            is_captured=_read_capture(request.headers.get(CAPTURE, "")),
        )
        turn = begin_turn(caller=self.caller, wanted=wanted)
        answer: HttpResponseBase
        if given.stream:
            lines = turn.stream()
            # The first line comes before the answer's status: whatever refuses the request is an ordinary error.
            answer = stream_response(_with_errors(next(lines), lines))
        else:
            answer = HttpResponse(turn.whole(), content_type="application/json")
        for name, value in _describe(turn).items():
            answer[name] = value
        return answer

    def _read_spaces(self) -> NamedSpaces:
        """Return the spaces that the call names; the one of the header stands in the place of all others, which a
        program may send without knowing of it."""
        named = super()._read_spaces()
        if not (name := unquote(self.request.headers.get(SPACE, ""))):
            return named
        try:
            return NamedSpaces(space=SpaceFields.read({"space": name}).space)
        except InvalidError as error:
            problems = tuple(FieldProblem(SPACE, one.code, one.detail) for one in error.problems)
            raise InvalidError(problems=problems) from None


def _find_workspace(request: Request) -> UUID | str:
    """Return the workspace of the key. Raises ForbiddenError for a person, who may have several."""
    caller = who(request)
    if isinstance(caller, User):
        raise ForbiddenError("The proxy is for programs: send an API key of the workspace as a bearer token.")
    return str(caller.workspace_id) if isinstance(caller, Caller) else ""


def _read_capture(header: str) -> bool:
    value = header.strip().lower()
    if value not in {"", "on", "off"}:
        sentence = "Send `off` to have nothing of the turn kept, or leave the header out."
        raise InvalidError(problems=(FieldProblem(CAPTURE, "invalid_choice", sentence),))
    return value != "off"


def _describe(turn: ProxiedTurn) -> dict[str, str]:
    """Return the headers that tell what became of the turn."""
    found = {CAPTURE: str(turn.captured)}
    if turn.captured == Captured.ON and turn.question:
        found[CONVERSATION] = quote(turn.question.conversation.key, safe="")
    if turn.context and turn.context.receipt_id:
        found[RECEIPT] = str(turn.context.receipt_id)
    return found


def _with_errors(first: bytes, lines: Generator[bytes, None, None]) -> Generator[bytes, None, None]:
    """Yield the lines; what ends the stream early becomes its last event, instead of the one that says it is over."""
    with closing(lines):
        try:
            yield first
            yield from lines
        except ProductError as error:
            yield b"\n" + encode_error(error)
