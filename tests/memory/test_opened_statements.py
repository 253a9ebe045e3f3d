"""A statement whose closer goes is open again, unless something else that is there replaces it."""

from __future__ import annotations

import pytest

from memory.models import EpisodeStatement
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope

ROME, OSLO, TURIN = "I live in Rome.", "I live in Oslo now.", "I live in Turin now."


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    """REST as Acme's agent, with an episode that says where Ana lives."""
    client = cast.acme.rest()
    client.post("memory/enable")
    tell(client, "rome", ROME, at="2024-05-01T09:00:00Z")
    return client


def tell(client: RestClient, key: str, content: str, *, at: str) -> None:
    """Have Ana say something that an episode keeps, and no memory."""
    said = [content, "The oven of the harbour bakery is cold."]
    messages = [{"role": "user", "name": "Ana", "content": each, "created_at": at} for each in said]
    assert client.post(f"conversations/{key}/messages", {"messages": messages}).status_code == 201
    kept = client.post(f"conversations/{key}/consolidate", {"retain_last": 0, "max_age_days": 0})
    assert len(kept.json()["episodes"]) == 1
    for memory in client.get("memories").json()["results"]:
        if memory["source"] == "extraction":
            client.delete(f"memories/{memory['id']}")


def closer_of(cast: Cast, words: str) -> str:
    """Return what closed a statement, '' for one that is open."""
    with workspace_scope(cast.acme.caller):
        closed = EpisodeStatement.objects.select_related("superseded_by", "superseded_by_memory")
        found = closed.get(text__contains=words)
        closer = found.superseded_by or found.superseded_by_memory
        return str(getattr(closer, "text", None) or getattr(closer, "content", ""))


@pytest.mark.parametrize("is_told", [True, False])
def test_what_a_forgotten_memory_closed_stays_closed_by_a_newer_statement(
    cast: Cast, acme: RestClient, is_told: bool
) -> None:
    oslo = acme.remembered("Ana lives in Oslo now.")
    assert "Oslo" in closer_of(cast, "Rome")
    if is_told:
        tell(acme, "turin", TURIN, at="2026-06-01T09:00:00Z")

    acme.delete(f"memories/{oslo['id']}")

    assert ("Turin" in closer_of(cast, "Rome")) == is_told
    assert bool(closer_of(cast, "Rome")) == is_told


def test_what_a_forgotten_memory_closed_stays_closed_by_another_memory(cast: Cast, acme: RestClient) -> None:
    oslo = acme.remembered("Ana lives in Oslo now.")
    acme.remembered("Ana lives in Turin now.")

    acme.delete(f"memories/{oslo['id']}")

    assert "Turin" in closer_of(cast, "Rome")


@pytest.mark.parametrize("door", ["conversation", "episode"])
def test_what_a_deleted_episode_closed_stays_closed_by_another(cast: Cast, acme: RestClient, door: str) -> None:
    tell(acme, "oslo", OSLO, at="2025-05-01T09:00:00Z")
    tell(acme, "turin", TURIN, at="2025-06-01T09:00:00Z")
    assert "Oslo" in closer_of(cast, "Rome")
    episode = acme.get("conversations/oslo/episodes").json()["results"][0]["id"]

    deleted = acme.delete("conversations/oslo" if door == "conversation" else f"episodes/{episode}")

    assert deleted.status_code == 204
    assert "Turin" in closer_of(cast, "Rome")
    acme.delete("conversations/turin")
    assert closer_of(cast, "Rome") == ""


def test_what_an_edited_memory_leaves_stays_closed_by_a_newer_statement(cast: Cast, acme: RestClient) -> None:
    memory = acme.remembered("Ana lives in Oslo now.")
    tell(acme, "turin", TURIN, at="2026-06-01T09:00:00Z")

    acme.patch(f"memories/{memory['id']}", {"content": "Ana has two cats."})

    assert "Turin" in closer_of(cast, "Rome")
