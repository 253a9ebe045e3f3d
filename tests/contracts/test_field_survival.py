"""Every field that a door writes comes back as it was given, when it is made and when it is edited; agents and people
reach it through the other doors as well, or a reason says why not."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from click import Command
from django.forms import Form

import mcp_server.tools  # noqa: F401  # fills the registry
from config.openapi.document import operations
from core.http.json_schema import body_schema
from llm.configuration.forms import ProviderForm
from mcp_server.registry import TOOLS
from memory.memories.forms import EditForm, RememberForm
from ontology.connections.forms import ConnectionForm
from ontology.nodes_and_edges.forms import NodeForm
from telemetry.metrics.forms import MetricForm
from tests.cast import Cast
from tests.furnished import furnish
from tests.rules.doors import Door, Visitor, ids_of, rest_doors
from workspace_memory.cli import memories as memory_commands
from workspace_memory.memory_spec import MemorySpec
from workspace_memory.shapes import MemoryChanges, MemoryFields, MessageFields
from workspace_memory.sync.resources import Runs, User
from workspace_memory.sync.session import History
from workspaces.keys.forms import KeyForm

DOORS = {(door.method, door.name): door for door in rest_doors()}


@dataclass(frozen=True)
class Resource:
    """What is made by one door, read by another and edited by a third; `id` is its parameter in their addresses.

    What an answer calls otherwise is in `renamed`; what stands inside of the answer, in `inside`.
    """

    make: tuple[str, str]
    read: str = ""
    edit: tuple[str, str] | None = None
    id: str = ""
    inside: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)


RESOURCES = {
    "memory": Resource(("POST", "api-memories"), "api-memory", ("PATCH", "api-memory"), "memory_id"),
    "node": Resource(("POST", "api-nodes"), "api-node", ("PATCH", "api-node"), "node_id"),
    "edge": Resource(("POST", "api-edges"), "api-edge", ("PATCH", "api-edge"), "edge_id"),
    "type": Resource(("POST", "api-types"), "", ("PATCH", "api-type"), "type_id"),
    "metric": Resource(("POST", "api-metrics"), "", ("PATCH", "api-metric"), "metric_id"),
    "connection": Resource(("POST", "api-connections")),
    "message": Resource(("POST", "api-messages")),
    "run": Resource(("POST", "api-runs"), "api-run", None, "run_id"),
    "key": Resource(("POST", "api-keys")),
    "provider": Resource(("POST", "api-model-providers"), "", ("PUT", "api-model-provider"), "provider_id"),
    "slot": Resource(("PUT", "api-slot"), "api-slot"),
    "user memory": Resource(("PUT", "api-user-memory"), "api-user-memory", ("PATCH", "api-user-memory")),
    "settings": Resource(("PUT", "api-settings"), "api-settings"),
}


def fields_of(door: tuple[str, str]) -> list[str]:
    """The fields of the first body that a door reads."""
    readers = operations()[door].reads
    return list(body_schema(readers[0])["properties"]) if readers else []


def cases(*, edits: bool) -> Iterator[Any]:
    for name, resource in RESOURCES.items():
        door = resource.edit if edits else resource.make
        for one in fields_of(door) if door else ():
            yield pytest.param(name, one, id=f"{name}.{one}")


# What does not come back under its own name, or not as it was sent, and why.
NOT_READ_BACK = {
    "metric.dry_run": "It says what to do; a dry run keeps nothing.",
    "metric.back_fill": "It says what to do once.",
    "provider.api_key": "A secret is never shown again.",
}


@pytest.mark.parametrize(("name", "one"), [*cases(edits=False)])
def test_a_field_that_is_written_is_read_as_it_was_written(cast: Cast, name: str, one: str) -> None:
    visitor, ids = visit(cast)
    resource = RESOURCES[name]
    body = sample(DOORS[resource.make], ids)

    made = visitor.asks(DOORS[resource.make], ids, body)

    assert made.status_code in {200, 201}, made.content
    found = read_back(visitor, resource, ids, made.json())
    if reason := NOT_READ_BACK.get(f"{name}.{one}"):
        assert not is_there(found, one, body[one]), f"It comes back now; take it off the list ({reason})."
    else:
        assert is_there(found, resource.renamed.get(one, one), body[one]), found


@pytest.mark.parametrize(("name", "one"), [*cases(edits=True)])
def test_a_field_can_be_edited_alone_and_is_read_as_it_was_edited(cast: Cast, name: str, one: str) -> None:
    visitor, ids = visit(cast)
    resource = RESOURCES[name]
    assert resource.edit is not None
    made = visitor.asks(DOORS[resource.make], ids, sample(DOORS[resource.make], ids)).json()
    if resource.id:
        ids[resource.id] = made["id"]
    value = other(sample(DOORS[resource.edit], ids)[one], f"{name}.{one}")

    edited = visitor.asks(DOORS[resource.edit], ids, {one: value})

    assert edited.status_code == 200, edited.content
    found = read_back(visitor, resource, ids, edited.json())
    if reason := NOT_READ_BACK.get(f"{name}.{one}"):
        assert not is_there(found, one, value), f"It comes back now; take it off the list ({reason})."
    else:
        assert is_there(found, resource.renamed.get(one, one), value), found


def visit(cast: Cast) -> tuple[Visitor, dict[str, object]]:
    furnish(cast.acme)
    return Visitor(cast.acme.secret), {**ids_of(cast.acme), "user_id": cast.bob.id, "name": "another plan"}


def sample(door: Door, ids: Mapping[str, object]) -> dict[str, Any]:
    """A body with every field of a door."""
    body = door.body(ids)
    missing = set(fields_of((door.method, door.name))) - body.keys()
    assert missing == set(), f"{door} has no example of {missing}."
    return body


def read_back(visitor: Visitor, resource: Resource, ids: dict[str, object], made: dict[str, Any]) -> dict[str, Any]:
    """What the door for reading says of what was made; the answer itself where there is no such door."""
    if resource.id:
        ids[resource.id] = made["id"]
    found = visitor.asks(DOORS["GET", resource.read], ids).json() if resource.read else made
    return dict(found[resource.inside] if resource.inside else found)


# Other values of fields that do not take any.
OTHERS: dict[str, Any] = {
    "metric.event_filter": "action_type = 'llm_call'",
    "metric.success_condition": "outcome = 'success'",
    "metric.aggregation": "average",
    "metric.measure": "action_count",
    "provider.kind": "anthropic",
    "provider.base_url": "http://127.0.0.1:2/v1",
    "provider.api_key": "k-7654321",
    "user memory.sections": {"Current Goals": "Order coffee."},
}


def other(value: Any, name: str) -> Any:
    """Another value that a field takes, of the same kind."""
    if name in OTHERS:
        return OTHERS[name]
    if is_moment(value):
        return f"{value[:-3]}01Z"
    return next(change(value) for kind, change in CHANGES if isinstance(value, kind))


CHANGES: tuple[tuple[type[Any], Callable[[Any], Any]], ...] = (
    (bool, lambda value: not value),
    (int, lambda value: value - 1),
    (float, lambda value: value / 2),
    (list, lambda value: [*value, "another"]),
    (dict, lambda value: {**dict.fromkeys(value, "another"), "more": 1}),
    (str, lambda value: f"{value} again"),
)


def is_moment(value: Any) -> bool:
    return isinstance(value, str) and value.endswith("Z") and "T" in value and value[:4].isdigit()


def is_there(found: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether an answer has the value: the same moment, and of an object at least what was said."""
    if name not in found:
        return False
    got = found[name]
    if is_moment(value) and isinstance(got, str):
        return datetime.fromisoformat(got) == datetime.fromisoformat(value)
    if isinstance(value, dict) and isinstance(got, dict):
        return all(is_there(got, key, one) for key, one in value.items())
    if isinstance(value, list) and isinstance(got, list):
        return sorted(map(str, value)) == sorted(map(str, got))
    return bool(got == value)


