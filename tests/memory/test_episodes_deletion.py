"""Deleting a conversation: nothing of it is left, anywhere."""

from __future__ import annotations

from threading import Thread
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections
from django.test import Client

from conversations.indexing.services.embedded_messages import MESSAGE_VECTORS
from conversations.messages.selectors import access_conversation
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Message, MessageEmbedding, MessageRole
from core.clock import utc_now
from core.errors import NotFoundError
from core.ids import new_id
from llm.embedding.services.backlog import embed_pending
from memory.episodes.services.conversation_deletion import delete_conversation, delete_expired_sources
from memory.models import MemoryEpisode
from memory.working_memory.services.working_set import read_working, write_working
from tests.cast import Cast, Household, RestClient
from tests.memory.test_episodes import consolidate, fill
from tests.together import together
from tests.transfer.moving import exported, sent
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.models import AuditEvent, Role


def furnished(cast: Cast, key: str = "garden") -> str:
    """A conversation with messages, vectors, an episode and a slot; its id."""
    acme = cast.acme.rest()
    acme.post("memory/enable")
    fill(acme, 30, key=key)
    consolidate(acme, key=key)
    embed_pending(MESSAGE_VECTORS, workspace_id=cast.acme.workspace.id, most=100)
    found = access_conversation(cast.acme.caller, key)
    write_working(workspace_id=cast.acme.workspace.id, conversation_id=found.id, slot="s", value=1)
    return str(found.id)


def rows_left(household: Household) -> list[int]:
    with workspace_scope(household.caller):
        return [model.objects.count() for model in (Message, MessageEmbedding, MemoryEpisode)]


@pytest.mark.parametrize("address", ["conversations/garden", "conversations/{id}", "/v1/conversations/{id}"])
def test_deletes_everything_that_hangs_on_it(cast: Cast, django_capture_on_commit_callbacks: Any, address: str) -> None:
    identity = furnished(cast)
    acme = cast.acme.rest()

    with django_capture_on_commit_callbacks(execute=True):
        assert acme.delete(address.format(id=identity)).status_code == 204

    assert rows_left(cast.acme) == [0, 0, 0]
    assert acme.get("conversations").json()["results"] == []
    assert acme.get("conversations/garden").status_code == acme.delete("conversations/garden").status_code == 404
    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.get(action="conversation.deleted")
    assert event.object_id == identity
    assert read_working(workspace_id=cast.acme.workspace.id, conversation_id=UUID(identity), slot="s") is None


def test_other_conversations_stay(cast: Cast) -> None:
    furnished(cast, "garden")
    furnished(cast, "house")

    cast.acme.rest().delete("conversations/garden")

    assert rows_left(cast.acme) == [20, 20, 1]


def test_a_person_deletes_by_id_in_whichever_of_their_workspaces_it_is(cast: Cast, browser_of_bob: Client) -> None:
    identity = furnished(cast)

    assert browser_of_bob.delete(f"/v1/conversations/{new_id()}").status_code == 404
    assert browser_of_bob.delete(f"/v1/conversations/{identity}").status_code == 204
    assert rows_left(cast.acme) == [0, 0, 0]


def test_a_person_names_the_workspace_of_what_several_of_theirs_have(cast: Cast, browser_of_bob: Client) -> None:
    identity = furnished(cast)
    add_member(caller=cast.umbrella.caller, email=cast.bob.email, role=Role.MEMBER)
    assert sent(cast.umbrella.rest(), exported(cast.acme.rest())).status_code == 201

    refused = browser_of_bob.delete(f"/v1/conversations/{identity}")

    assert (refused.status_code, refused.json()["code"]) == (409, "several_conversations")
    assert (rows_left(cast.acme)[0], rows_left(cast.umbrella)[0]) == (20, 20)
    address = f"/v1/workspaces/{cast.umbrella.workspace.id}/conversations/{identity}"
    assert browser_of_bob.delete(address).status_code == 204
    assert (rows_left(cast.acme)[0], rows_left(cast.umbrella)[0]) == (20, 0)


def test_deleting_needs_write_and_a_caller(cast: Cast) -> None:
    identity = furnished(cast)
    reader = cast.acme.rest(Right.READ)

    for address in ("conversations/garden", f"/v1/conversations/{identity}"):
        assert reader.delete(address).json()["code"] == "missing_scope"
    assert Client().delete(f"/v1/conversations/{identity}").status_code == 401
    assert cast.acme.rest().delete("/v1/conversations/garden").status_code == 404, "by id only"
    assert rows_left(cast.acme) == [20, 20, 1]


@pytest.mark.django_db(transaction=True)
def test_appending_and_deleting_at_once_never_fail(cast: Cast) -> None:
    new = NewMessage(MessageRole.USER, "hello")

    def append() -> str:
        return str(append_messages(caller=cast.acme.caller, conversation="race", messages=[new])[0].conversation_id)

    def delete() -> str:
        try:
            delete_conversation(caller=cast.acme.caller, conversation="race")
        except NotFoundError:
            return "was not there"
        return "deleted"

    for _ in range(5):
        together([append, delete] * 4)

    left: RestClient = cast.acme.rest()
    messages = left.get("conversations/race/messages")
    assert messages.status_code in {200, 404}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("road", ["conversation", "outlived"])
def test_a_vector_that_is_made_meanwhile_does_not_stand_in_the_way(cast: Cast, road: str) -> None:
    workspace_id, caller = cast.acme.workspace.id, cast.acme.caller
    said = NewMessage(MessageRole.USER, "The garden door sticks.")
    append_messages(caller=caller, conversation="garden", messages=[said])
    with workspace_scope(caller):
        Message.objects.update(consolidated_at=utc_now())

    def embed() -> None:
        embed_pending(MESSAGE_VECTORS, workspace_id=workspace_id, most=10)
        connections.close_all()

    worker = Thread(target=embed)

    def hook(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith('DELETE FROM "messages"'):
            worker.start()
            worker.join(timeout=2)  # it must wait until the deletion is over, or its vector is in
        return execute(sql, *rest)

    with connection.execute_wrapper(hook):
        if road == "conversation":
            delete_conversation(caller=caller, conversation="garden")
        else:
            assert delete_expired_sources(caller=caller) == 1
    worker.join(timeout=30)

    assert rows_left(cast.acme) == [0, 0, 0]
