"""What the templates of asking show: messages with what they cite, the conversations next to them, the trace of a turn,
a turn as it is streamed, an answer that was computed again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.urls import reverse

from chat.event_stream import encode_event
from chat.services.answer_composition import AGENT
from chat.services.recomputed_answer import UnkeptAnswer, is_own_answer
from chat.services.turns import Answered, AnswerToken, Event, Failed
from conversations.messages.selectors import access_conversation, conversations_used_last
from conversations.models import Conversation, Message, MessageRole
from core.ids import new_id
from core.text import find_citations
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from memory.episodes.conversations.view_models import MessageLine, message_line
from memory.memories.sessions.selectors import with_named_session
from memory.memories.transitions import Verb
from memory.recall.receipts.services.corrections import Correction
from memory.recall.receipts.view_models import GONE, MAX_CHARACTERS_EDITED_HERE, item_url
from memory.recall.selectors import RecalledItem, things_by_id
from memory.recall.services.context import Context
from workspaces.access.callers import Caller, Right
from workspaces.access.selectors import ConsoleContext
from workspaces.http.space_links import KeptSpace

MAX_RECENT = 12
# As in the rest of the console, the end of an id stands for it: ids of one minute share their beginning.
ID_CHARACTERS = 8
# More than this many sources of one answer are a listing.
MAX_SOURCES = 20


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """The layers of a recalled context as `parts/trace.html` shows them."""

    steps: Sequence[dict[str, Any]]
    total_ms: float
    context: Context


@dataclass(frozen=True, slots=True)
class CitedSource:
    """Something that an answer cites, under its number there: what it says now, and what may be done to it.

    `whole` is the text of a memory that is short enough to be edited here, `edit_url` where it is edited otherwise.
    """

    number: int
    id: str
    text: str
    url: str
    kind: str
    edit_url: str = ""
    whole: str = ""
    is_memory: bool = False
    is_suppressed: bool = False
    is_forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Recomputed:
    """An answer computed again: what was done before, what it says now and cites; or why it was not, as `refusal`.

    `undo` is the memory that was suppressed for it.
    """

    message_id: UUID
    done: str = ""
    text: str = ""
    sources: Sequence[CitedSource] = ()
    trace: TurnTrace | None = None
    undo: UUID | None = None
    refusal: str = ""
    is_same: bool = False


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A message as `chat/_turn.html` shows it: an answer of this door with its sources, and as it would be now.

    `url` computes it again; '' for what is not such an answer.
    """

    said: MessageLine
    url: str = ""
    sources: Sequence[CitedSource] = ()
    now: Recomputed | None = None


def ask_url(seat: ConsoleContext, conversation: Conversation) -> str:
    return reverse("ask-conversation", args=[seat.workspace.slug, conversation.id])


def turn_lines(
    seat: ConsoleContext,
    conversation: Conversation | None,
    messages: Sequence[Message],
    *,
    recomputed: Recomputed | None = None,
) -> list[TurnLine]:
    """Return messages with what the answers of this door among them cite, read again in one go."""
    answers = {each.id for each in messages if is_own_answer(each) and each.metadata.get("receipt")}
    texts = [each.content for each in messages if each.id in answers]
    things = _cited_things(seat, conversation, texts)
    lines = []
    for each in messages:
        if conversation is None or each.id not in answers:
            lines.append(TurnLine(message_line(each)))
            continue
        url = reverse("ask-recompute", args=[seat.workspace.slug, conversation.id, each.id])
        now = recomputed if recomputed and recomputed.message_id == each.id else None
        lines.append(TurnLine(message_line(each), url, _sources(seat, each.content, things), now))
    return lines


def unkept_turns(seat: ConsoleContext, question: str, answer: UnkeptAnswer) -> list[TurnLine]:
    """Return a question that was not stored and its answer."""
    said = ((MessageRole.USER, question), (MessageRole.ASSISTANT, answer.text))
    things = _cited_things(seat, None, [answer.text])
    return [
        TurnLine(message_line(Message(role=role, content=text)), sources=_sources(seat, text, things))
        for role, text in said
    ]


def build_recomputed(
    seat: ConsoleContext,
    conversation: Conversation,
    message_id: UUID,
    answer: UnkeptAnswer,
    correction: Correction | None,
    *,
    before: str,
) -> Recomputed:
    things = _cited_things(seat, conversation, [answer.text])
    return Recomputed(
        message_id,
        done=correction.past if correction else "",
        text=answer.text,
        sources=_sources(seat, answer.text, things),
        trace=build_trace(answer.context),
        undo=correction.memory_id if correction and correction.verb == Verb.SUPPRESS else None,
        is_same=answer.text == before,
    )


def _cited_things(
    seat: ConsoleContext, conversation: Conversation | None, texts: Sequence[str]
) -> Mapping[str, RecalledItem]:
    ids: Collection[str] = {str(identity) for text in texts for identity in find_citations(text).ids}
    if not ids:
        return {}
    reader = with_named_session(seat.caller, conversation.key) if conversation else seat.caller
    return things_by_id(reader, ids)


def _sources(seat: ConsoleContext, text: str, things: Mapping[str, RecalledItem]) -> list[CitedSource]:
    """Return what a text cites, numbered as its links are; what is an object of another workspace is not in it."""
    cited = list(find_citations(text).ids)[:MAX_SOURCES]
    return [_source(seat, number, str(each), things.get(str(each), GONE)) for number, each in enumerate(cited, start=1)]


def _source(seat: ConsoleContext, number: int, identity: str, thing: RecalledItem) -> CitedSource:
    url = item_url(seat, identity, thing)
    is_short = len(thing.text) <= MAX_CHARACTERS_EDITED_HERE
    return CitedSource(
        number,
        identity,
        thing.text,
        url,
        thing.memory_kind,
        edit_url=f"{url}/edit" if url and not thing.is_forgotten else "",
        whole=thing.text if thing.memory_kind and is_short else "",
        is_memory=bool(thing.memory_kind) and not thing.is_forgotten,
        is_suppressed=thing.is_suppressed,
        is_forgotten=thing.is_forgotten,
    )


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
        {"conversation": one, "url": ask_url(seat, one), "is_current": current is not None and one.id == current.id}
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
            here = access_conversation(seat.caller, event.message.conversation_id)
            [turn] = turn_lines(seat, here, [event.message])
            html = _fragment("chat/_answer.html", seat, turn=turn, trace=build_trace(event.context))
            url = KeptSpace.of(seat).address(ask_url(seat, here))
            yield encode_event("done", {"html": html, "url": url, "title": here.title or here.key})
        elif isinstance(event, Failed):
            yield encode_event("error", {"text": event.error.detail})
        else:
            html = _fragment("chat/_trace.html", seat, trace=build_trace(event.context))
            yield encode_event("trace", {"html": html})


def _fragment(template: str, seat: ConsoleContext, **context: Any) -> str:
    return KeptSpace.of(seat).html(
        render_to_string(template, {"workspace": seat.workspace, "may_write": seat.caller.may(Right.WRITE), **context})
    )
