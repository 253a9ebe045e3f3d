"""What a memory replaces, judged by the workspace's model: changes that no rule reads in the words."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_uppercase
from uuid import UUID

from core.text import normalise
from core.text.prompt_sanitiser import flat_excerpt
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel, configured_model
from llm.embedding.services.query_vectors import embed_for_comparison, query_vector
from llm.providers.types import PromptMessage as Turn
from llm.router.services.completions import complete
from memory.extraction.prompts import MAX_COMPARED_NOTES, REPLACEMENT_PROMPT, ReplacedNote, ReplacedNotes
from memory.memories.replacement.claims import read_claims
from memory.memories.services.replacement_candidates import find_candidates, open_memories
from memory.memories.services.supersession import close_as_judged, is_newer
from memory.models import Memory
from ontology.models import Node
from ontology.search.services.hybrid_ranking import rank_nodes
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.space_callers import caller_of_row
from workspaces.settings.workspace_settings import is_memory_enabled

# A note is one line of a prompt; what is longer states more than one thing.
MAX_NOTE_CHARACTERS = 600
# The nearest by words and meaning, and the newest that share words, of which the model is shown the nearest.
MAX_RANKED, MAX_SHARING = 24, 16


def judge_memory(*, workspace_id: UUID, memory_id: UUID) -> int:
    """Have the workspace's model compare a memory with the nearest older ones, and close what it replaces.

    Return how many were closed or noted as contradicted. Nothing happens while memory is off, without a model, where
    nothing is near, and when the memory is gone, closed or suppressed by now. The model decides about nothing that
    people do: a fact, a pinned memory and a person's words are noted as contradicted and stay. Raises a child of
    ModelError.
    """
    caller = caller_of_row(workspace_id, "judgement", model=Memory, row_id=memory_id)
    if caller is None or not is_memory_enabled(current_workspace(caller)):
        return 0
    choice = configured_model(caller, CallKind.EXTRACT)
    memory = _find_open(caller, memory_id)
    if choice is None or memory is None:
        return 0
    older = _find_older(caller, memory)
    judged = _ask_model(caller, choice, memory, older) if older else []
    changed = 0
    for old in judged:
        with workspace_scope(caller):
            changed += close_as_judged(caller=caller, old=old, new=memory)
    return changed


def _find_open(caller: Caller, memory_id: UUID) -> Memory | None:
    with workspace_scope(caller):
        return open_memories(caller).filter(pk=memory_id).select_related("node").first()


def _find_older(caller: Caller, memory: Memory) -> list[Memory]:
    """Return the memories nearest to one that were stated before it, best first.

    What was written a moment ago may have no vector yet: those that share words with it are looked at as well.
    """
    vector = query_vector(memory.content, caller=caller)
    with workspace_scope(caller):
        rows = open_memories(caller).exclude(pk=memory.pk).select_related("node")
        nodes = Node.objects.of(caller).filter(pk__in=rows.values("pk"))
        ranking = rank_nodes(
            caller=caller, nodes=nodes, query=memory.content, vector=vector, mode="hybrid", limit=MAX_RANKED
        )
        found = {each.pk: each for each in rows.filter(pk__in=[hit.id for hit in ranking.hits])}
        ranked = [found[hit.id] for hit in ranking.hits if hit.id in found]
        sharing = find_candidates(caller, read_claims(memory.content), memory)[-MAX_SHARING:]
    older = [each for each in {each.pk: each for each in (*ranked, *sharing)}.values() if is_newer(memory, each)]
    return _nearest(caller, memory, older)[:MAX_COMPARED_NOTES]


def _nearest(caller: Caller, memory: Memory, others: Sequence[Memory]) -> list[Memory]:
    vectors = embed_for_comparison([each.content for each in (memory, *others)], caller=caller) if others else None
    if vectors is None:
        return list(others)
    mine, *theirs = vectors
    cosines = [sum(a * b for a, b in zip(mine, vector, strict=True)) for vector in theirs]
    return [each for _, _, each in sorted(zip(cosines, range(len(others)), others, strict=True), reverse=True)]


def _ask_model(caller: Caller, choice: ResolvedModel, memory: Memory, older: Sequence[Memory]) -> list[Memory]:
    """Return those of the older memories that the model calls over, in words that both of them have."""
    authors = list(dict.fromkeys(each.author_id for each in (memory, *older)))
    letters = dict(zip(authors, ascii_uppercase, strict=False))
    notes = [f"#{number} {_note(each, letters)}" for number, each in enumerate(older, start=1)]
    material = "\n".join([f"New note: {_note(memory, letters)}", "", "Older notes:", *notes])
    answer = complete(
        caller=caller,
        kind=CallKind.EXTRACT,
        system=REPLACEMENT_PROMPT,
        messages=[Turn("user", material)],
        choice=choice,
        schema=ReplacedNotes,
        background=True,
    )
    over = answer.value.over if answer.value else []
    numbers = {each.number for each in over if _is_quoted(each, memory, older)}
    return [old for number, old in enumerate(older, start=1) if number in numbers]


def _note(memory: Memory, letters: dict[str, str]) -> str:
    stated = memory.node.valid_from or memory.node.created_at
    text = flat_excerpt(memory.content, limit=MAX_NOTE_CHARACTERS)
    return f"({stated:%Y-%m-%d}, by {letters[memory.author_id]}) {text}"


def _is_quoted(given: ReplacedNote, memory: Memory, older: Sequence[Memory]) -> bool:
    """Return whether both quotations stand where the model says: what it made up closes nothing."""
    if given.number > len(older):
        return False
    was, now = normalise(given.was), normalise(given.now)
    return bool(was and now) and was in normalise(older[given.number - 1].content) and now in normalise(memory.content)
