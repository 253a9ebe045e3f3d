"""A conversation whose key is the id of another one does not stand in its place."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Conversation
from core.ids import new_id
from mcp_server.tools import conversations as tools
from memory.episodes.schemas import EndInput
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


def said(client: RestClient, key: str, text: str, **spaces: str) -> str:
    """Say something in a conversation; return the conversation's id."""
    asked = "?" + "&".join(f"{name}={value}" for name, value in spaces.items())
    answer = client.post(f"conversations/{key}/messages{asked}", {"role": "user", "content": text})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["conversation_id"])


@pytest.fixture
def twins(cast: Cast) -> tuple[str, str]:
    """The id of a conversation, and that of another one, which was begun under this id before the first was there."""
    acme = cast.acme.rest()
    decoy = said(acme, "decoy", "Of the decoy.")
    real = said(acme, "garden", "Of the garden.")
    with workspace_scope(cast.acme.caller):
        Conversation.objects.filter(id=decoy).update(key=real)
    return real, decoy


def texts(answer: Any) -> list[str]:
    return [message["content"] for message in answer.json()["results"]]


def test_the_id_is_read_before_the_key(cast: Cast, twins: tuple[str, str]) -> None:
    acme, (real, decoy) = cast.acme.rest(), twins

    assert acme.get(f"conversations/{real}").json()["id"] == real
    assert texts(acme.get(f"conversations/{real}/messages")) == ["Of the garden."]
    assert acme.get(f"conversations/{decoy}").json()["key"] == real  # which its own id still finds


def test_the_id_is_searched_and_recalled_before_the_key(cast: Cast, twins: tuple[str, str]) -> None:
    acme, (real, _) = cast.acme.rest(), twins

    found = acme.post("messages/search", {"query": "decoy garden", "conversation": real}).json()["results"]

    assert [hit["message"]["content"] for hit in found] == ["Of the garden."]


def test_what_is_said_to_an_id_goes_to_it(cast: Cast, twins: tuple[str, str]) -> None:
    real, _ = twins

    assert said(cast.acme.rest(), real, "More of the garden.") == real


@pytest.mark.parametrize("address", ["conversations/{id}", "/v1/conversations/{id}"])
def test_the_id_is_deleted_before_the_key(cast: Cast, twins: tuple[str, str], address: str) -> None:
    acme, (real, decoy) = cast.acme.rest(), twins

    assert acme.delete(address.format(id=real)).status_code == 204

    assert [each["id"] for each in acme.get("conversations").json()["results"]] == [decoy]


def test_a_route_for_ids_finds_no_key(cast: Cast) -> None:
    acme, unused = cast.acme.rest(), str(new_id())
    kept = said(acme, unused, "A key of the caller's own.")

    assert acme.delete(f"/v1/conversations/{unused}").status_code == 404
    assert acme.get(f"conversations/{unused}").json()["id"] == kept


def test_a_person_in_two_workspaces_is_not_misled_by_a_key(cast: Cast) -> None:
    real = said(cast.acme.rest(), "garden", "Of the garden.")
    said(cast.umbrella.rest(), real, "Of a decoy.")
    add_member(caller=cast.umbrella.caller, email=cast.bob.email, role=Role.MEMBER)
    browser = Client()
    browser.force_login(cast.bob)

    assert browser.delete(f"/v1/conversations/{real}").status_code == 204

    assert cast.acme.rest().get("conversations").json()["results"] == []
    assert len(cast.umbrella.rest().get("conversations").json()["results"]) == 1
    assert browser.delete(f"/v1/conversations/{real}").status_code == 404  # a key is none


def test_a_person_deletes_by_id_in_their_own_space(cast: Cast) -> None:
    mine = said(cast.acme.rest(), "diary", "Of mine.", user=str(cast.bob.id))
    browser = Client()
    browser.force_login(cast.bob)

    assert browser.delete(f"/v1/conversations/{mine}").status_code == 404  # in what is shared
    assert browser.delete(f"/v1/conversations/{mine}?user={cast.bob.id}").status_code == 204


def test_the_console_opens_ids_alone(cast: Cast, twins: tuple[str, str]) -> None:
    real, _ = twins
    browser = Client()
    browser.force_login(cast.bob)
    page = reverse("conversation-detail", args=[cast.acme.workspace.slug, real])
    assert "Of the garden." in browser.get(page).content.decode()

    cast.acme.rest().delete(f"conversations/{real}")

    assert browser.get(page).status_code == 404


def test_tools_mean_the_id_before_the_key(cast: Cast, twins: tuple[str, str]) -> None:
    real, decoy = twins
    caller = cast.acme.caller

    assert [each.content for each in tools.last(caller, conversation=real).results] == ["Of the garden."]
    assert tools.end(caller, conversation=real, body=EndInput()).conversation_id == real
    assert cast.acme.rest().get(f"conversations/{decoy}").json()["status"] == "open"


def test_no_conversation_is_begun_under_the_id_of_one_that_is_only_read(cast: Cast) -> None:
    acme = cast.acme.rest()
    shared = said(acme, "garden", "Of the garden.")
    private = said(acme, "diary", "Of Ada.", user="ada")

    message = {"role": "user", "content": "Hello."}
    for address in (f"conversations/{shared}/messages?user=ada", f"/v1/workspaces/{acme.workspace_id}/chat?user=ada"):
        body = message if "messages" in address else {"conversation": shared, "message": "Hello."}
        refused = acme.post(address, body)
        assert (refused.status_code, refused.json()["code"]) == (403, "other_space"), address
    assert acme.delete(f"conversations/{shared}?user=ada").json()["code"] == "other_space"

    # Whose id it is cannot be learned where it is not read.
    assert said(acme, private, "A key of the caller's own.", user="bob") != private
    assert said(acme, str(new_id()), "A key of the caller's own.", user="ada")
