"""Withdrawing a proposal on the Review page: what came out of a person's own space, by that person."""

from __future__ import annotations

import pytest

from memory.memories.proposals.models import Proposal
from memory.memories.proposals.services import propose_memory
from memory.memories.services.memory_writer import NewMemory, remember
from tests.cast import Cast
from tests.pages import Visitor, text_of
from workspaces.access.selectors import access_workspace
from workspaces.access.spaces import NamedSpaces
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

pytestmark = pytest.mark.django_db


def _offered(cast: Cast, role: Role) -> Proposal:
    """Return a proposal out of Bob's own space, who has that role afterwards."""
    bob = access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)
    caller = bob.naming(NamedSpaces(user=str(cast.bob.id)))
    memory = remember(caller=caller, new=NewMemory("Bob orders tea.")).memory
    proposal = propose_memory(caller=caller, memory_id=memory.pk).proposal
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    return proposal


def test_a_member_withdraws_what_came_out_of_their_own_space(cast: Cast) -> None:
    proposal = _offered(cast, Role.MEMBER)
    bob, alice = (Visitor.of(user, cast.acme.workspace) for user in (cast.bob, cast.alice))
    path = f"review/{proposal.pk}/withdraw"
    assert path in text_of(bob.get("review"))
    assert path not in text_of(alice.get("review"))

    answer = bob.post(path)

    assert (answer.status_code, answer["Location"]) == (302, bob.address("review"))
    assert "Withdrawn." in text_of(bob.get("review"))
    assert cast.acme.rest().get("proposals").json()["results"] == []
    assert bob.post(path).status_code == 404


def test_a_viewer_withdraws_nothing(cast: Cast) -> None:
    proposal = _offered(cast, Role.VIEWER)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    assert "/withdraw" not in text_of(bob.get("review"))
    assert bob.post(f"review/{proposal.pk}/withdraw").status_code == 403
    assert len(cast.acme.rest().get("proposals").json()["results"]) == 1


def test_what_was_decided_meanwhile_is_said(cast: Cast) -> None:
    proposal = _offered(cast, Role.MEMBER)
    cast.acme.rest().post(f"proposals/{proposal.pk}/reject")
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    bob.post(f"review/{proposal.pk}/withdraw")

    assert "rejected already" in text_of(bob.get("review"))
