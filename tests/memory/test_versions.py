"""Versions of a memory on its page: what each step changed, and taking it back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from memory.models import MemoryRevision
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

TUESDAY = "The flour is delivered on Tuesdays."
FRIDAY = "The flour is delivered on <b>Fridays</b>."


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def edited(acme: RestClient) -> dict[str, Any]:
    found = acme.remembered(TUESDAY, tags=["flour"])
    acme.patch(f"memories/{found['id']}", {"content": FRIDAY, "tags": ["late"], "importance": 0.9})
    acme.post(f"memories/{found['id']}/pin")
    return found


def _steps(cast: Cast, memory: dict[str, Any]) -> dict[str, str]:
    """Return the newest step of each action, by its name."""
    with workspace_scope(cast.acme.caller):
        rows = MemoryRevision.objects.filter(memory_id=memory["id"]).order_by("id")
        return {action: str(identity) for action, identity in rows.values_list("action", "id")}


def _seen(page: str) -> str:
    return str(
        re.findall(r'name="seen" value="([0-9a-f]{64})"><button class="btn btn-small" data-key="revert', page)[0]
    )


def test_each_step_says_what_it_changed_word_by_word(cast: Cast, bob: Visitor, edited: dict[str, Any]) -> None:
    page = text_of(bob.get(f"memory/{edited['id']}"))

    assert "<del>Tuesdays</del>" in page
    assert "<ins>&lt;b&gt;Fridays&lt;/b&gt;</ins>" in page
    assert "Tags before: flour" in page
    assert page.count("Revert to this") == 1
    assert f'name="step" value="{_steps(cast, edited)["remember"]}"' in page
    assert "Current" in page


def test_a_version_comes_back_with_what_it_said(
    cast: Cast, bob: Visitor, acme: RestClient, edited: dict[str, Any]
) -> None:
    address = f"memory/{edited['id']}"
    page = text_of(bob.get(address))

    answer = bob.post(f"{address}/revert", step=_steps(cast, edited)["remember"], seen=_seen(page))

    assert answer.status_code == 302
    now = acme.get(f"memories/{edited['id']}").json()
    assert (now["content"], now["tags"], now["importance"], now["pinned"]) == (TUESDAY, ["flour"], 0.5, True)
    last = acme.get(f"memories/{edited['id']}/history").json()["results"][0]
    assert (last["action"], last["by"], last["before"]["content"]) == ("edit", "Bob", FRIDAY)
    assert "Reverted to what it said on" in text_of(bob.get(address))


def test_undoing_brings_the_newer_version_back(
    cast: Cast, bob: Visitor, acme: RestClient, edited: dict[str, Any]
) -> None:
    address = f"memory/{edited['id']}"
    answer = bob.swap(f"{address}/revert", target="memory", at=address, step=_steps(cast, edited)["remember"])
    undo = toast_of(answer)["undo_url"]

    assert acme.get(f"memories/{edited['id']}").json()["content"] == TUESDAY
    assert bob.post(undo).status_code == 302
    now = acme.get(f"memories/{edited['id']}").json()
    assert (now["content"], now["tags"], now["importance"]) == (FRIDAY, ["late"], 0.9)
    assert bob.post(undo).status_code == 409


def test_an_edit_by_somebody_else_meanwhile_is_not_lost(
    cast: Cast, bob: Visitor, acme: RestClient, edited: dict[str, Any]
) -> None:
    address = f"memory/{edited['id']}"
    seen = _seen(text_of(bob.get(address)))
    acme.patch(f"memories/{edited['id']}", {"content": "The flour comes daily."})

    answer = bob.post(f"{address}/revert", step=_steps(cast, edited)["remember"], seen=seen)

    assert answer.status_code == 409
    assert "has changed since it was shown" in text_of(answer)
    assert acme.get(f"memories/{edited['id']}").json()["content"] == "The flour comes daily."


def test_only_steps_of_the_memory_and_those_who_may_edit(
    cast: Cast, bob: Visitor, acme: RestClient, edited: dict[str, Any]
) -> None:
    other = acme.remembered("Rye is ordered on Mondays.")
    address, step = f"memory/{edited['id']}/revert", _steps(cast, edited)["remember"]

    assert bob.post(address, step=_steps(cast, other)["remember"]).status_code == 404
    assert bob.post(address, step="all").status_code == 422
    assert Visitor.of(cast.charlie, cast.acme.workspace).post(address, step=step).status_code == 404
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    assert "Revert to this" not in text_of(bob.get(f"memory/{edited['id']}"))
    assert bob.post(address, step=step).status_code == 403
