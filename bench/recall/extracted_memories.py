"""The second suite: what is found through memories that the extractor has made of ended conversations."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bench.recall.dataset import Asked, DataSet, Said, Talk
from bench.recall.product import DEPTH, LONGEST_WAIT_SECONDS, Imported, data_id
from bench.rest_client import rest_as
from conversations.models import Message, MessageRole
from llm.embedding.services.backlog import embed_pending
from memory.extraction.rules import extract_by_rules
from memory.models import Memory, MemoryRevision
from ontology.search.services.node_embeddings import NODE_VECTORS
from workspaces.access.scope import workspace_scope
from workspaces.settings.services import set_memory_enabled

Sources = Mapping[str, Sequence[str]]  # a memory's id → the messages that it was made of, by the ids of the data


@dataclass(frozen=True, slots=True)
class _Spoken:
    name: str
    content: str
    created_at: datetime


def extract(data: DataSet, imported: Imported) -> Sources:
    """Switch memory on, end every conversation over REST and wait for the worker; then tell what came of what."""
    caller = imported.caller
    set_memory_enabled(caller=caller, enabled=True)
    with rest_as(caller) as rest:
        for talk in data.talks:
            rest.post(f"conversations/{talk.id}/end", json={}).raise_for_status()
    deadline = time.perf_counter() + LONGEST_WAIT_SECONDS
    while _waits(imported):
        if time.perf_counter() > deadline:
            raise TimeoutError("Extraction does not come to an end. Is the worker running?")
        time.sleep(1)
    embed_pending(NODE_VECTORS, workspace_id=caller.workspace_id, most=100_000)
    return _sources(data, imported)


def memory_rankings(
    imported: Imported, talks: tuple[Talk, ...], sources: Sources
) -> Iterator[tuple[Talk, Asked, list[str]]]:
    """Each question with the messages that the found memories were made of, best first."""
    with rest_as(imported.caller) as rest:
        for talk in talks:
            for question in talk.questions:
                answer = rest.post("memories/search", json={"query": question.text, "limit": DEPTH}).raise_for_status()
                found = (sources.get(hit["memory"]["id"], ()) for hit in answer.json()["results"])
                yield talk, question, list(dict.fromkeys(message for messages in found for message in messages))


def _waits(imported: Imported) -> bool:
    with workspace_scope(imported.caller):
        waiting = Message.objects.filter(workspace_id=imported.caller.workspace_id, extracted_at=None)
        return waiting.exists()


def _sources(data: DataSet, imported: Imported) -> Sources:
    """The extractor's rules are pure, so each statement leads back to the messages that make it.

    A memory was made of the statement that it holds, and of those that were merged into it.
    """
    made: dict[str, list[str]] = {}
    for talk in data.talks:
        for said in talk.messages:
            for content in _statements(said):
                made.setdefault(content, []).append(data_id(talk, said.id))
    with workspace_scope(imported.caller):
        held = [(memory.pk, memory.content) for memory in Memory.objects.select_related("node")]
        merged = MemoryRevision.objects.filter(action="merge").values_list("memory_id", "before__merged")
        held.extend(merged)
    sources: dict[str, list[str]] = {}
    for identity, content in held:
        sources.setdefault(str(identity), []).extend(made.get(content, ()))
    return sources


def _statements(said: Said) -> Iterator[str]:
    if said.role == MessageRole.USER:
        spoken = _Spoken(said.speaker, said.text, said.at)
        yield from (found.content for found in extract_by_rules([spoken]))
