"""A loop of an agent with tools, and its observer, for tests of observations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from conversations.models import BatchState, Message, Observation, ObservationBatch, ObservationCursor
from conversations.observations.tasks import observe_workspace
from core.clock import utc_now
from core.text.tokens import count_tokens
from tests.cast import Household, RestClient
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope

KEY = "loop"
SECRET = "sk_live_51Hq8ZtLkP0aBcDeFgHiJkLm"
PAYLOAD = "payload-marker"


def loop_messages(count: int, *, start: int = 0, begin: datetime | None = None) -> list[dict[str, Any]]:
    """Turns of a loop: a user's wish, an assistant's step, what a tool returned; some three hundred tokens each."""
    first = begin or utc_now() - timedelta(hours=6)
    return [
        {**_turn(start + n), "created_at": (first + timedelta(seconds=start + n)).isoformat()} for n in range(count)
    ]


def _turn(number: int) -> dict[str, Any]:
    if number % 9 == 0:
        wish = f"Never deploy order service {number} on a Friday. Please move the reports of branch {number} to Graz."
        return {"role": "user", "content": wish}
    if number % 3 != 2:
        step = f"I fixed the login of branch {number}; the root cause was an expired certificate from 2024."
        return {"role": "assistant", "content": f"{step}\n\n```python\nprint('{PAYLOAD}', {number})\n```"}
    rows = [{"id": f"row-{number}-{row}", "status": "ok", "note": f"{PAYLOAD} {row * 37}"} for row in range(14)]
    content = '{"error": "HTTP 401", "detail": "payload-marker"}' if number % 21 == 2 else json.dumps({"rows": rows})
    return {"role": "tool", "name": "search_orders", "content": content}


def say(client: RestClient, messages: list[dict[str, Any]], key: str = KEY) -> None:
    answer = client.post(f"conversations/{key}/messages", {"messages": messages})
    assert answer.status_code == 201, answer.content


def set_tokens(client: RestClient, observe: int = 2_000, **others: int) -> None:
    chosen = {"enabled": True, "observe_tokens": observe, "recent_messages": 5, **others}
    assert client.put("settings", {"memory": chosen}).status_code == 200


def observe(household: Household) -> int:
    """Do what the worker does when it is nudged, until nothing is left."""
    made = 0
    while batches := observe_workspace(str(household.workspace.id)):
        made += batches
    return made


def window(client: RestClient, key: str = KEY, **query: Any) -> dict[str, Any]:
    answer = client.get(f"conversations/{key}/window", **query)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def prompt(client: RestClient) -> str:
    """What an agent makes of a window: the observations, and the messages behind them."""
    shown = window(client)
    lines = [f"{one['role']}: {one['content']}" for one in shown["raw"]["messages"]]
    return "\n".join([shown["observations"]["text"], *lines])


def batches(household: Household) -> list[ObservationBatch]:
    with workspace_scope(maintenance_caller(household.workspace.id, "test")):
        found = ObservationBatch.objects.filter(workspace_id=household.workspace.id)
        return list(found.order_by("conversation", "number"))


def observations(household: Household) -> list[Observation]:
    with workspace_scope(maintenance_caller(household.workspace.id, "test")):
        found = Observation.objects.filter(workspace_id=household.workspace.id).select_related("batch")
        return list(found.order_by("conversation", "batch__number", "position"))


def assert_consistent(household: Household) -> None:
    """Raise where a message is in two batches or none that says so, or where cursors and rows disagree."""
    with workspace_scope(maintenance_caller(household.workspace.id, "test")):
        marked = dict(
            Message.objects.filter(workspace_id=household.workspace.id).values_list("id", "observation_batch_id")
        )
        cursors = list(ObservationCursor.objects.filter(workspace_id=household.workspace.id))
    sources: dict[Any, Any] = {}
    for batch in batches(household):
        assert not sources.keys() & set(batch.source_message_ids), "A message was observed twice."
        sources |= dict.fromkeys(batch.source_message_ids, batch.id)
        assert len(batch.source_message_ids) == batch.message_count
    assert {identity: batch for identity, batch in marked.items() if batch} == {
        identity: batch for identity, batch in sources.items() if identity in marked
    }
    for cursor in cursors:
        own = [batch for batch in batches(household) if batch.conversation_id == cursor.conversation_id]
        buffered = [batch.source_tokens for batch in own if batch.state == BatchState.BUFFERED]
        assert cursor.buffered_tokens == sum(buffered)
        active = [one for one in observations(household) if one.batch.state == BatchState.ACTIVE]
        shown = [one.tokens for one in active if one.conversation_id == cursor.conversation_id]
        assert cursor.observation_tokens == sum(shown)


def raw_prefixes(texts: list[str]) -> Iterator[bool]:
    """Yield whether each text begins with the one before it."""
    for before, after in pairwise(texts):
        yield after.encode().startswith(before.encode())


def tokens_of(shown: dict[str, Any]) -> int:
    """What observations and messages of a window take together."""
    return count_tokens(shown["observations"]["text"]) + sum(
        count_tokens(m["content"]) for m in shown["raw"]["messages"]
    )
