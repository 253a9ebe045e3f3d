"""Proposals on the Review page: what is proposed, what is there already, and the decision, with htmx and without."""

from __future__ import annotations

from typing import Any

import pytest

from memory.memories.proposals.models import Proposal
from memory.memories.proposals.services import propose_memory
from memory.memories.selectors import access_memory
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import Kind, Memory
from tests.cast import Cast
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces, parse_space
from workspaces.models import Membership, Role

pytestmark = pytest.mark.django_db

TEXT = "The oven door sticks when it rains."


def offer(cast: Cast, content: str = TEXT, *, space: str = "shared", **fields: Any) -> Proposal:
    """A memory of user 42 that is proposed."""
    caller = cast.acme.caller.naming(NamedSpaces(user="42"))
    memory = remember(caller=caller, new=NewMemory(content, **fields)).memory
    return propose_memory(caller=caller, memory_id=memory.pk, space=parse_space(space)).proposal


def shared(cast: Cast) -> list[str]:
    with workspace_scope(cast.acme.caller):
        return sorted(memory.content for memory in Memory.objects.of(cast.acme.caller).select_related("node"))


def test_an_empty_page_says_what_comes_here(alice: Visitor) -> None:
    answer = alice.get("review")

    assert answer.status_code == 200
    assert "Nothing to decide" in text_of(answer)
    assert 'id="review-count" class="rail-count"></span>' in text_of(answer)


def test_both_sides_stand_next_to_each_other(cast: Cast, alice: Visitor) -> None:
    near = remember(
        caller=cast.acme.caller, new=NewMemory("The oven door sticks when it snows.", kind=Kind.FACT)
    ).memory
    offer(cast, tags=("oven",))

    page = text_of(alice.get("review"))

    assert TEXT in page
    assert 'from <span class="space">user:42</span>' in page
    assert f"memory/{near.pk}" in page
    assert page.index(TEXT) < page.index("<ins>snows</ins>")
    assert ">oven<" in page


def test_the_same_words_are_marked(cast: Cast, alice: Visitor) -> None:
    remember(caller=cast.acme.caller, new=NewMemory(TEXT))
    proposal = offer(cast)

    assert "The same words" in text_of(alice.get("review"))
    toast = toast_of(alice.swap(f"review/{proposal.pk}/accept", target="review", at="review"))
    assert "nothing was added" in toast["text"]
    assert shared(cast) == [TEXT]


def test_the_card_says_what_accepting_does_with_the_same_words(cast: Cast, alice: Visitor) -> None:
    agent = cast.acme.rest(Right.READ, Right.WRITE)
    offer(cast)
    assert "Accepting adds" not in text_of(alice.get("review"))

    twin = agent.remembered(TEXT)["id"]
    assert "Accepting adds nothing" in text_of(alice.get("review"))

    agent.patch(f"memories/{twin}", {"valid_from": "2999-01-01T00:00:00Z"})
    assert "Accepting brings back the memory with the same words" in text_of(alice.get("review"))


def test_the_number_in_the_rail_is_on_every_page_and_follows_a_decision(cast: Cast, alice: Visitor) -> None:
    first, _ = offer(cast), offer(cast, "Another.")

    assert 'class="rail-count">2<' in text_of(alice.get("memory"))
    answer = text_of(alice.swap(f"review/{first.pk}/reject", target="review", at="review"))
    assert 'id="review-count" class="rail-count" hx-swap-oob="true">1<' in answer
    assert (TEXT in answer, "Another." in answer) == (False, True)


def test_accepting_makes_a_copy_that_names_its_origin(cast: Cast, alice: Visitor) -> None:
    proposal = offer(cast)

    answer = alice.swap(f"review/{proposal.pk}/accept", target="review", at="review")

    assert (answer.status_code, shared(cast)) == (200, [TEXT])
    assert toast_of(answer)["text"] == f"Accepted “{TEXT.rstrip('.')}”. Agents that read shared can recall it."
    with workspace_scope(cast.acme.caller):
        copy = Memory.objects.of(cast.acme.caller).get()
    page = text_of(alice.get(f"memory/{copy.pk}"))
    assert "Copy of" in page
    assert "in user:42" in page
    assert "Accepted from another space" in page


def test_without_script_it_redirects(cast: Cast, alice: Visitor) -> None:
    first, second = offer(cast), offer(cast, "Another.")

    for proposal, verb in ((first, "accept"), (second, "reject")):
        answer = alice.post(f"review/{proposal.pk}/{verb}")
        assert (answer.status_code, answer["Location"]) == (302, alice.address("review?done=1"))
    assert shared(cast) == [TEXT]


