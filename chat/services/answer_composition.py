"""What an answer is made of: the context, the messages before the question, and a model or, without one, quotes."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Literal
from uuid import UUID

from chat.services.extractive_answer import NO_MODEL, extractive_answer
from chat.services.prompts import system_prompt, with_material
from conversations.messages.services.message_log import MAX_CHARACTERS as MAX_ANSWERED
from conversations.models import Message, MessageRole
from conversations.observations.selectors import ObservedConversation
from core.db.connections import release_connection
from core.text.prompt_sanitiser import quote
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel
from llm.providers.errors import ModelCutOffError
from llm.providers.types import PromptMessage as Spoken
from llm.router.services.completions import Completion, stream
from memory.citations.selectors import withheld_answers
from memory.memories.sources.selectors import messages_to_hide, unsaid_statements
from memory.recall.provenance import message_provenance
from memory.recall.services.context import Context
from workspaces.access.callers import ActorKind, Caller
from workspaces.access.scope import workspace_scope

AGENT = "chat"
# What the model sees of an earlier answer that would bring back what was taken from agents.
LEFT_OUT = "(What was said here is a memory that was suppressed since. It is left out.)"
WITHHELD = "(This answer quoted a memory that was suppressed or forgotten since. It is left out.)"


def quote_answer(
    caller: Caller, context: Context, question: Message, earlier: Sequence[Message], *, fallback: str = ""
) -> str:
    """Return an answer without a model; `fallback` is the code of the error of one that did not answer."""
    users = [message for message in earlier if message.role != MessageRole.ASSISTANT]
    hidden = _messages_to_hide(caller, users)
    said = [(_provenance(message), message.content) for message in users if message.id not in hidden]
    reason = f"The model did not answer ({fallback})" if fallback else NO_MODEL
    return extractive_answer(context.assembled.blocks, question=question.content, said=said, reason=reason)


def stream_model_answer(
    caller: Caller, choice: ResolvedModel, context: Context, question: Message, observed: ObservedConversation
) -> Iterator[str]:
    """Yield a model's answer piece by piece. Raises ModelError; waits for the model without a connection."""
    turns = _prompt_turns(caller, (*earlier_messages(observed, question), question))
    observations = _observations_told(caller, observed)
    release_connection()
    asked = with_material(
        turns,
        context.assembled.text,
        fence=secrets.token_hex(8),
        observations=observations,
    )
    length = 0
    for piece in stream(caller=caller, kind=CallKind.QA, system=system_prompt(), messages=asked, choice=choice):
        if not isinstance(piece, Completion):
            length += len(piece)
            if length > MAX_ANSWERED:
                raise ModelCutOffError(f"The model's answer is longer than {MAX_ANSWERED:,} characters.")
            yield piece


def earlier_messages(observed: ObservedConversation, question: Message) -> list[Message]:
    """Return the messages before the question, which is the last one whatever times the others were given."""
    return [message for message in observed.raw.messages if message.id != question.id]


def has_appended(caller: Caller, message: Message) -> bool:
    return (message.appended_by, message.appended_by_kind) == (caller.signature, caller.kind)


def _prompt_turns(caller: Caller, messages: Sequence[Message]) -> list[Spoken]:
    """Return the turns of the window, without answers that quote what agents are not given any more, and without
    messages that say it."""
    *earlier, _ = messages  # the question stays, whatever it asks about
    with workspace_scope(caller):
        withheld = withheld_answers(caller, earlier)
    taken = dict.fromkeys(withheld, WITHHELD) | dict.fromkeys(_messages_to_hide(caller, earlier), LEFT_OUT)
    turns = [(message, _prompt_turn(caller, message)) for message in messages]
    return [Spoken(turn.role, taken[message.id]) if message.id in taken else turn for message, turn in turns]


def _messages_to_hide(caller: Caller, messages: Sequence[Message]) -> set[UUID]:
    """Return those of the messages, by their ids, from which a suppressed memory was drawn, or that say it again."""
    with workspace_scope(caller):
        return messages_to_hide(caller, messages)


def _observations_told(caller: Caller, observed: ObservedConversation) -> str:
    """Return the observations as text, without those that say a suppressed memory."""
    with workspace_scope(caller):
        unsaid = unsaid_statements(caller)
    lines = observed.observations.text.split("\n")  # each of them is one, behind its time and kind
    return "\n".join(line for line in lines if not unsaid.is_said_in(line.partition(": ")[2]))


def _prompt_turn(caller: Caller, message: Message) -> Spoken:
    """Return a turn of the window; a provider wants user and assistant turns only.

    What neither the caller nor the chat wrote is quoted behind who did, since the model would take it for their word.
    """
    role: Literal["user", "assistant"] = "assistant" if message.role == MessageRole.ASSISTANT else "user"
    is_own = has_appended(caller, message) or (message.appended_by, message.appended_by_kind) == (
        AGENT,
        ActorKind.SYSTEM,
    )
    return Spoken(role, message.content if is_own else f"{_provenance(message)}\n{quote(message.content)}")


def _provenance(message: Message) -> str:
    return str(message_provenance(appended_by=message.appended_by, appended_by_kind=message.appended_by_kind))
