"""What the chat's templates show: the conversations next to it, the trace of a turn, a turn as it is streamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from chat.event_stream import encode_event
from chat.services.turns import AGENT, Answered, AnswerToken, Event, Failed
from conversations.messages.selectors import access_conversation, conversations_used_last
from conversations.models import Conversation
from core.ids import new_id
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from memory.episodes.conversations.view_models import message_line
from memory.recall.services.context import Context
from workspaces.access.callers import Caller
from workspaces.access.selectors import ConsoleContext
from workspaces.http.space_links import KeptSpace

MAX_RECENT = 12
# As in the rest of the console, the end of an id stands for it: ids of one minute share their beginning.
ID_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """The layers of a recalled context as `parts/trace.html` shows them."""

    steps: Sequence[dict[str, Any]]
    total_ms: float
    context: Context


def chat_url(seat: ConsoleContext, conversation: Conversation) -> str:
    return reverse("chat-conversation", args=[seat.workspace.slug, conversation.id])


def own_prefix(caller: Caller) -> str:
    """Return how the keys of the conversations begin that this person started here."""
    return f"chat-{caller.id[-ID_CHARACTERS:]}-"


def new_key(caller: Caller) -> str:
    return f"{own_prefix(caller)}{new_id().hex[-12:]}"


def latest_conversation(caller: Caller) -> Conversation | None:
    """Return the conversation that this person started here and that was used last."""
    return next(iter(conversations_used_last(caller.alone(), limit=1, key_prefix=own_prefix(caller))), None)


def recents(seat: ConsoleContext, current: Conversation | None) -> list[dict[str, Any]]:
    """Return the workspace's conversations that were used last, of every member."""
    return [
        {"conversation": one, "url": chat_url(seat, one), "is_current": current is not None and one.id == current.id}
        for one in conversations_used_last(seat.alone().caller, limit=MAX_RECENT)
    ]


def banners(seat: ConsoleContext, conversation: Conversation | None) -> list[dict[str, str]]:
    """Return what a person should know before asking."""
    key = conversation.key if conversation else None
    if configured_model(seat.caller, CallKind.QA, agent=AGENT, conversation=key):
        return []
    text = (
        "No model is configured. An answer quotes what this workspace remembers about your question, word for word, "
        "and puts nothing in other words."
    )
    url = reverse("settings-models", args=[seat.workspace.slug])
    return [{"tone": "info", "text": text, "url": url, "label": "Models"}]


def build_trace(context: Context) -> TurnTrace:
    ends = list(accumulate(layer.milliseconds for layer in context.trace))
    steps = [
        {
            "layer": layer.layer.capitalize(),
            "ms": layer.milliseconds,
            "start": end - layer.milliseconds,
            "found": layer.found,
            "left_out": "It failed or took too long." if layer.is_left_out else "",
        }
        for layer, end in zip(context.trace, ends, strict=True)
    ]
    return TurnTrace(steps, ends[-1] if ends else 0.0, context)


def stream_turn(seat: ConsoleContext, events: Iterator[Event]) -> Iterator[bytes]:
    """Yield a turn as server-sent events for the page: `trace` and the last event bring the fragments that the page
    uses."""
    for event in events:
        if isinstance(event, AnswerToken):
            yield encode_event("token", {"text": event.text})
        elif isinstance(event, Answered):
            html = _fragment(
                "chat/_answer.html", seat, said=message_line(event.message), trace=build_trace(event.context)
            )
            here = access_conversation(seat.caller, event.message.conversation_id)
            url = KeptSpace.of(seat).address(chat_url(seat, here))
            yield encode_event("done", {"html": html, "url": url, "title": here.title or here.key})
        elif isinstance(event, Failed):
            yield encode_event("error", {"text": event.error.detail})
        else:
            html = _fragment("chat/_trace.html", seat, trace=build_trace(event.context))
            yield encode_event("trace", {"html": html})


def _fragment(template: str, seat: ConsoleContext, **context: Any) -> str:
    return KeptSpace.of(seat).html(render_to_string(template, {"workspace": seat.workspace, **context}))
