"""A workspace's own embedding model: chosen, changed while it is searched, cancelled, and taken back."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django_q.models import OrmQ

from conversations.models import Message
from llm.embedding import tasks
from llm.embedding.services import model_change
from llm.embedding.services.vector_store import store_vectors
from llm.models import EmbedderStatus, WorkspaceEmbedder, WorkspaceEmbedding
from ontology.models import Node
from tests.cast import Cast
from tests.llm.conftest import KEY
from tests.llm.vector_server import VectorEndpoint
from tests.llm.workspace_vectors import (
    FACTS,
    OURS,
    choose_vectors,
    found,
    furnish,
    run_queue,
    state,
    vectors,
)
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent, Lease

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_rest")]


def test_vectors_are_made_then_searches_change_then_the_former_are_deleted(
    cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    furnish(cast.acme)
    assert vectors(cast.acme) == {"server's": 6, "own": 0}

    chosen = choose_vectors(cast.acme, provider).json()
    assert chosen["active"]["source"] == "server"
    assert (chosen["change"]["model"], chosen["change"]["dimensions"]) == (OURS, 256)
    assert (chosen["change"]["done"], chosen["change"]["total"]) == (0, 6)
    run_queue(cast.acme)

    after = state(cast.acme)
    assert (after["active"]["model"], after["active"]["provider_name"], after["change"]) == (OURS, "Loopback", None)
    assert vectors(cast.acme) == {"server's": 0, "own": 6}
    assert found(cast.acme)[0] == FACTS[1]
    assert "oven cleaned" in endpoint.texts
    with workspace_scope(cast.acme.caller):
        assert not Node.objects.filter(needs_embedding=True).exists()
        assert AuditEvent.objects.filter(action__startswith="embedding_model.").count() == 2


def test_every_search_by_meaning_uses_the_workspaces_model(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    run_queue(cast.acme)
    rest = cast.acme.rest()
    endpoint.texts.clear()

    messages = rest.post("messages/search", {"query": "kettle attic"}).json()
    talk = rest.post("messages/search", {"query": "kettle in attic", "conversation": "help-desk"}).json()
    slots = rest.post("slots/semantic/notes/search", {"query": "labrador keeps"}).json()
    nodes = rest.post("ontology/search", {"query": "stamps collects"}).json()
    asked = rest.post("ontology/ask", {"question": "Who collects stamps?"}).json()
    context = rest.post("context", {"query": "When is the oven cleaned?"}).json()

    assert (messages["method"], talk["method"], slots["method"], nodes["method"]) == ("hybrid",) * 4
    assert "attic" in str(messages["results"][0])
    assert "stamps" in str(nodes["results"][0])
    assert "stamps" in str(asked)
    assert "oven" in str(context)
    assert len(endpoint.texts) == 6


def test_a_search_beside_the_change_finds_every_time_and_compares_one_model(
    cast: Cast, endpoint: VectorEndpoint, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(cast.acme)
    for number in range(120):
        cast.acme.rest().remembered(f"Shelf {number} holds the jars of year {1800 + number}.")
    run_queue(cast.acme)
    endpoint.pause_seconds = 0.05
    monkeypatch.setattr(model_change, "KEPT_SECONDS", 60)
    monkeypatch.setattr(model_change, "FIRST_BATCH", 2)
    monkeypatch.setattr(tasks, "TURN_SECONDS", 0.0)
    over, answers = threading.Event(), []

    def search() -> None:
        try:
            while not over.is_set():
                answers.append(found(cast.acme, limit=200))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        searching = other.submit(search)
        choose_vectors(cast.acme, provider)
        run_queue(cast.acme, turns=400)
        for _ in range(3):
            answers.append(found(cast.acme, limit=200))
        over.set()
        searching.result(timeout=60)

    assert state(cast.acme)["active"]["model"] == OURS
    assert len(answers) > 10
    assert [len(answer) for answer in answers] == [100] * len(answers)
    assert all(FACTS[1] in answer[:3] for answer in answers)


def test_what_is_written_during_a_change_is_there_after_it(
    cast: Cast, endpoint: VectorEndpoint, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(cast.acme)
    node = cast.acme.rest().remembered("The cellar is damp.")["id"]
    run_queue(cast.acme)
    choose_vectors(cast.acme, provider)
    monkeypatch.setattr(tasks, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(model_change, "FIRST_BATCH", 100)
    tasks.change_embedder(str(cast.acme.workspace.id))
    with workspace_scope(cast.acme.caller):
        assert WorkspaceEmbedding.objects.filter(row_id=node).exists()

    cast.acme.rest().patch(f"memories/{node}", {"content": "The cellar is dry since spring."})
    cast.acme.rest().remembered("Geese graze behind the barn.")
    run_queue(cast.acme)

    assert found(cast.acme, "cellar dry spring")[0] == "The cellar is dry since spring."
    assert found(cast.acme, "geese barn graze")[0] == "Geese graze behind the barn."
    assert "The cellar is dry since spring." in endpoint.texts
    with workspace_scope(cast.acme.caller):
        assert WorkspaceEmbedding.objects.filter(row_id=node).count() == 1


def test_a_killed_worker_leaves_a_change_that_goes_on(
    cast: Cast, endpoint: VectorEndpoint, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    calls: list[int] = []

    def die(*args: Any, **given: Any) -> None:
        calls.append(1)
        store_vectors(*args, **given)
        raise SystemExit

    monkeypatch.setattr(model_change, "store_vectors", die)
    with pytest.raises(SystemExit):
        tasks.change_embedder(str(cast.acme.workspace.id))
    monkeypatch.setattr(model_change, "store_vectors", store_vectors)
    with workspace_scope(cast.acme.caller):
        Lease.objects.all().delete()  # it runs out by itself
    OrmQ.objects.all().delete()

    assert calls
    assert (vectors(cast.acme)["own"], state(cast.acme)["active"]["source"]) == (0, "server")
    run_queue(cast.acme)
    assert vectors(cast.acme) == {"server's": 0, "own": 6}


def test_back_to_the_servers_model(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    run_queue(cast.acme)
    cast.acme.rest().remembered("Geese graze behind the barn.")
    run_queue(cast.acme)

    assert choose_vectors(cast.acme, None).status_code == 200
    asked = len(endpoint.texts)
    assert state(cast.acme)["active"]["source"] == "workspace"
    run_queue(cast.acme)

    assert (state(cast.acme)["active"]["source"], state(cast.acme)["change"]) == ("server", None)
    assert vectors(cast.acme) == {"server's": 7, "own": 0}
    assert found(cast.acme, "geese behind the barn")[0] == "Geese graze behind the barn."
    assert len(endpoint.texts) == asked
    with workspace_scope(cast.acme.caller):
        assert [row.status for row in WorkspaceEmbedder.objects.all()] == [EmbedderStatus.ACTIVE]


def test_a_change_is_cancelled_or_replaced_in_its_middle(
    cast: Cast, endpoint: VectorEndpoint, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    monkeypatch.setattr(tasks, "TURN_SECONDS", 0.0)
    tasks.change_embedder(str(cast.acme.workspace.id))
    assert vectors(cast.acme)["own"] > 0

    assert cast.acme.rest().delete("models/embedding").status_code == 204
    assert cast.acme.rest().delete("models/embedding").status_code == 404
    run_queue(cast.acme)
    assert (vectors(cast.acme), state(cast.acme)["change"]) == ({"server's": 6, "own": 0}, None)

    choose_vectors(cast.acme, provider)
    tasks.change_embedder(str(cast.acme.workspace.id))
    choose_vectors(cast.acme, provider, "words-2")
    run_queue(cast.acme, turns=80)
    assert state(cast.acme)["active"]["model"] == "words-2"
    assert vectors(cast.acme) == {"server's": 0, "own": 6}
    with workspace_scope(cast.acme.caller):
        assert set(WorkspaceEmbedding.objects.values_list("dimensions", flat=True)) == {512}
    assert found(cast.acme)[0] == FACTS[1]


def test_texts_go_to_the_provider_of_their_own_workspace_only(
    cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    furnish(cast.acme)
    furnish(cast.umbrella)
    choose_vectors(cast.acme, provider)
    cast.umbrella.rest().remembered("The vault opens with a plum.")
    run_queue(cast.acme)
    found(cast.umbrella, "vault plum")

    assert not any("plum" in text for text in endpoint.texts)
    assert {seen.headers["authorization"] for seen in endpoint.server.seen} == {f"Bearer {KEY}"}
    assert vectors(cast.umbrella)["own"] == 0
    assert choose_vectors(cast.umbrella, provider).status_code == 404
    assert state(cast.umbrella)["active"]["source"] == "server"


def test_who_may_not_govern_looks_on(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    narrow = cast.acme.rest(Right.READ, Right.WRITE)

    assert narrow.put("models/embedding", {"provider": provider, "model": OURS}).status_code == 403
    assert narrow.delete("models/embedding").status_code == 403
    assert narrow.get("models/embedding").json()["active"]["source"] == "server"
    assert endpoint.texts == []


def test_a_provider_whose_vectors_are_used_keeps_its_address(
    cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    choose_vectors(cast.acme, provider)

    moved = cast.acme.rest().put(f"models/providers/{provider}", {"base_url": "http://127.0.0.1:9/v1"})
    assert (moved.status_code, moved.json()["code"]) == (409, "provider_makes_vectors")
    assert cast.acme.rest().delete(f"models/providers/{provider}").json()["code"] == "provider_in_use"
    assert cast.acme.rest().put(f"models/providers/{provider}", {"api_key": "k-new"}).status_code == 200


def test_vectors_go_with_what_they_are_of(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    run_queue(cast.acme)

    assert cast.acme.rest().delete("conversations/help-desk").status_code in {200, 204}
    assert cast.acme.rest().delete("slots/semantic/notes").status_code in {200, 204}

    with workspace_scope(cast.acme.caller):
        assert not Message.objects.exists()
        assert set(WorkspaceEmbedding.objects.values_list("source", flat=True)) == {"nodes"}


def test_messages_that_wanted_no_vectors_get_them_from_the_model_of_then(
    cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    furnish(cast.acme)
    cast.acme.rest().put("settings", {"memory": {"embed_messages": False}})
    choose_vectors(cast.acme, provider)
    run_queue(cast.acme)
    assert vectors(cast.acme) == {"server's": 0, "own": 4}

    cast.acme.rest().put("settings", {"memory": {"embed_messages": True}})
    run_queue(cast.acme)

    assert vectors(cast.acme) == {"server's": 0, "own": 6}
