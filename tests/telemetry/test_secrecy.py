"""Nothing that a user or an agent said ends up in telemetry: not an argument, a body, a header or a message."""

from __future__ import annotations

import json
from itertools import count
from typing import Any
from uuid import uuid4

from django.db import connection
from django.test import Client
from psycopg import sql

from config.row_security_policies import tenant_tables
from ontology.nodes_and_edges.services.node_writer import NewNode, create_node
from telemetry.patterns.services.evaluation import evaluate_workspace
from tests.cast import Cast
from tests.telemetry.acting import reported, with_memory_on
from tests.telemetry.test_injecting import known_pattern
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope

MARKERS = 1_000
ROUNDS = 50


class Marks:
    """Strings that appear nowhere else, as they were handed out."""

    def __init__(self) -> None:
        self._numbers = count()
        self._root = uuid4().hex[:8]
        self.made: list[str] = []

    def __call__(self, before: str = "") -> str:
        self.made.append(f"marker{self._root}x{next(self._numbers)}x")
        return f"{before}{self.made[-1]}"


def test_no_table_of_telemetry_holds_anything_that_was_said(cast: Cast) -> None:
    household, mark = with_memory_on(cast.acme), Marks()
    client = Client(raise_request_exception=False)
    known_pattern(household, node_type="customer", action_type="tool_call")
    with workspace_scope(household.caller):
        create_node(caller=household.caller, new=NewNode("customer", name="Anybody at all"))
    for _ in range(ROUNDS):
        _knock(client, cast, mark)
    evaluate_workspace(workspace_id=household.workspace.id)

    assert len(mark.made) >= MARKERS
    with workspace_scope(maintenance_caller(household.workspace.id, "test")):
        rows = {table.name: _texts(table.name) for table in tenant_tables() if table.schema == "agent_memory"}
    assert len(rows["agent_actions"]) > ROUNDS
    assert len(rows["agent_sequences"]) > 0
    assert len(rows["agent_injections"]) > 0
    assert {name for name, texts in rows.items() if any(one in "".join(texts) for one in mark.made)} == set()


def _knock(client: Client, cast: Cast, mark: Marks) -> None:
    """Twenty or more markers, wherever somebody might put one."""
    memory = cast.acme.rest().remembered(mark("Content "), tags=[mark()])["id"]
    calls: list[tuple[str, str, Any]] = [
        ("POST", "memories/search", {"query": mark(), "mode": "keyword"}),
        ("POST", "memories", {"content": mark(), "surprise": mark()}),
        ("PATCH", f"memories/{memory}", {"content": mark()}),
        ("POST", f"memories/{memory}/suppress", {"reason": mark()}),
        ("POST", f"conversations/{mark()}/messages", {"role": "user", "content": mark(), "name": mark()}),
        ("GET", f"conversations/{mark()}/window", None),
        ("GET", f"memories/{mark()}", None),
        ("GET", f"memories?tags={mark()}&{mark()}=1", None),
        ("POST", "context", {"query": mark("Anybody "), "user": mark(), "conversation": mark()}),
        ("POST", "patterns/inject", {"node_ids": [], "action_type": "tool_call", "arguments": mark()}),
        ("POST", "chat", {"conversation": mark(), "message": mark()}),
        ("POST", "runs", {"agent": mark()}),
        ("POST", f"{mark()}/nowhere", {}),
        ("POST", "actions", {"actions": [reported(arguments={"q": mark()}, body=mark())]}),
        ("POST", "actions", {"actions": [reported(outcome="failure", error_code=mark("Refused to tell "))]}),
        ("POST", "actions", {"actions": [reported(tool=mark("book for "))]}),
        ("POST", "actions", {"actions": [reported(outcome="failure", error_code="refused")]}),
        ("POST", "metrics", {"name": "x", "aggregation": "rate", "success_condition": mark("outcome = ")}),
    ]
    for method, path, body in calls:
        client.generic(
            method,
            f"/v1/workspaces/{cast.acme.workspace.id}/{path}",
            "" if body is None else json.dumps(body),
            content_type="application/json",
            headers={"Authorization": f"Bearer {cast.acme.secret}", "User-Agent": mark(), "X-Session": mark()},
        )


def _texts(table: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT to_jsonb(t)::text FROM {} t").format(sql.Identifier("agent_memory", table)))
        return [row[0] for row in cursor.fetchall()]
