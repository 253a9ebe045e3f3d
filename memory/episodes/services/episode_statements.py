"""The statements of an episode: drawn by the workspace's model or by rules, and kept next to its summary."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from conversations.models import Conversation, Message
from core.text import gives_secret_away
from core.text.transcripts import transcript
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel, configured_model
from llm.embedding.services.backlog import nudge_embedding
from llm.embedding.table_registry import EmbeddedTable
from llm.providers.errors import ModelError
from llm.providers.types import PromptMessage as Turn
from llm.router.services.completions import complete
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.prompts import STATEMENTS_PROMPT, ModelStatements
from memory.episodes.statement_check import says_no_more
from memory.episodes.statement_selection import draw_statements, select_statements
from memory.episodes.statement_turns import speaker_label
from memory.memories.services.statement_supersession import close_replaced_statements
from memory.models import EpisodeStatement, MemoryEpisode
from workspaces.access.callers import Caller

log = logging.getLogger(__name__)


def _text(statement: EpisodeStatement) -> str:
    return statement.text


STATEMENT_VECTORS = EmbeddedTable(rows=EpisodeStatement, columns=("text",), text=_text)


def find_statements(*, caller: Caller, conversation: Conversation, messages: Sequence[Message]) -> list[DrawnStatement]:
    """Return the statements that stand for these messages. Takes as long as the model does: never call it in a scope.

    Without a model, and where its answer cannot be used or nothing of it holds, rules draw them.
    """
    choice = configured_model(caller, CallKind.EXTRACT, conversation=conversation.key)
    if choice is None:
        return draw_statements(messages)
    try:
        return _ask_model(caller, choice, messages) or draw_statements(messages)
    except ModelError as error:
        log.warning("statements_by_rules conversation=%s code=%s", conversation.pk, error.code)
        return draw_statements(messages)


def keep_statements(*, caller: Caller, episode: MemoryEpisode, drawn: Sequence[DrawnStatement]) -> None:
    """Store the statements of a new episode and queue their vectors; in the open scope that deletes their sources.

    They close what they replace, in their space.
    """
    kept = EpisodeStatement.objects.bulk_create(
        EpisodeStatement(
            workspace_id=caller.workspace_id,
            space_id=episode.space_id,
            episode=episode,
            conversation_id=episode.conversation_id,
            position=position,
            text=each.text,
            kind=each.kind,
            said_at=each.said_at,
            speaker=each.speaker,
            confidence=each.confidence,
        )
        for position, each in enumerate(drawn, start=1)
    )
    close_replaced_statements(caller=caller, statements=kept)
    if drawn:
        nudge_embedding(caller.workspace_id)


def _ask_model(caller: Caller, choice: ResolvedModel, messages: Sequence[Message]) -> list[DrawnStatement]:
    """Return what the model says, without what it added."""
    numbered = "\n\n".join(f"#{number} {transcript([each])}" for number, each in enumerate(messages, start=1))
    answer = complete(
        caller=caller,
        kind=CallKind.EXTRACT,
        system=STATEMENTS_PROMPT,
        messages=[Turn("user", numbered)],
        choice=choice,
        schema=ModelStatements,
        background=True,
    )
    given = answer.value.statements if answer.value else []
    held = []
    for each in given:
        text = " ".join(each.text.split())
        if each.turn > len(messages) or not text or gives_secret_away(text):
            continue
        if says_no_more(text, turns=messages, place=each.turn - 1):
            source = messages[each.turn - 1]
            speaker = speaker_label(source).removeprefix("the ")
            held.append(
                DrawnStatement(text, each.kind, source.created_at, speaker, each.confidence, each.turn - 1, worth=1.0)
            )
    return select_statements(held, messages)