def test_it_is_accepted_in_other_words(cast: Cast, alice: Visitor) -> None:
    proposal = offer(cast, "Anna says that the oven door sticks.")

    alice.swap(f"review/{proposal.pk}/accept", target="review", at="review", content=TEXT)

    assert shared(cast) == [TEXT]
    with workspace_scope(cast.acme.caller):
        copy = Memory.objects.of(cast.acme.caller).get()
    assert (copy.edited_by, copy.author) == (str(cast.alice), str(cast.alice))


@pytest.mark.parametrize("content", [" ", "password: hunter2-Tr0ub4dor", "x" * 16_001])
def test_words_that_are_refused_stay_in_the_form(cast: Cast, alice: Visitor, content: str) -> None:
    proposal = offer(cast)

    answer = alice.swap(f"review/{proposal.pk}/accept", target="review", at="review", content=content)

    assert (answer.status_code, shared(cast)) == (422, [])
    assert '<details class="review-edit" open>' in text_of(answer)
    assert 'class="errorlist' in text_of(answer)


def test_what_was_decided_meanwhile_is_said(cast: Cast, alice: Visitor) -> None:
    proposal = offer(cast)
    alice.post(f"review/{proposal.pk}/reject")

    answer = alice.swap(f"review/{proposal.pk}/accept", target="review", at="review")

    assert (answer.status_code, shared(cast)) == (200, [])
    assert "rejected already, by Alice" in toast_of(answer)["text"]
    assert "Nothing to decide" in text_of(answer)


def test_members_decide_and_viewers_read(cast: Cast, alice: Visitor) -> None:
    first, second = offer(cast), offer(cast, "Another.")
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    assert bob.post(f"review/{first.pk}/accept").status_code == 302
    with workspace_scope(cast.acme.caller):
        Membership.objects.filter(user=cast.bob).update(role=Role.VIEWER)
    page = text_of(bob.get("review"))
    assert "Another." in page
    assert "your role reads" in page
    assert f"review/{second.pk}" not in page
    for verb in ("accept", "reject"):
        assert bob.post(f"review/{second.pk}/{verb}").status_code == 403
    assert shared(cast) == [TEXT]


def test_the_outsider_finds_nothing(cast: Cast) -> None:
    proposal = offer(cast)
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)

    assert charlie.get("review").status_code == 404
    for visitor in (charlie, at_home):
        assert visitor.post(f"review/{proposal.pk}/accept").status_code == 404
    assert TEXT not in text_of(at_home.get("review"))


def test_proposals_to_other_spaces_are_not_on_the_page_of_shared(cast: Cast, alice: Visitor) -> None:
    proposal = offer(cast, space="project:apollo")

    assert TEXT not in text_of(alice.get("review"))
    assert alice.post(f"review/{proposal.pk}/accept").status_code == 404


def test_markup_is_shown_as_it_is(cast: Cast, alice: Visitor) -> None:
    offer(cast, "<script>alert(1)</script> is what it says.")

    page = text_of(alice.get("review"))

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_long_queue_begins_with_the_oldest(cast: Cast, alice: Visitor) -> None:
    for number in range(12):
        offer(cast, f"Fact number {number} of the ovens.")

    page = text_of(alice.get("review"))

    assert page.count('<article class="review-card"') == 1
    assert page.count("data-queue-row") == 12
    assert "1 of 12" in page
    assert 'class="review-text">Fact number 0 of' in page


def test_a_shared_memory_is_not_proposed_from_its_page(cast: Cast, alice: Visitor) -> None:
    memory = remember(caller=cast.acme.caller, new=NewMemory(TEXT)).memory

    assert "/propose" not in text_of(alice.get(f"memory/{memory.pk}"))
    assert alice.post(f"memory/{memory.pk}/propose").status_code == 409
    assert access_memory(cast.acme.caller, memory.pk).origin_id is None


def test_a_person_proposes_from_their_own_space_and_decides_without_leaving_it(cast: Cast) -> None:
    bob = Visitor.of(cast.bob, cast.acme.workspace)
    space = f"user:{cast.bob.pk}"
    own = cast.acme.caller.naming(NamedSpaces(space=space))
    memory = remember(caller=own, new=NewMemory(TEXT)).memory

    assert f"memory/{memory.pk}/propose" in text_of(bob.get(f"memory/{memory.pk}", space=space))
    answer = bob.post(f"memory/{memory.pk}/propose?space={space}")
    again = bob.swap(f"memory/{memory.pk}/propose?space={space}", target="memory")

    assert answer.status_code == 302
    assert "Proposed before" in toast_of(again)["text"]
    with workspace_scope(cast.acme.caller):
        proposal = Proposal.objects.of(cast.acme.caller).get()
    assert TEXT in text_of(bob.get("review", space=space))
    assert bob.post(f"review/{proposal.pk}/accept?space={space}").status_code == 302
    assert shared(cast) == [TEXT]