def names_of(function: Any) -> frozenset[str]:
    """The arguments of a method of the SDK."""
    return frozenset(inspect.signature(function).parameters)


@dataclass(frozen=True)
class Reach:
    """Where the fields of a resource can be said besides REST."""

    tools: tuple[str, ...] = ()
    sdk: frozenset[str] = frozenset()
    commands: tuple[Command, ...] = ()
    forms: tuple[type[Form], ...] = ()

    def ways(self) -> dict[str, set[str]]:
        """The names that each of the other doors knows."""
        return {
            "MCP": {name for tool in self.tools for name in TOOLS[tool].arguments.fields},
            "SDK": set(self.sdk),
            "CLI": {str(one.name).removesuffix("_value") for command in self.commands for one in command.params},
            "console": {name for form in self.forms for name in form.base_fields},
        }


REACH = {
    "memory": Reach(
        ("memory.remember", "memory.edit"),
        frozenset({"content", *MemoryFields.__annotations__, *MemoryChanges.__annotations__}),
        (memory_commands.remember,),
        (RememberForm, EditForm),
    ),
    "node": Reach(forms=(NodeForm,)),
    "connection": Reach(forms=(ConnectionForm,)),
    "metric": Reach(("memory.metric_create",), forms=(MetricForm,)),
    "key": Reach(forms=(KeyForm,)),
    "provider": Reach(forms=(ProviderForm,)),
    "run": Reach(("run.start",), names_of(Runs.start)),
    "message": Reach(("conversation.append",), names_of(History.append) | MessageFields.__annotations__.keys()),
    "slot": Reach(sdk=frozenset({"value", "ttl_seconds", *names_of(MemorySpec)})),
    "user memory": Reach(sdk=names_of(User.write) | names_of(User.update)),
    "settings": Reach(("workspace.enable_memory",), frozenset({"memory", "models"}), (), ()),
}

