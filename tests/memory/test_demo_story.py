"""The story of the demo workspace: each state of a memory, what came of conversations and runs, and no page empty."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.test import Client

from config.management.demo_data import CLERK, CUSTOMERS
from config.management.demo_story import QUESTION
from memory.models import Memory
from tests.cast import RestClient
from tests.memory.test_demo import create_demo
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace, current_workspace
from workspaces.models import User

pytestmark = pytest.mark.django_db

# Pages of the rail and their tabs that need no worker.
PAGES = (
    "home",
    "review",
    "memory",
    "memory?view=facts",
    "memory?view=suggestions",
    "explain",
    "explain/runs",
    "agents",
    "agents/patterns",
    "ontology",
    "conversations",
    "spaces",
)


@pytest.fixture
def demo(tmp_path: Path, settings: Any) -> dict[str, Any]:
    settings.HOME = tmp_path
    return create_demo(tmp_path)


def _owner(demo: dict[str, Any]) -> Caller:
    return access_workspace(user=User.objects.get(email=demo["email"]), workspace_id=UUID(demo["workspace_id"]))


def _agent(demo: dict[str, Any]) -> RestClient:
    return RestClient(UUID(demo["workspace_id"]), demo["api_key"])


def test_there_is_a_memory_of_every_state(demo: dict[str, Any]) -> None:
    caller = _owner(demo)
    with workspace_scope(caller):
        memories = list(Memory.objects.of(caller).select_related("node", "superseded_by__node"))
        states = Counter(
            {
                "fact": sum(each.kind == "fact" for each in memories),
                "pinned": sum(each.is_pinned for each in memories),
                "waits": sum(each.is_pending for each in memories),
                "agreed": sum(each.review == "decided" and each.source == "agent" for each in memories),
                "extracted": sum(each.source == "extraction" for each in memories),
                "suppressed": sum(bool(each.suppressed_reason) for each in memories),
                "closed": sum(each.is_closed and each.superseded_by is None for each in memories),
            }
        )
        replaced = {each.content: each.superseded_by for each in memories if each.superseded_by}

    assert min(states.values()) >= 1, states
    assert {old: new.content for old, new in replaced.items()} == {
        "The hospital kitchen orders 120 rolls every Thursday.": (
            "The hospital kitchen now orders 150 rolls every Thursday."
        ),
        "The walnut rye costs 5.20 euros.": "The walnut rye costs 5.60 euros.",
    }
    kinds = {item["kind"] for item in _agent(demo).get("review").json()["results"]}
    assert kinds >= {"pending", "proposal", "contradiction", "pattern", "suggestion"}


def test_old_conversations_are_episodes_and_new_ones_are_still_there(demo: dict[str, Any]) -> None:
    agent = _agent(demo)
    for key in ("lindqvist-deliveries", "oven-two"):
        (episode,) = agent.get(f"conversations/{key}/episodes").json()["results"]
        assert len(episode["statements"]) >= 3
        assert agent.get(f"conversations/{key}/messages").json()["results"] == []
    for key in ("saturday-market", "okafor-wedding"):
        assert len(agent.get(f"conversations/{key}/messages").json()["results"]) >= 4


def test_the_question_of_the_page_is_answered_with_the_price_of_now(demo: dict[str, Any]) -> None:
    asked = _agent(demo).post("chat", {"conversation": "another", "message": QUESTION}).json()

    assert "5.60 euros. (since" in asked["message"]["content"]
    assert "5.20" not in asked["message"]["content"]
    assert len(asked["citations"]) == 1


def test_the_clerk_was_warned_of_what_keeps_going_wrong(demo: dict[str, Any]) -> None:
    agent = _agent(demo)
    (pattern,) = agent.get("patterns").json()["results"]
    contexts = agent.get("receipts").json()["results"]

    assert (pattern["status"], pattern["error_code"]) == ("promoted", "missing_order_number")
    (warned,) = [each["id"] for each in contexts if each["agent"] == CLERK]
    assert pattern["id"] in {item["id"] for item in agent.get(f"receipts/{warned}").json()["chosen"]}


def test_what_one_customer_said_is_not_told_to_the_other(demo: dict[str, Any]) -> None:
    agent = _agent(demo)
    for user, other, question in (
        ("nadia", "tom", "What is Nadia allergic to?"),
        ("tom", "nadia", "When does Tom pay?"),
    ):
        own, others = (agent.post("context", {"query": question, "user": key}).json()["text"] for key in (user, other))
        assert CUSTOMERS[user][0 if user == "nadia" else 1] in own
        assert user.title() not in others


def test_no_page_is_empty(demo: dict[str, Any]) -> None:
    client, slug = Client(), current_workspace(_owner(demo)).slug
    client.force_login(User.objects.get(email=demo["email"]))
    answers = {page: client.get(f"/w/{slug}/{page}") for page in PAGES}

    assert {each.status_code for each in answers.values()} == {200}
    assert [page for page, answer in answers.items() if 'class="empty"' in answer.content.decode()] == []


def test_a_second_run_adds_nothing(demo: dict[str, Any], tmp_path: Path) -> None:
    before = _rows(_owner(demo))

    assert create_demo(tmp_path) == demo
    assert _rows(_owner(demo)) == before


def _rows(caller: Caller) -> dict[str, int]:
    """Return the number of rows of each table of the workspace, in every space."""
    everywhere = caller.in_every_space()
    with workspace_scope(everywhere):
        return {
            model._meta.label: model._default_manager.filter(workspace_id=caller.workspace_id).count()
            for model in apps.get_models()
            if any(field.name == "workspace" for field in model._meta.get_fields())
        }
