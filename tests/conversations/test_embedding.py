"""Vectors of messages: made in the background, while the workspace wants them."""

from __future__ import annotations

import pytest

from conversations.indexing.services.embedded_messages import MESSAGE_VECTORS
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Message, MessageEmbedding, MessageRole
from core.embedding import default_embedder
from llm.embedding.services.backlog import embed_pending, mark_other_models
from tests.cast import Cast, Household, RestClient
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db


def test_messages_get_vectors_once(cast: Cast) -> None:
    _say(cast.acme, "Where is the tea?", "On the second shelf.")

    assert embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 2
    assert embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 0
    with workspace_scope(cast.acme.caller):
        assert {row.dimensions for row in MessageEmbedding.objects.all()} == {384}
        assert not Message.objects.filter(needs_embedding=True).exists()


def test_a_message_is_embedded_with_the_one_before_it(cast: Cast) -> None:
    embedder = default_embedder()
    assert embedder is not None
    _say(cast.acme, "Where is the tea?", "On the second shelf.")
    embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10)

    expected = embedder.embed_passages(["Where is the tea?", "On the second shelf.\nWhere is the tea?"])

    with workspace_scope(cast.acme.caller):
        stored = [row.vector for row in MessageEmbedding.objects.order_by("message_id")]
    for vector, wanted in zip(stored, expected, strict=True):
        assert vector == pytest.approx(wanted, abs=0.02)


def test_nothing_is_embedded_while_it_is_switched_off(cast: Cast, acme: RestClient) -> None:
    _say(cast.acme, "Where is the tea?")
    assert acme.put("settings", {"memory": {"embed_messages": False}}).json()["memory"]["embed_messages"] is False

    assert embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 0
    acme.put("settings", {"memory": {"embed_messages": True}})
    assert embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 1


def test_vectors_of_another_model_are_made_again(cast: Cast) -> None:
    _say(cast.acme, "Where is the tea?")
    embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10)
    with workspace_scope(cast.acme.caller):
        MessageEmbedding.objects.update(model="an older one")

    assert mark_other_models(workspace_id=cast.acme.workspace.id) == 1
    assert embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=10) == 1
    assert mark_other_models(workspace_id=cast.acme.workspace.id) == 0


def _say(household: Household, *contents: str) -> None:
    messages = [NewMessage(MessageRole.USER, content) for content in contents]
    append_messages(caller=household.caller, conversation="help-desk", messages=messages)
