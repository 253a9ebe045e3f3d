"""Whose words a copy is said to be: an accepted proposal, a memory that is lifted out of its conversation."""

from __future__ import annotations

import pytest

from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import MessageRole
from memory.memories.proposals.services import accept_proposal, propose_memory
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.sessions.services import promote_from_session
from memory.memories.transitions import Verb
from memory.models import Memory, Source
from tests.cast import Cast
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.access.spaces import NamedSpaces
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role
from workspaces.settings.services import change_settings

pytestmark = pytest.mark.django_db

ALICES, BOBS = "Refunds need an approval of two people.", "Refunds need no approval at all."


@pytest.fixture
def bob(cast: Cast) -> Caller:
    change_settings(caller=cast.acme.caller, memory={"review": {"four_eyes": True}})
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.ADMIN)
    return access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)


def written_in(caller: Caller, space: str) -> Caller:
    return caller.naming(NamedSpaces(space=space))


def propose_and_accept(caller: Caller, memory: Memory) -> Memory:
    proposal = propose_memory(caller=written_in(caller, "project:desk"), memory_id=memory.pk).proposal
    accepted = accept_proposal(caller=caller, proposal_id=proposal.pk)
    assert accepted.memory_id
    with workspace_scope(caller):
        return access_memory(caller, accepted.memory_id)


def test_words_that_a_person_has_rewritten_are_copied_as_theirs(cast: Cast, bob: Caller) -> None:
    desk = "project:desk"
    told = remember(caller=written_in(cast.acme.caller, desk), new=NewMemory(ALICES, source=Source.USER)).memory
    edit_memory(caller=written_in(bob, desk), memory_id=told.pk, changes={"content": BOBS})

    copy = propose_and_accept(bob, told)

    assert (copy.content, copy.author, copy.author_id) == (BOBS, str(cast.bob), str(cast.bob.id))
    assert apply_transition(caller=bob, memory_id=copy.pk, verb=Verb.PROMOTE).kind == "memory"


def test_words_that_were_not_rewritten_stay_their_authors(cast: Cast, bob: Caller) -> None:
    desk = written_in(cast.acme.caller, "project:desk")
    told = remember(caller=desk, new=NewMemory(ALICES, source=Source.USER)).memory

    copy = propose_and_accept(bob, told)

    assert (copy.author, copy.author_id) == (str(cast.alice), str(cast.alice.id))
    assert apply_transition(caller=bob, memory_id=copy.pk, verb=Verb.PROMOTE).kind == "fact"


def test_words_of_a_conversation_that_a_person_has_rewritten_are_theirs(cast: Cast, bob: Caller) -> None:
    alice = cast.acme.caller
    said = append_messages(caller=alice, conversation="c-1", messages=[NewMessage(MessageRole.USER, "Hello.")])
    talk = said[0].conversation_id
    told = remember(caller=alice.in_session(talk), new=NewMemory(ALICES, source=Source.USER)).memory
    edit_memory(caller=bob.in_session(talk), memory_id=told.pk, changes={"content": BOBS})

    promoted = promote_from_session(caller=bob, conversation="c-1", memory_id=told.pk)

    assert (promoted.content, promoted.author_id) == (BOBS, str(cast.bob.id))
    assert apply_transition(caller=bob, memory_id=promoted.pk, verb=Verb.PROMOTE).kind == "memory"
