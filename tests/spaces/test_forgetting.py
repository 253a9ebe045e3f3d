"""Forgetting in one space takes away the kept answers that may tell of it, and leaves those of other spaces."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine

from core.clock import utc_now
from memory.episodes.services.conversation_deletion import delete_expired_sources
from tests.cast import Answer, Cast, RestClient
from tests.memory.test_episodes import fill
from tests.workspaces.test_repeating import sent
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import IdempotentAnswer

TEA = {"content": "Tea is ordered on Mondays."}


def forgetting(kind: str) -> Callable[[RestClient, str], Answer]:
    """Make something in the space that a query string names, and take it away again."""

    def memory(acme: RestClient, query: str) -> Answer:
        made = acme.post(f"memories?{query}", {"content": "To be forgotten."}).json()
        return acme.delete(f"memories/{made['id']}?{query}")

    def stale_memories(acme: RestClient, query: str) -> Answer:
        with time_machine.travel(utc_now() - timedelta(days=100)):
            acme.post(f"memories?{query}", {"content": "Old and never asked for."})
        return acme.post(f"memories/stale/purge?{query}")

    def node(acme: RestClient, query: str) -> Answer:
        made = acme.post(f"ontology/nodes?{query}", {"type": "person", "name": "Dana"}).json()
        return acme.delete(f"ontology/nodes/{made['id']}?{query}")

    def connection(acme: RestClient, query: str) -> Answer:
        made = acme.post(f"ontology/connections?{query}", {"name": "crm", "kind": "crm"}).json()
        return acme.delete(f"ontology/connections/{made['id']}?{query}")

    def conversation(acme: RestClient, query: str) -> Answer:
        acme.post(f"conversations/c-1/messages?{query}", {"role": "user", "content": "Hello."})
        return acme.delete(f"conversations/c-1?{query}")

    def slot(acme: RestClient, query: str) -> Answer:
        acme.put(f"slots/session/notes?{query}", {"value": 1})
        return acme.delete(f"slots/session/notes?{query}")

    made: dict[str, Callable[[RestClient, str], Answer]] = {
        each.__name__: each for each in (memory, stale_memories, node, connection, conversation, slot)
    }
    return made[kind]


def remembered(acme: RestClient, query: str) -> Answer:
    """Remember tea in the spaces that a query string names, under a key of its own, or get the answer kept."""
    return sent(acme, f"memories?{query}", TEA, key=urlencode({"of": query}))


def is_kept(acme: RestClient, query: str) -> bool:
    again = remembered(acme, query)
    assert again.status_code in {200, 201, 409}, again.content
    assert again.status_code != 409 or again.json()["code"] == "answer_not_kept"
    return bool(again.status_code != 409)


@pytest.mark.parametrize(
    ("where", "gone"),
    [
        (
            "user=alice",
            [
                "user=alice",
                "user=alice&shared=false",
                "user=alice&agent=clerk",
                "space=agent:clerk&user=alice&agent=clerk",
            ],
        ),
        (
            "space=shared",
            [
                "space=shared",
                "user=alice",
                "user=bob",
                "user=alice&agent=clerk",
                "space=agent:clerk&user=alice&agent=clerk",
            ],
        ),
        ("agent=clerk", ["user=alice&agent=clerk", "space=agent:clerk&user=alice&agent=clerk"]),
        ("space=project:apollo", []),
    ],
)
@pytest.mark.parametrize("kind", ["memory", "stale_memories", "node", "connection", "conversation", "slot"])
def test_answers_go_that_may_tell_of_it_and_no_others(acme: RestClient, kind: str, where: str, gone: list[str]) -> None:
    calls = [
        "space=shared",
        "user=alice",
        "user=alice&shared=false",
        "user=bob",
        "user=bob&shared=false",
        "user=alice&agent=clerk",
        "space=agent:clerk&user=alice&agent=clerk",
    ]
    assert {remembered(acme, query).status_code for query in calls} <= {200, 201}
    acme_forgets = forgetting(kind)(acme, where)
    assert acme_forgets.status_code < 300, acme_forgets.content

    assert [query for query in calls if not is_kept(acme, query)] == gone


def test_what_is_kept_of_a_user_goes_with_the_answers_of_both_places(acme: RestClient) -> None:
    for query in ("space=shared", "user=dana&shared=false", "user=bob&shared=false"):
        remembered(acme, query)

    acme.delete("users/dana/memory")

    assert [is_kept(acme, each) for each in ("space=shared", "user=dana&shared=false")] == [False, False]
    assert is_kept(acme, "user=bob&shared=false")


def test_a_proposal_is_not_told_again_when_either_space_forgets(acme: RestClient) -> None:
    for place, key in (("user=alice&shared=false", "k-1"), ("space=shared", "k-2")):
        words = f"Proposed under {key}."
        mine = acme.post("memories?user=alice", {"content": words}).json()["id"]
        offered = sent(acme, f"memories/{mine}/propose?user=alice&shared=false", {}, key=key)
        assert offered.status_code == 201
        made = acme.post(f"memories?{place}", {"content": f"Another one, for {key}."}).json()["id"]

        assert acme.delete(f"memories/{made}?{place}").status_code < 300

        again = sent(acme, f"memories/{mine}/propose?user=alice&shared=false", {}, key=key)
        assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")


def test_forgetting_the_original_takes_the_answers_of_where_it_was_offered(acme: RestClient) -> None:
    remembered(acme, "space=shared")
    mine = acme.post("memories?user=alice", {"content": "Offered to all."}).json()["id"]
    assert acme.post(f"memories/{mine}/propose?user=alice").status_code == 201

    acme.delete(f"memories/{mine}?user=alice")

    assert not is_kept(acme, "space=shared")


def test_an_answer_of_which_the_spaces_are_not_known_goes_with_anything(cast: Cast, acme: RestClient) -> None:
    remembered(acme, "user=bob&shared=false")
    with workspace_scope(cast.acme.caller):
        IdempotentAnswer.objects.update(spaces=[])

    forgetting("memory")(acme, "user=alice")

    assert not is_kept(acme, "user=bob&shared=false")


def test_an_answer_about_the_workspace_itself_goes_with_anything(cast: Cast, acme: RestClient) -> None:
    sent(acme, "memory/enable", {})

    forgetting("memory")(acme, "user=alice")

    assert sent(acme, "memory/enable", {}).json()["code"] == "answer_not_kept"


def test_messages_whose_time_is_over_take_the_answers_of_their_space(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"enabled": True, "consolidation": {"keep_sources": True}}})
    for query in ("space=shared", "user=bob&shared=false"):
        remembered(acme, query)
    fill(acme, 30)
    consolidated: Any = acme.post("conversations/garden/consolidate", {"retain_last": 0, "max_age_days": 0})
    assert consolidated.status_code == 200, consolidated.content
    with time_machine.travel(utc_now() + timedelta(hours=1)):
        acme.put("settings", {"memory": {"consolidation": {"keep_sources": False}}})
        assert delete_expired_sources(caller=maintenance_caller(cast.acme.workspace.id, "retention")) > 0

    assert not is_kept(acme, "space=shared")
    assert is_kept(acme, "user=bob&shared=false")
