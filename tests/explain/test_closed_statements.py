"""A statement that is not true is closed from the context that held it, which is run again without it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.clock import utc_now
from memory.models import EpisodeStatement
from tests.cast import Cast, RestClient
from tests.pages import Visitor, as_role, text_of
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import own_space
from workspaces.models import Role

QUESTION = "Which kiln did Ana buy?"


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def kiln(cast: Cast, acme: RestClient) -> EpisodeStatement:
    """A statement of an episode, and no memory of it."""
    acme.post("memory/enable")
    at = (utc_now() - timedelta(days=60)).isoformat()
    said = ["I bought a kiln named Vulcan.", "The oven of the harbour bakery is cold."]
    messages = [{"role": "user", "name": "Ana", "content": each, "created_at": at} for each in said]
    acme.post("conversations/clay/messages", {"messages": messages})
    acme.post("conversations/clay/consolidate", {"retain_last": 0, "max_age_days": 0})
    for memory in acme.get("memories").json()["results"]:
        acme.delete(f"memories/{memory['id']}")
    return find(cast)


def find(cast: Cast) -> EpisodeStatement:
    with workspace_scope(cast.acme.caller):
        return EpisodeStatement.objects.get(text__contains="Vulcan")


def receipt(rest: RestClient) -> str:
    answer = rest.post("context", {"query": QUESTION}).json()
    assert "Vulcan" in answer["text"]
    return str(answer["receipt_id"])


def test_closing_shows_the_context_without_it_and_offers_to_undo(
    cast: Cast, acme: RestClient, bob: Visitor, kiln: EpisodeStatement
) -> None:
    path = f"receipts/{receipt(acme)}"
    assert f'name="close" value="{kiln.pk}"' in text_of(bob.get(path))

    closed = " ".join(text_of(bob.swap(f"{path}/rerun", query=QUESTION, close=kiln.pk)).split())

    assert "Closed. +0 in, −1 out" in closed
    assert f'name="reopen" value="{kiln.pk}" data-key="undo-close"' in closed
    assert "Closed since: it is not true" in closed
    assert find(cast).is_closed_by_hand
    assert f'name="close" value="{kiln.pk}"' not in text_of(bob.get(path))
    undone = " ".join(text_of(bob.swap(f"{path}/rerun", query=QUESTION, reopen=kiln.pk)).split())
    assert "Reopened. The same things are in it." in undone
    assert "undo-close" not in undone
    assert not find(cast).is_closed_by_hand


def test_without_script_and_without_a_question_it_is_closed_all_the_same(
    cast: Cast, acme: RestClient, bob: Visitor, kiln: EpisodeStatement
) -> None:
    answer = bob.post(f"receipts/{receipt(acme)}/rerun", close=kiln.pk)

    assert answer.status_code == 200
    page = text_of(answer)
    assert ("<html" in page, "The context was not run again." in page, "undo-close" in page) == (True, True, True)
    assert find(cast).is_closed_by_hand


def test_a_viewer_is_refused_and_has_no_button(cast: Cast, acme: RestClient, kiln: EpisodeStatement) -> None:
    path, viewer = f"receipts/{receipt(acme)}", as_role(cast, Role.VIEWER)

    assert 'name="close"' not in text_of(viewer.get(path)).replace('type="hidden"', "")
    assert viewer.swap(f"{path}/rerun", query=QUESTION, close=kiln.pk).status_code == 422
    assert not find(cast).is_closed_by_hand


def test_what_is_shared_is_closed_from_a_page_of_ones_own_space(
    cast: Cast, acme: RestClient, bob: Visitor, kiln: EpisodeStatement
) -> None:
    path = f"receipts/{receipt(acme)}/rerun?space={own_space(cast.bob.id)}"

    assert bob.swap(path, query=QUESTION, close=kiln.pk).status_code == 200

    assert find(cast).is_closed_by_hand


def test_what_is_of_another_workspace_or_space_is_not_found(
    cast: Cast, acme: RestClient, umbrella: RestClient, bob: Visitor, kiln: EpisodeStatement
) -> None:
    umbrella.post("memory/enable")
    theirs = umbrella.post("context", {"query": QUESTION}).json()["receipt_id"]
    mine = receipt(acme)
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)

    assert charlie.swap(f"receipts/{theirs}/rerun", query=QUESTION, close=kiln.pk).status_code == 422
    assert charlie.swap(f"receipts/{mine}/rerun", query=QUESTION, close=kiln.pk).status_code == 404
    assert not find(cast).is_closed_by_hand


def test_what_something_newer_replaced_says_so_and_is_not_closed(
    cast: Cast, acme: RestClient, bob: Visitor, kiln: EpisodeStatement
) -> None:
    path = f"receipts/{receipt(acme)}"
    memory = acme.remembered("Ana bought a kiln.")
    with workspace_scope(cast.acme.caller):
        closed = {"superseded_by_memory": memory["id"], "superseded_at": utc_now(), "valid_to": utc_now()}
        EpisodeStatement.objects.filter(pk=kiln.pk).update(**closed)

    page = text_of(bob.get(path))
    answer = bob.swap(f"{path}/rerun", query=QUESTION, close=kiln.pk)

    assert "Replaced since" in page
    assert f'name="close" value="{kiln.pk}"' not in page
    assert answer.status_code == 422
    assert "Something newer has replaced this statement" in text_of(answer)
