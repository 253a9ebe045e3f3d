"""Owners and staff delete and restore episodes; a deleted one is read nowhere."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from core.clock import utc_now
from memory.models import MemoryEpisode
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent, User

FACT = "I adopted a greyhound named Biscuit."


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    """REST as Acme's agent, with a conversation whose old messages became one episode."""
    client = cast.acme.rest()
    client.post("memory/enable")
    at = (utc_now() - timedelta(days=60)).isoformat()
    lines = [{"role": "user", "content": text, "name": "Ana", "created_at": at} for text in (FACT, "I live in Bern.")]
    client.post("conversations/talk/messages", {"messages": lines})
    made = client.post("conversations/talk/consolidate", {"retain_last": 0}).json()
    assert made["episodes"][0]["statements"]
    for memory in client.get("memories").json()["results"]:  # what was extracted before stays; it is not the episode
        client.delete(f"memories/{memory['id']}")
    return client


def episode(client: RestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("conversations/talk/episodes").json()["results"][0]
    return found


def everything_read(client: RestClient) -> str:
    """What each door reads of the conversation."""
    query = {"query": "Which greyhound did Ana adopt?", "conversation": "talk"}
    return " ".join(
        [
            client.get("conversations/talk/episodes").content.decode(),
            client.get("conversations/talk/window").content.decode(),
            client.post("context", query).content.decode(),
            client.post("context", {"query": query["query"]}).content.decode(),
        ]
    )


def events(cast: Cast) -> list[tuple[str, str]]:
    with workspace_scope(cast.acme.caller):
        found = AuditEvent.objects.filter(action__startswith="episode.").order_by("id")
        return list(found.values_list("action", "actor_kind"))


def test_a_deleted_episode_is_read_nowhere_until_it_is_restored(cast: Cast, acme: RestClient) -> None:
    known = episode(acme)
    assert "Biscuit" in everything_read(acme)

    assert acme.delete(f"episodes/{known['id']}").status_code == 204
    assert acme.delete(f"episodes/{known['id']}").status_code == 204

    assert "Biscuit" not in everything_read(acme)
    restored = acme.post(f"episodes/{known['id']}/restore")
    assert (restored.status_code, restored.json()) == (200, known)
    assert "Biscuit" in everything_read(acme)
    assert [action for action, _ in events(cast)] == ["episode.deleted", "episode.restored"]


def test_it_needs_an_owner_or_an_admin_key_of_this_workspace(
    cast: Cast, acme: RestClient, umbrella: RestClient
) -> None:
    address = f"episodes/{episode(acme)['id']}"

    for rights in ((Right.READ,), (Right.READ, Right.WRITE)):
        assert cast.acme.rest(*rights).delete(address).json()["code"] == "missing_scope"
        assert cast.acme.rest(*rights).post(f"{address}/restore").json()["code"] == "missing_scope"
    assert umbrella.delete(address).status_code == umbrella.post(f"{address}/restore").status_code == 404
    assert acme.delete("episodes/none").status_code == 404
    assert "Biscuit" in everything_read(acme)


def test_an_owner_deletes_and_restores_it_on_the_page_of_the_conversation(cast: Cast, acme: RestClient) -> None:
    browser, member = Client(), Client()
    browser.force_login(cast.alice)
    member.force_login(cast.bob)
    known = episode(acme)
    slug = cast.acme.workspace.slug
    page = reverse("conversation-detail", args=[slug, known["conversation_id"]])
    delete, restore = (reverse(f"episode-{verb}", args=[slug, known["id"]]) for verb in ("delete", "restore"))
    assert delete in browser.get(page).content.decode()
    assert delete not in member.get(page).content.decode()
    assert member.post(delete).status_code == 403

    browser.post(delete)

    assert "Biscuit" not in everything_read(acme)
    assert "Biscuit" not in member.get(page).content.decode()
    assert restore in browser.get(page).content.decode()
    browser.post(restore)
    assert "Biscuit" in everything_read(acme)


def test_staff_see_delete_and_restore_episodes_and_all_of_it_is_audited(cast: Cast, acme: RestClient) -> None:
    ada = User.objects.create_user("ada@staff.example", "x" * 20, name="Ada", is_staff=True)
    staff = Client()
    staff.force_login(ada)
    staff.post(reverse("admin:staff_enter", args=[cast.acme.workspace.id]), {"reason": "A look around"})
    known, listed = episode(acme), reverse("admin:memory_memoryepisode_changelist")
    assert "greyhound" in staff.get(listed).content.decode()
    assert "Biscuit" in staff.get(reverse("admin:memory_memoryepisode_change", args=[known["id"]])).content.decode()

    staff.post(listed, {"action": "delete_softly", "_selected_action": [known["id"]]})
    with workspace_scope(cast.acme.caller):
        assert MemoryEpisode.objects.get(id=known["id"]).is_deleted
    assert "Biscuit" not in everything_read(acme)
    staff.post(listed, {"action": "restore", "_selected_action": [known["id"]]})

    assert "Biscuit" in everything_read(acme)
    assert events(cast) == [("episode.deleted", "staff"), ("episode.restored", "staff")]
