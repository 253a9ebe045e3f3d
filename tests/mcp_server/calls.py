"""A call of every tool of the MCP door, in an order in which each of them succeeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.client.client import Client
from mcp_types import CallToolResult

from memory.memories.proposals.services import propose_memory
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import Memory, Run
from ontology.models import GOVERNED_TYPES, Node
from telemetry.models import Metric, Pattern
from tests.cast import Household
from tests.furnished import some_row
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces

CONVERSATION = "chat-1"
# What the arguments in angle brackets stand for is known when the test runs.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("workspace.memory_status", {}),
    ("workspace.disable_memory", {}),
    ("workspace.enable_memory", {}),
    ("memory.remember", {"content": "The kiln is fired on Thursdays.", "tags": ["kiln"], "importance": 0.8}),
    ("memory.recall", {"query": "when is the kiln fired?", "limit": 3, "mode": "hybrid", "kinds": ["memory"]}),
    ("memory.get", {"memory_id": "<memory>"}),
    ("memory.list", {"limit": 5, "pinned": False}),
    ("memory.edit", {"memory_id": "<memory>", "content": "Tea is ordered on Tuesdays."}),
    ("memory.promote", {"memory_id": "<memory>"}),
    ("memory.demote", {"memory_id": "<memory>"}),
    ("memory.pin", {"memory_id": "<memory>"}),
    ("memory.unpin", {"memory_id": "<memory>"}),
    ("memory.suppress", {"memory_id": "<memory>", "reason": "in doubt"}),
    ("memory.unsuppress", {"memory_id": "<memory>"}),
    ("memory.forget", {"memory_id": "<memory>"}),
    ("memory.restore", {"memory_id": "<memory>"}),
    ("memory.close", {"memory_id": "<memory>"}),
    ("memory.reopen", {"memory_id": "<memory>"}),
    ("memory.propose", {"memory_id": "<personal>", "user": "ana"}),
    ("memory.withdraw", {"proposal_id": "<proposal>", "user": "ana"}),
    ("user_memory.get", {"user": "ana"}),
    ("user_memory.update", {"user": "ana", "section": "Current Goals", "content": "- **Active project/task**: rye"}),
    ("conversation.append", {"conversation": CONVERSATION, "role": "user", "content": "Is the kiln hot?"}),
    ("memory.add", {"messages": [{"role": "user", "content": "It is cold."}], "conversation": CONVERSATION}),
    ("conversation.last", {"conversation": CONVERSATION, "limit": 1}),
    ("conversation.search", {"query": "kiln", "conversation": CONVERSATION}),
    ("plan.update", {"conversation": CONVERSATION, "goal": "The kiln is hot.", "steps": [{"title": "Light it"}]}),
    ("plan.get", {"conversation": CONVERSATION}),
    ("iteration.log", {"conversation": CONVERSATION, "task_key": "light", "action": "Lit it.", "error": "No gas."}),
    ("iteration.list", {"conversation": CONVERSATION, "task_key": "light", "limit": 5}),
    ("iteration.briefing", {"conversation": CONVERSATION, "task_key": "light", "token_budget": 500}),
    ("conversation.end", {"conversation": CONVERSATION}),
    ("context.assemble", {"query": "tea", "node_ids": ["<node>"], "token_budget": 500}),
    ("run.start", {"agent": "potter"}),
    ("run.finish", {"run_id": "<run>", "output": "Tea, see [mem:<memory>]."}),
    ("ontology.learn", {"text": "Dana works at the Pottery in Lisbon."}),
    ("ontology.search", {"query": "Dana", "types": ["person"]}),
    ("ontology.neighbours", {"node_id": "<node>", "depth": 2}),
    ("ontology.ask", {"question": "Where does Dana work?"}),
    ("memory.search", {"kind": "both", "limit": 200}),
    ("memory.context", {"query": "ordering tea"}),
    ("memory.context_inject", {"node_ids": ["<node>"], "action_type": "tool_call"}),
    ("memory.annotate", {"pattern_id": "<pattern>", "annotation": "Known."}),
    ("memory.metric_create", {"name": "<metric name>", "aggregation": "rate", "success_condition": "action_count < 5"}),
    ("memory.metric_list", {}),
    ("memory.metric_delete", {"name": "<metric name>"}),
    ("memory.benchmark_get", {"metric": "<metric>"}),
]


def ids_in(household: Household) -> dict[str, str]:
    """What the brackets stand for in a furnished workspace."""
    caller = household.caller
    of_user = caller.naming(NamedSpaces(user="ana"))
    personal = remember(caller=of_user, new=NewMemory("Ana orders rye on Mondays.")).memory
    offered = remember(caller=of_user, new=NewMemory("Ana orders spelt on Fridays.")).memory
    proposed = propose_memory(caller=of_user, memory_id=offered.pk).proposal
    with workspace_scope(caller):
        live = Memory.objects.filter(node__is_deleted=False).first()
        assert live
        plain = Node.objects.live().exclude(type__in=GOVERNED_TYPES).order_by("id")[0]
        return {
            "<memory>": str(live.pk),
            "<personal>": str(personal.pk),
            "<proposal>": str(proposed.pk),
            "<node>": str(plain.pk),
            "<run>": str(Run.objects.filter(status="running")[0].pk),
            "<pattern>": str(some_row(Pattern, caller).pk),
            "<metric>": str(some_row(Metric, caller).pk),
        }


def filled(arguments: Any, ids: dict[str, str]) -> Any:
    """The arguments with ids in place of the brackets."""
    if isinstance(arguments, dict):
        return {name: filled(value, ids) for name, value in arguments.items()}
    if isinstance(arguments, list):
        return [filled(value, ids) for value in arguments]
    for name, value in ids.items():
        arguments = arguments.replace(name, value) if isinstance(arguments, str) else arguments
    return arguments


async def called_all(
    client: Client, ids: dict[str, str], *, named: Callable[[str], str] = str
) -> dict[str, CallToolResult]:
    """The answer of each tool, called under the name that `named` makes of its own."""
    return {
        name: await client.call_tool(named(name), filled(arguments, {**ids, "<metric name>": f"by {named('a.b')}"}))
        for name, arguments in CALLS
    }
