"""Lists: pages in both directions, what is recommended for pinning, what went stale and is purged."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine

from core.clock import utc_now
from core.text import fingerprint
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import ForgottenFingerprint
from tests.cast import Cast, RestClient
from tests.memory.citing import cite
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope


def page(client: RestClient, address: str) -> dict[str, Any]:
    """A page behind a `next` or `previous` address, followed as a client does."""
    parts = urlsplit(address)
    answer = client.get(f"{parts.path}?{parts.query}")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def ids(listed: dict[str, Any]) -> list[str]:
    return [item["id"] for item in listed["results"]]


def test_pages_lead_through_120_memories_and_back(cast: Cast) -> None:
    caller, client = cast.acme.caller, cast.acme.rest()
    written = [str(remember(caller=caller, new=NewMemory(f"Note {number}.")).memory.pk) for number in range(120)]

    first = client.get("memories").json()
    second = page(client, first["next"])
    third = page(client, second["next"])

    assert [len(ids(listed)) for listed in (first, second, third)] == [50, 50, 20]
    assert ids(first) + ids(second) + ids(third) == written[::-1]
    assert (first["previous"], third["next"]) == (None, None)
    assert ids(page(client, third["previous"])) == ids(second)
    assert ids(page(client, page(client, third["previous"])["previous"])) == ids(first)


def test_a_page_stays_where_it_is_while_memories_come_and_go(acme: RestClient) -> None:
    written = [acme.remembered(f"Note {number}.")["id"] for number in range(6)]
    first = acme.get("memories", limit=2).json()
    assert ids(first) == written[:3:-1]

    acme.remembered("A newer one.")
    acme.delete(f"memories/{written[4]}")  # the one that the cursor stands on
    second = page(acme, first["next"])

    assert ids(second) == [written[3], written[2]]
    assert "limit=2" in second["next"]


def test_pages_keep_their_filters(acme: RestClient) -> None:
    tagged = [acme.remembered(f"Tea {number}.", tags=["tea"])["id"] for number in range(3)]
    for number in range(3):
        acme.remembered(f"Coffee {number}.")

    first = acme.get("memories", tags="tea", limit=2).json()

    assert ids(first) + ids(page(acme, first["next"])) == tagged[::-1]


@pytest.mark.parametrize(("said", "status"), [("true", 200), ("", 200), ("null", 422), ("perhaps", 422)])
def test_pinned_is_true_or_false_or_not_said(acme: RestClient, said: str, status: int) -> None:
    assert acme.get("memories", pinned=said).status_code == status


def test_history_and_citations_have_pages_too(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]
    cite(acme, memory_id, times=3)
    for verb in ("pin", "unpin"):
        acme.post(f"memories/{memory_id}/{verb}")

    history = acme.get(f"memories/{memory_id}/history", limit=2).json()
    citations = acme.get(f"memories/{memory_id}/citations", limit=2).json()

    assert [revision["action"] for revision in history["results"]] == ["unpin", "pin"]
    assert [revision["action"] for revision in page(acme, history["next"])["results"]] == ["remember"]
    assert [len(citations["results"]), len(page(acme, citations["next"])["results"])] == [2, 1]
    assert all(citation["counted"] for citation in citations["results"])


def test_pin_recommendations_come_by_references_then_by_recency(cast: Cast, acme: RestClient) -> None:
    names = ("never", "once early", "once late", "twice", "pinned")
    memory = {name: acme.remembered(f"Cited {name}.")["id"] for name in names}
    other = cast.acme.rest(Right.READ, Right.WRITE)
    for name in ("once early", "twice", "pinned", "once late", "twice"):
        cite(other, memory[name])
    acme.post(f"memories/{memory['pinned']}/pin")

    answer = acme.get("memories/pin-recommendations").json()

    assert ids(answer) == [memory["twice"], memory["once late"], memory["once early"]]
    assert ids(acme.get("memories/pin-recommendations", limit=1).json()) == [memory["twice"]]
    assert (answer["next"], answer["previous"]) == (None, None)


@pytest.fixture
def attic(cast: Cast) -> dict[str, str]:
    """Memories of 91 days ago, stale unless something speaks for them, and one of today."""
    with time_machine.travel(utc_now() - timedelta(days=91)):
        client = cast.acme.rest()
        found = {name: client.remembered(f"An {name} note.")["id"] for name in ("old", "older", "cited", "pinned")}
        found["fact"] = client.remembered("An old fact.", kind="fact")["id"]
        cite(client, found["cited"])
        client.post(f"memories/{found['pinned']}/pin")
    found["fresh"] = client.remembered("A fresh note.")["id"]
    return found


def test_only_old_uncited_unpinned_memories_are_stale(acme: RestClient, attic: dict[str, str]) -> None:
    assert ids(acme.get("memories/stale").json()) == [attic["old"], attic["older"]]
    assert ids(acme.get("memories/stale", limit=1).json()) == [attic["old"]]


@pytest.mark.parametrize(("days", "is_stale"), [(90, True), (91, True), (92, False), (3_650, False)])
def test_the_workspace_says_when_a_memory_is_stale(
    acme: RestClient, attic: dict[str, str], days: int, is_stale: bool
) -> None:
    acme.put("settings", {"memory": {"retention_days": days}})

    assert (attic["old"] in ids(acme.get("memories/stale").json())) is is_stale


def test_a_purge_forgets_what_is_stale_and_says_what(cast: Cast, attic: dict[str, str]) -> None:
    acme = cast.acme.rest()

    purged = acme.post("memories/stale/purge").json()

    assert purged["count"] == 2
    assert [(item["id"], item["content"]) for item in purged["removed"]] == [
        (attic["old"], "An old note."),
        (attic["older"], "An older note."),
    ]
    assert {name for name, memory_id in attic.items() if memory_id in ids(acme.get("memories").json())} == {
        "cited",
        "pinned",
        "fact",
        "fresh",
    }
    assert acme.post("memories/stale/purge").json() == {"removed": [], "count": 0}
    newest = acme.get(f"memories/{attic['old']}/history").json()["results"][0]
    assert (newest["action"], newest["before"]["reason"]) == ("forget", "stale")
    assert acme.post(f"memories/{attic['old']}/restore").json()["is_deleted"] is False


def test_the_stale_are_listed_page_by_page(acme: RestClient, attic: dict[str, str]) -> None:
    first = acme.get("memories/stale?limit=1").json()
    address, _, query = first["next"].partition("?")
    assert address.endswith("memories/stale")

    second = acme.get(f"memories/stale?{query}").json()

    listed = [memory["id"] for page in (first, second) for memory in page["results"]]
    assert listed == [memory["id"] for memory in acme.get("memories/stale").json()["results"]]
    assert (len(listed), first["previous"], second["next"]) == (2, None, None)


def test_a_purge_concerns_one_workspace_and_needs_an_admin(cast: Cast, attic: dict[str, str]) -> None:
    refused = cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS).post("memories/stale/purge")

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert cast.umbrella.rest().post("memories/stale/purge").json()["count"] == 0
    assert len(cast.acme.rest().get("memories/stale").json()["results"]) == 2


def test_fingerprints_of_the_forgotten_hold_no_text(cast: Cast) -> None:
    client = cast.acme.rest()
    client.delete(f"memories/{client.remembered('Tea is ordered on Mondays.')['id']}")

    with workspace_scope(cast.acme.caller):
        kept = ForgottenFingerprint.objects.get()

    assert kept.fingerprint == fingerprint(workspace_id=cast.acme.workspace.id, text="TEA is ordered on mondays")
