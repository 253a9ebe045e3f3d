"""Two people at one memory: neither overwrites the other in silence, and a verb on what is gone says who did it."""

from __future__ import annotations

import re

import pytest

from tests.cast import Cast
from tests.pages import Visitor, text_of, toast_of

TEA = "The office tea order is due on the first Monday of each month."
MINE, THEIRS = "Tea is ordered on Mondays.", "Tea is ordered on Tuesdays <b>only</b>."


@pytest.fixture
def memory_id(cast: Cast) -> str:
    return str(cast.acme.rest().remembered(TEA)["id"])


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor.of(cast.alice, cast.acme.workspace)


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


def _form(visitor: Visitor, memory_id: str) -> dict[str, str]:
    """The fields of the form, as the page has them."""
    page = text_of(visitor.get(f"memory/{memory_id}/edit"))
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert seen
    return {"seen": seen[1], "content": TEA, "importance": "0.5", "confidence": "1.0"}


def test_the_later_editor_sees_both_texts_and_decides(cast: Cast, alice: Visitor, bob: Visitor, memory_id: str) -> None:
    of_alice, of_bob = _form(alice, memory_id), _form(bob, memory_id)
    assert alice.post(f"memory/{memory_id}/edit", **{**of_alice, "content": THEIRS}).status_code == 302

    refused = bob.post(f"memory/{memory_id}/edit", **{**of_bob, "content": MINE})
    page = text_of(refused)

    assert refused.status_code == 409
    assert MINE in page
    assert "Tuesdays &lt;b&gt;only&lt;/b&gt;." in page
    assert cast.acme.rest().get(f"memories/{memory_id}").json()["content"] == THEIRS
    seen = re.search(r'name="seen" value="([0-9a-f]{64})"', page)
    assert seen
    again = bob.post(f"memory/{memory_id}/edit", **{**of_bob, "content": MINE, "seen": seen[1]})
    assert again.status_code == 302
    assert cast.acme.rest().get(f"memories/{memory_id}").json()["content"] == MINE


def test_saving_leaves_the_address_of_the_form(alice: Visitor, memory_id: str) -> None:
    fields = {**_form(alice, memory_id), "content": MINE}

    saved = alice.swap(f"memory/{memory_id}/edit", target="memory", at=f"memory/{memory_id}/edit", **fields)

    assert saved.headers["HX-Replace-Url"] == alice.address(f"memory/{memory_id}")


def test_a_verb_on_what_was_forgotten_meanwhile_says_so(alice: Visitor, bob: Visitor, memory_id: str) -> None:
    alice.post(f"memory/{memory_id}/forget")

    answer = bob.swap(f"memory/{memory_id}/pin", target="memory")

    assert "forgot this meanwhile" in toast_of(answer)["text"]
    bob.post(toast_of(answer)["undo_url"])
    assert f"memory/{memory_id}/restore" not in text_of(bob.get(f"memory/{memory_id}"))


def test_a_pinned_memory_is_unpinned_and_forgotten_where_that_was_asked(alice: Visitor, memory_id: str) -> None:
    alice.post(f"memory/{memory_id}/pin")
    address = f"memory/{memory_id}/forget?unpin=yes"

    asked = alice.client.post(alice.address(f"{address}&ask=Unpin+and+forget%3F"))
    assert "Unpin and forget?" in text_of(asked)
    assert "Forgotten" not in text_of(alice.get(f"memory/{memory_id}"))
    done = alice.client.post(alice.address(f"{address}&ask=Unpin+and+forget%3F"), {"confirmed": "yes"})

    assert done.status_code == 302
    assert "Forgotten" in text_of(alice.get(f"memory/{memory_id}"))
