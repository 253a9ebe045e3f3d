"""What tests of a workspace's own embedding model have in common."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import F
from django_q.models import OrmQ

from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import MessageEmbedding, MessageRole
from core.stores import queued_tasks
from llm.embedding import tasks
from llm.embedding.services import model_choice
from llm.embedding.services.backlog import EMBED_TASK
from llm.models import WorkspaceEmbedder, WorkspaceEmbedding
from memory.models import SlotItem
from ontology.models import NodeEmbedding
from tests.cast import Household
from workspaces.access.scope import workspace_scope

OURS = "words-1"
FACTS = ("Tea is ordered on Mondays.", "The oven is cleaned on Fridays.", "Charlie collects stamps.")


def choose_vectors(household: Household, provider: str | None, model: str = OURS, **fields: Any) -> Any:
    chosen = {"provider": provider, **({"model": model} if provider else {}), **fields}
    return household.rest().put("models/embedding", chosen)


def state(household: Household) -> dict[str, Any]:
    return dict(household.rest().get("models/embedding").json())


def run_queue(household: Household, *, turns: int = 40) -> None:
    """Run the tasks of embedding as a worker would, until none waits."""
    ours = {model_choice.CHANGE_TASK: tasks.change_embedder, EMBED_TASK: tasks.embed_workspace}
    tasks.embed_all()
    for _ in range(turns):
        rows = [(row, queued_tasks.read(row.payload)) for row in OrmQ.objects.order_by("lock", "id")]
        mine = [(row, task) for row, task in rows if task.path in ours]
        if not mine:
            return
        row, task = mine[0]
        row.delete()
        ours[task.path](*map(str, task.args))
    raise AssertionError(f"Tasks still wait: {mine}")


def furnish(household: Household) -> None:
    """Something in every table that has vectors."""
    rest = household.rest()
    for fact in FACTS:
        rest.remembered(fact)
    rest.put("slots/semantic/notes", {"value": [{"note": "She keeps a labrador."}]})
    messages = [NewMessage(MessageRole.USER, text) for text in ("Where is the kettle?", "The kettle is in the attic.")]
    append_messages(caller=household.caller, conversation="help-desk", messages=messages)
    run_queue(household)


def vectors(household: Household) -> dict[str, int]:
    """How many vectors there are, by where they are."""
    with workspace_scope(household.caller):
        return {
            "server's": NodeEmbedding.objects.count()
            + MessageEmbedding.objects.count()
            + SlotItem.objects.exclude(vector=None).count(),
            "own": WorkspaceEmbedding.objects.count(),
        }


def found(household: Household, query: str = "oven cleaned", **fields: Any) -> list[str]:
    answer = household.rest().post("memories/search", {"query": query, "mode": "semantic", **fields}).json()
    assert answer["method"] == "semantic", answer
    return [hit["memory"]["content"] for hit in answer["results"]]


def let_time_pass(household: Household) -> None:
    with workspace_scope(household.caller):
        WorkspaceEmbedder.objects.exclude(retry_at=None).update(retry_at=F("retry_at") - timedelta(hours=1))
        assert WorkspaceEmbedder.objects.filter(workspace_id=UUID(str(household.workspace.id))).exists()
