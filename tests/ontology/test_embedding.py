"""Vectors come after the words: what is found when, and what may happen while the model is at work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from core.embedding import Embedder, EmbeddingFailedError, Vector, default_embedder
from core.embedding import query_embedding as querying
from llm.embedding.services import backlog
from llm.embedding.services.backlog import embed_pending, mark_other_models
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import edit_memory
from memory.memories.transitions import Verb
from ontology.models import Node, NodeEmbedding
from ontology.search.services.node_embeddings import NODE_VECTORS
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope

DRINKS = "The cafeteria serves hot beverages every morning."
ROOF = "Rain came through the roof last night."
BY_MEANING = "When can I get coffee or tea?"


@dataclass(frozen=True)
class Meanwhile:
    """The real embedder, with something that happens while it is at work, or in place of its work."""

    real: Embedder
    happens: Callable[[], Any]
    model: str = "another model"

    @property
    def dimensions(self) -> int:
        return self.real.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        vectors = self.real.embed_passages(texts)
        self.happens()
        return vectors

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        self.happens()
        return self.real.embed_query(text)


@pytest.fixture
def real() -> Embedder:
    embedder = default_embedder()
    assert embedder is not None, "These tests need the bundled embedder (requirements-embedder.txt)."
    return embedder


def use(monkeypatch: pytest.MonkeyPatch, embedder: object) -> None:
    for module in (backlog, querying):
        monkeypatch.setattr(module, "default_embedder", lambda: embedder)


def hits(client: RestClient, query: str, mode: str) -> list[str]:
    answer = client.post("memories/search", {"query": query, "mode": mode}).json()
    assert answer["method"] == mode
    return [hit["memory"]["content"] for hit in answer["results"]]


def embed(client: RestClient) -> int:
    return embed_pending(NODE_VECTORS, workspace_id=client.workspace_id, most=100)


def test_found_by_words_at_once_and_by_meaning_after_the_next_turn(acme: RestClient, real: Embedder) -> None:
    acme.remembered(DRINKS)
    acme.remembered(ROOF)
    assert hits(acme, "beverages", "keyword") == [DRINKS]
    assert hits(acme, BY_MEANING, "semantic") == []

    assert (embed(acme), embed(acme)) == (2, 0)

    assert hits(acme, BY_MEANING, "keyword") == []
    assert hits(acme, BY_MEANING, "semantic")[0] == DRINKS
    assert hits(acme, BY_MEANING, "hybrid")[0] == DRINKS


def test_an_edit_drops_the_old_meaning_at_once(acme: RestClient, real: Embedder) -> None:
    memory_id = acme.remembered(DRINKS)["id"]
    embed(acme)

    acme.patch(f"memories/{memory_id}", {"content": ROOF})
    assert hits(acme, BY_MEANING, "semantic") == []

    assert embed(acme) == 1
    assert hits(acme, "Is the building watertight?", "semantic") == [ROOF]


@pytest.mark.parametrize(
    "change",
    [{"importance": 0.9}, {"tags": ["x"]}, {"expires_at": "2099-01-01T00:00:00Z"}, {"confidence": 0.3}],
)
def test_an_edit_that_leaves_the_text_keeps_the_vector(
    acme: RestClient, real: Embedder, change: dict[str, Any]
) -> None:
    memory_id = acme.remembered(DRINKS)["id"]
    embed(acme)

    acme.patch(f"memories/{memory_id}", change)

    assert hits(acme, BY_MEANING, "semantic") == [DRINKS]
    assert embed(acme) == 0


def test_a_promotion_meanwhile_does_not_lose_the_vector(
    cast: Cast, real: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme, caller = cast.acme.rest(), cast.acme.caller
    memory_id = acme.remembered(DRINKS)["id"]

    def promote() -> None:
        apply_transition(caller=caller, memory_id=memory_id, verb=Verb.PROMOTE)

    use(monkeypatch, Meanwhile(real, promote))
    embed(acme)

    assert vectors(cast) == {"another model": 1}
    assert waiting(cast) == 0


def test_a_text_that_changes_meanwhile_is_not_found_by_what_it_said(
    cast: Cast, real: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme, caller = cast.acme.rest(), cast.acme.caller
    memory_id = acme.remembered(DRINKS)["id"]

    def edit() -> None:
        edit_memory(caller=caller, memory_id=memory_id, changes={"content": ROOF})

    with monkeypatch.context() as patched:
        use(patched, Meanwhile(real, edit))
        embed_pending(NODE_VECTORS, workspace_id=acme.workspace_id, most=1)
    assert (vectors(cast), waiting(cast)) == ({}, 1)

    assert embed(acme) == 1
    assert hits(acme, "Is the building watertight?", "semantic") == [ROOF]


def test_vectors_of_two_models_are_never_compared(cast: Cast, real: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    acme = cast.acme.rest()
    acme.remembered(DRINKS)
    embed(acme)

    use(monkeypatch, Meanwhile(real, lambda: None))
    assert hits(acme, BY_MEANING, "semantic") == []
    assert mark_other_models(workspace_id=acme.workspace_id) == 1
    assert embed(acme) == 1

    assert vectors(cast) == {"another model": 1}
    assert hits(acme, BY_MEANING, "semantic") == [DRINKS]
    assert mark_other_models(workspace_id=acme.workspace_id) == 0


def _fail() -> None:
    raise EmbeddingFailedError("The endpoint did not answer.")


def test_without_an_embedder_search_is_lexical_and_says_so(
    cast: Cast, real: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    acme = cast.acme.rest()
    acme.remembered(DRINKS)

    for nobody in (None, Meanwhile(real, _fail)):
        use(monkeypatch, nobody)
        for mode in ("hybrid", "semantic", "keyword"):
            answer = acme.post("memories/search", {"query": "beverages", "mode": mode}).json()
            assert (answer["method"], len(answer["results"])) == ("keyword", 1)

    use(monkeypatch, None)
    assert (embed(acme), mark_other_models(workspace_id=acme.workspace_id), waiting(cast)) == (0, 0, 1)


def vectors(cast: Cast) -> dict[str, int]:
    """How many vectors each model has made."""
    with workspace_scope(cast.acme.caller):
        models = list(NodeEmbedding.objects.values_list("model", flat=True))
    return {model: models.count(model) for model in models}


def waiting(cast: Cast) -> int:
    with workspace_scope(cast.acme.caller):
        return Node.objects.filter(needs_embedding=True).count()
