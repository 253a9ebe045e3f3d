"""Making one paragraph out of a chunk of messages, by the workspace's model."""

from __future__ import annotations

from collections.abc import Sequence

from conversations.models import Conversation, Message
from core.errors import UnavailableError
from core.text.transcripts import transcript
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.errors import ModelRefusedError
from llm.providers.types import PromptMessage as Turn
from llm.providers.validation import looks_like_refusal
from llm.router.services.completions import complete
from memory.episodes.prompts import SUMMARY_PROMPT, Summary
from workspaces.access.callers import Caller


class EmptySummaryError(UnavailableError):
    """There is nothing that could stand for the messages, so they stay."""

    code = "empty_summary"
    status = 502
    title = "The summary came out empty, so nothing was deleted. Try again, or choose another model."


def summarize(*, caller: Caller, conversation: Conversation, messages: Sequence[Message]) -> str | None:
    """One paragraph on one line by the workspace's model; None without one, where statements are retold instead.

    Takes as long as the model does: never call it inside a scope. Raises a child of ModelError when the model is dead,
    refuses or answers with nothing; EmptySummaryError.
    """
    choice = configured_model(caller, CallKind.QA, conversation=conversation.key)
    if choice is None:
        return None
    answer = complete(
        caller=caller,
        kind=CallKind.QA,
        system=SUMMARY_PROMPT,
        messages=[Turn("user", transcript(messages))],
        choice=choice,
        schema=Summary,
        background=True,
    )
    text = answer.value.paragraph if answer.value else ""
    if looks_like_refusal(text):
        raise ModelRefusedError()
    if not (summary := " ".join(text.split())):
        raise EmptySummaryError()
    return summary