_GRAPH = "Agents learn nodes and edges from texts (`ontology.learn`); what is written one by one comes from programs."
_PEOPLE = "What a workspace's people govern is not an agent's to change."
_PROGRAMS = "Programs write it; a person would type it in the console or not at all."
_ELSEWHERE = "Not yet: REST alone."
# Doors that a whole resource does not have, and why.
NO_WAY: dict[tuple[str, str], str] = {
    **{(name, way): _GRAPH for name in ("node", "edge", "connection") for way in ("MCP", "SDK", "CLI")},
    **{("type", way): _GRAPH for way in ("MCP", "SDK", "CLI", "console")},
    ("edge", "console"): "The console shows edges; programs, agents and imports write them.",
    **{(name, way): _PEOPLE for name in ("key", "provider") for way in ("MCP", "SDK", "CLI")},
    **{("metric", way): "Metrics are defined in the console or by an agent." for way in ("SDK", "CLI")},
    **{(name, way): _PROGRAMS for name in ("message", "run", "slot") for way in ("CLI", "console")},
    ("slot", "MCP"): "Slots are the working state of an SDK program.",
    **{("user memory", way): _ELSEWHERE for way in ("MCP", "CLI", "console")},
    ("settings", "MCP"): "An agent turns memory on and off; the rest is its people's.",
    ("settings", "CLI"): "`wsm settings memory.retention_days=30` takes any of them by name.",
    ("settings", "console"): "The settings page has a form for each group.",
}
_ONE_LINE = "The command line takes what a person types in one line; the rest is edited in the console."
# Where a field alone cannot be said, and why.
NOT_REACHED: dict[tuple[str, str, str], str] = {
    ("memory", "MCP", "source"): "What an agent writes is an agent's.",
    ("memory", "MCP", "valid_from"): "An agent says when something expires; a person says from when to when it holds.",
    ("memory", "MCP", "valid_to"): "As `valid_from`.",
    **{("memory", "CLI", one): _ONE_LINE for one in ("confidence", "expires_at", "source", "valid_from", "valid_to")},
    ("memory", "CLI", "kind"): "`--fact`.",
    ("memory", "console", "source"): "What a person writes is a person's.",
    ("node", "console", "connection"): "What a person writes came through no connection.",
    ("metric", "console", "back_fill"): "A new metric is always filled from the actions that are there.",
    ("metric", "console", "dry_run"): "The page has a button that tries a metric.",
    ("message", "MCP", "metadata"): "For programs that keep their own marks.",
    ("metric", "MCP", "description"): "An agent's metric says by its condition what it counts.",
    ("metric", "MCP", "dry_run"): "An agent looks at what it made.",
    ("key", "console", "expires_at"): "The form asks for how long (`lifetime`).",
}


def test_every_field_is_reached_by_every_door_or_a_reason_says_why_not() -> None:
    missing = {}
    for name, resource in RESOURCES.items():
        written = {*fields_of(resource.make), *(fields_of(resource.edit) if resource.edit else ())}
        for way, known in REACH.get(name, Reach()).ways().items():
            for one in sorted(written - known):
                missing[name, way, one] = NO_WAY.get((name, way)) or NOT_REACHED.get((name, way, one), "")

    assert [place for place, reason in missing.items() if not reason] == []
    assert set(NOT_REACHED) - set(missing) == set(), "These are reached now; take them off the list."
