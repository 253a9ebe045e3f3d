"""Hundreds of poisoned values through every field that reaches a context: none of them forges a line or a mark."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import Any, cast
from uuid import UUID

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField, JSONField, TextField, Value, functions

from chat.services.prompts import system_prompt
from conversations.models import Conversation, Message
from core.text.prompt_sanitiser import MARKS, flatten, label, quote
from mcp_server.tools.contexts import assemble
from memory.models import EpisodeStatement, Memory, MemoryEpisode, UserMemory
from memory.recall.prompt_format import message_lines
from memory.recall.provenance import message_provenance
from memory.recall.schemas import ContextInput
from ontology.models import Connection, Node
from telemetry.models import Pattern
from telemetry.patterns.services.warning_injection import render_warning
from tests.cast import Cast, Household, RestClient
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, model_server
from tests.memory.poison import ANY_MARK, HEADINGS, INVISIBLE, LINES, POISONED, STORABLE, forgeries
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key
from workspaces.settings.services import set_memory_enabled

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
# The text columns that reach a context, which the corpus below goes through. Those of any other reach none.
SHOWN = {
    Node: {"type", "name", "body", "provenance", "properties"},  # the properties as the body
    Connection: {"name"},
    Memory: {"source", "author", "author_kind", "edited_by", "edited_by_kind"},
    MemoryEpisode: {"summary"},
    EpisodeStatement: {"text", "speaker"},
    UserMemory: {"content", "updated_by", "updated_by_kind"},
    Message: {"role", "name", "content", "appended_by", "appended_by_kind"},
    Pattern: {
        "action_type",
        "node_type",
        "error_code",
        "recommendation",
        "annotation",
        "annotated_by",
        "annotated_by_kind",
    },
}
# By which a context finds its rows.
LOOKED_UP = {UserMemory: {"user"}}
CANARY = "canary_"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        yield running


@pytest.fixture
def household(cast: Cast) -> Household:
    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    cast.acme.rest().put("settings", {"memory": {"recall_messages": "spaces", "min_confidence": 0}})
    return cast.acme


def context_of(rest: RestClient, **wanted: Any) -> dict[str, Any]:
    answer = rest.post("context", {"query": "refund policy", "token_budget": 200_000, **wanted})
    assert answer.status_code == 200, answer.content
    return json_of(answer)


def json_of(answer: Any) -> dict[str, Any]:
    return cast(dict[str, Any], answer.json())


def in_parts(values: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (values[start : start + size] for start in range(0, len(values), size))


def assert_taken_or_refused(answer: Any) -> None:
    assert answer.status_code in {200, 201, 413, 422}, answer.content


def test_the_corpus_has_two_hundred_values() -> None:
    assert len(POISONED) >= 200


def test_a_text_column_that_is_not_in_the_corpus_reaches_no_context(household: Household) -> None:
    rest, (nodes, _) = household.rest(), poisoned_rows(household)
    rest.post("conversations/desk/messages", {"messages": [{"role": "user", "content": "Refund?"}] * 25})

    with workspace_scope(household.caller):
        for model in SHOWN:
            values = {column.name: canary(column) for column in other_columns(model)}
            model.objects.filter(workspace_id=household.workspace.id).update(**values)

    context = context_of(rest, node_ids=nodes, conversation="desk", user="u1")
    assert {"episodes", "profile", "facts", "nodes", "messages"} <= {block["name"] for block in context["blocks"]}
    assert set(re.findall(rf"{CANARY}\w+", json.dumps(context))) == set(), "Put these into SHOWN."


def canary(column: Any) -> Any:
    """A value that names its column; each row has one of its own."""
    mark = f"{CANARY}{column.name}"
    if isinstance(column, JSONField):
        return {mark: mark}
    if isinstance(column, ArrayField):
        return [mark]
    text = functions.Concat(Value(f"{mark} "), functions.Cast("pk", CharField()))
    return functions.Left(text, column.max_length or 1_000)


def other_columns(model: type[Any]) -> Iterator[Any]:
    """The columns of free text that are not in the corpus."""
    known = SHOWN[model] | LOOKED_UP.get(model, set())
    for column in model._meta.concrete_fields:
        kind = column.base_field if isinstance(column, ArrayField) else column
        is_text = isinstance(kind, CharField | TextField | JSONField) and not (kind.choices or column.generated)
        if is_text and column.name not in known:
            yield column


@pytest.mark.parametrize("value", POISONED)
def test_a_flattened_value_is_one_visible_line_without_marks(value: str) -> None:
    for shown in (flatten(value), label(value), *quote(value).split("\n")):
        assert len(shown.splitlines()) <= 1
        assert not INVISIBLE.search(shown)
        assert not ANY_MARK.search(shown)
    assert not set('()[]{}<>"“”:|`') & set(label(value))
    assert {"mem", "node", "msg", "ep"} <= MARKS


def test_what_comes_through_the_doors_forges_nothing(household: Household) -> None:
    rest = household.rest()
    rows: list[dict[str, Any]] = [{"type": value, "name": "Refund"} for value in POISONED]
    rows += [{"type": "policy", "name": value} for value in POISONED]
    rows += [{"type": "policy", "name": "Refund", "properties": {value[:50]: [value]}} for value in POISONED]
    lines = json_of(rest.raw("POST", "ontology/nodes/bulk", as_lines(rows), "application/x-ndjson"))["results"]
    nodes = [line["id"] for line in lines if line.get("id")]
    assert len(nodes) > len(POISONED), "Many a value is harmless in a name or a property."
    for value in POISONED:
        assert_taken_or_refused(rest.post("memories", {"content": value, "kind": "fact"}))
    people = [{"content": f"# {value[:40]}\n{value[:700]}"} for value in POISONED]
    for number, body in enumerate(people):
        assert_taken_or_refused(rest.put(f"users/u{number % 8}/memory", body))

    for number, part in enumerate(in_parts(nodes, 100)):
        context = context_of(rest, node_ids=list(part), user=f"u{number % 8}")
        assert forgeries(context["text"], context["blocks"]) == []
        assert context["left_out"] == []


def test_messages_of_an_import_forge_nothing(household: Household) -> None:
    rest = household.rest()
    said = [{"role": "user", "content": value} for value in POISONED]
    said += [{"role": "user", "content": f"The refund {place}.", "name": value} for place, value in enumerate(POISONED)]
    rows = [
        {
            **one,
            "item": "message",
            "key": str(place),
            "conversation": "desk",
            "created_at": f"2023-05-08T10:{place // 60:02}:{place % 60:02}Z",
        }
        for place, one in enumerate(said)
    ]
    answer = rest.raw("POST", "import/items", as_lines(rows), "application/x-ndjson")
    assert answer.status_code == 200, answer.content
    rest.post("conversations/desk/messages", {"messages": [{"role": "user", "content": "Then."}] * 25})

    with workspace_scope(household.caller):
        kept = list(Message.objects.filter(workspace_id=household.workspace.id))
    for place in range(0, len(POISONED), 20):
        context = context_of(rest, query=f"refund {place}", conversation="desk")
        assert forgeries(context["text"], context["blocks"]) == []
    assert len(kept) > len(POISONED)
    for message, name in zip(kept, cycle(POISONED), strict=False):
        by = message_provenance(appended_by=name, appended_by_kind="api_key")
        lines = message_lines(message, by, is_of_one=False)
        assert all(len(line.splitlines()) == 1 for line in lines)
        assert re.match(LINES["messages"], lines[0])
        assert re.match(LINES["messages"], lines[1])


def test_rows_that_are_there_already_forge_nothing(household: Household, server: ModelServer) -> None:
    """What the doors refuse now may be in the tables: rendering alone has to hold."""
    rest, desk = household.rest(), poisoned_rows(household)
    choose(household, server)

    for number, value in enumerate(STORABLE[::12]):
        context = context_of(rest, node_ids=desk[number % 2], conversation="desk", user=f"u{number}")
        assert forgeries(context["text"], context["blocks"]) == [], value
        assert {"episodes", "profile", "facts", "nodes"} <= {block["name"] for block in context["blocks"]}
    named: list[Any] = desk[0]
    body = ContextInput(query="refund", node_ids=named, conversation="desk", token_budget=200_000)
    shown = assemble(household.caller, body=body).as_json()
    assert forgeries(shown["text"], shown["blocks"]) == []
    assert rest.post("chat", {"conversation": "desk", "message": "Refund?", "token_budget": 50_000}).status_code == 200
    system, *_, turn = server.seen[-1].body["messages"]
    opening, *material = turn["content"].split("\n")
    assert (system["content"].count("\n"), turn["role"]) == (system_lines(), "user")
    assert material[-1] == "Refund?"
    assert [line for line in material if line.startswith(("<material", "</material"))] == [f"</{opening[1:]}"]
    assert sum(line in HEADINGS.values() for line in material) == len({*material} & {*HEADINGS.values()})


def test_patterns_are_one_line_each(household: Household) -> None:
    poisoned_rows(household)
    with workspace_scope(household.caller):
        patterns = list(Pattern.objects.filter(workspace_id=household.workspace.id))

    for pattern in patterns:
        heading, *lines = render_warning([pattern]).split("\n")
        assert (heading, len(lines)) == (HEADINGS["patterns"], 1)
        assert 'Note by agent key "' in lines[0]
        assert not INVISIBLE.search(lines[0])


def test_the_name_of_a_key_forges_no_provenance(household: Household) -> None:
    for place, value in enumerate(STORABLE[::8]):
        name = flatten(value)[:120].strip() or "key"
        secret = create_key(caller=household.caller, name=name, scopes=[Right.READ, Right.WRITE]).secret
        rest = RestClient(household.workspace.id, secret)
        rest.remembered(f"Refund policy number {place} is strict.")

    context = context_of(household.rest())

    assert forgeries(context["text"], context["blocks"]) == []


def as_lines(rows: Sequence[dict[str, Any]]) -> str:
    return "\n".join(json.dumps(row) for row in rows)


def system_lines() -> int:
    return system_prompt().count("\n")


def poisoned_rows(household: Household) -> tuple[list[str], list[str]]:
    """Rows with every storable value in every column that a context shows; two hundred nodes to name."""
    ws = household.workspace.id
    with workspace_scope(household.caller):
        connections = Connection.objects.bulk_create(
            Connection(workspace_id=ws, name=f"{value[:190]}{place}") for place, value in enumerate(STORABLE)
        )
        nodes = Node.objects.bulk_create(
            Node(
                workspace_id=ws,
                type=(f"type{place % 3}" if place % 4 else value[:64]),
                name=value[:300],
                body=f"{value[:2_000]}\n{value[:2_000]}",
                connection=connection if place % 2 else None,
                provenance={"source": value, "by": value} if place % 3 else {"edited": {"by": value, "by_kind": value}},
            )
            for place, (value, connection) in enumerate(zip(STORABLE, connections, strict=True))
        )
        facts = Node.objects.bulk_create(
            Node(workspace_id=ws, type="fact", body=f"Refund {place} {value[:2_000]}")
            for place, value in enumerate(STORABLE)
        )
        Memory.objects.bulk_create(
            Memory(
                workspace_id=ws,
                node=fact,
                source="agent",
                author=value[:200],
                author_kind="api_key",
                edited_by=value[:200] if place % 2 else "",
                edited_by_kind=value[:10] if place % 2 else "",
            )
            for place, (fact, value) in enumerate(zip(facts, STORABLE, strict=True))
        )
        _add_what_is_not_a_node(ws)
    return [str(node.id) for node in nodes[:100]], [str(node.id) for node in nodes[100:200]]


def _add_what_is_not_a_node(ws: UUID) -> None:
    """Episodes, profiles and patterns, in the open scope."""
    desk = Conversation.objects.create(workspace_id=ws, key="desk")
    MemoryEpisode.objects.bulk_create(
        MemoryEpisode(
            workspace_id=ws,
            conversation=desk,
            summary=value[:2_000],
            source_message_ids=[],
            turn_count=2,
            period_start=LONG_AGO,
            period_end=LONG_AGO + timedelta(minutes=place),
        )
        for place, value in enumerate(STORABLE[-5:] + STORABLE[:3])
    )
    UserMemory.objects.bulk_create(
        UserMemory(workspace_id=ws, user=f"u{place}", content=f"# {value}\n{value}", updated_by=value[:200])
        for place, value in enumerate(STORABLE[::12])
    )
    Pattern.objects.bulk_create(
        Pattern(
            workspace_id=ws,
            action_type=f"{value[:60]}{place}",
            node_type=f"type{place % 3}",
            error_code=value[:64],
            status="promoted",
            support=6,
            attempts=6,
            confidence=1.0,
            recommendation=value[:600],
            annotation=value[:2_000] if flatten(value) else "Wait.",
            annotated_by=value[:200],
            annotated_by_kind="api_key",
        )
        for place, value in enumerate(STORABLE)
    )
