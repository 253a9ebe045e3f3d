"""Every field that a door writes comes back as it was given, when it is made and when it is edited; agents and people
reach it through the other doors as well, or a reason says why not."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from click import Command
from django.forms import Form

import mcp_server.tools  # noqa: F401  # fills the registry
from llm.configuration.forms import ProviderForm
from mcp_server.registry import TOOLS
from memory.memories.forms import EditForm, RememberForm
from memory.memories.schemas import MemoryInput, MemoryResponse
from memory.working_memory.forms import AboutYouForm
from ontology.connections.forms import ConnectionForm
from ontology.nodes_and_edges.forms import NodeForm
from telemetry.metrics.forms import MetricForm
from tests.cast import Cast
from tests.contracts.resources import DOORS, RESOURCES, fields_of, is_there, other, read_back, sample, visit
from workspace_memory.cli import memories as memory_commands
from workspace_memory.memory_spec import MemorySpec
from workspace_memory.request_fields import IterationFields, MemoryChanges, MemoryFields, MessageFields
from workspace_memory.sync.conversation_session import History
from workspace_memory.sync.plans import Plans
from workspace_memory.sync.resources import Runs, User
from workspaces.keys.forms import KeyForm


@pytest.fixture
def cast(furnished_cast: Cast, db: None) -> Cast:
    """A cast whose workspaces have something in every table."""
    return furnished_cast


# Fields that say when an edit is taken, and edit nothing alone.
CONDITIONS = {"user memory.version"}


def cases(*, edits: bool) -> Iterator[Any]:
    for name, resource in RESOURCES.items():
        door = resource.edit if edits else resource.make
        for one in fields_of(door) if door else ():
            if edits and f"{name}.{one}" in CONDITIONS:
                continue
            yield pytest.param(name, one, id=f"{name}.{one}")


# What does not come back under its own name, or not as it was sent, and why.
NOT_READ_BACK = {
    "metric.dry_run": "It says what to do; a dry run keeps nothing.",
    "metric.back_fill": "It says what to do once.",
    "plan.version": "It names the plan that was read; the answer has the next number.",
    "provider.api_key": "A secret is never shown again.",
    "user memory.version": "It names what was read; the answer has that of what is kept now.",
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


# What a memory answers and no body says, and why.
NOT_WRITTEN: dict[str, str] = {
    "id created_at updated_at author origin_id origin_space pending_embedding": "The server knows it.",
    "pinned pinned_by pinned_at suppressed suppressed_by suppressed_at suppressed_reason": "Verbs of their own do it.",
    "is_deleted superseded_by superseded_at weight manual_weight": "Verbs of their own do it.",
    "times_referenced independent_references last_referenced_at": "It is counted.",
}


def test_every_field_that_a_memory_answers_can_be_written_or_a_reason_says_why_not() -> None:
    kept = {name for names in NOT_WRITTEN for name in names.split()}

    assert MemoryResponse.model_fields.keys() - MemoryInput.model_fields.keys() == kept


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
    "plan": Reach(("plan.update",), names_of(Plans.update)),
    "iteration": Reach(("iteration.log",), frozenset({"action", *IterationFields.__annotations__})),
    "slot": Reach(sdk=frozenset({"value", "ttl_seconds", *names_of(MemorySpec)})),
    "user memory": Reach(("user_memory.update",), names_of(User.write) | names_of(User.update), forms=(AboutYouForm,)),
    "settings": Reach(("workspace.enable_memory",), frozenset({"memory", "models", "retention"}), (), ()),
}

_GRAPH = "Agents learn nodes and edges from texts (`ontology.learn`); what is written one by one comes from programs."
_PEOPLE = "What a workspace's people govern is not an agent's to change."
_PROGRAMS = "Programs write it; a person would type it in the console or not at all."
# Doors that a whole resource does not have, and why.
NO_WAY: dict[tuple[str, str], str] = {
    **{(name, way): _GRAPH for name in ("node", "edge", "connection") for way in ("MCP", "SDK", "CLI")},
    **{("type", way): _GRAPH for way in ("MCP", "SDK", "CLI", "console")},
    ("edge", "console"): "The console shows edges; programs, agents and imports write them.",
    **{(name, way): _PEOPLE for name in ("key", "provider") for way in ("MCP", "SDK", "CLI")},
    **{("metric", way): "Metrics are defined in the console or by an agent." for way in ("SDK", "CLI")},
    **{(name, way): _PROGRAMS for name in ("message", "run", "slot") for way in ("CLI", "console")},
    **{
        (name, way): "Agents write them; people read them."
        for name in ("plan", "iteration")
        for way in ("CLI", "console")
    },
    ("slot", "MCP"): "Slots are the working state of an SDK program.",
    ("user memory", "CLI"): "Agents write it over REST, MCP and the SDK, people on its page.",
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
    ("user memory", "MCP", "sections"): "One `section` at a time.",
    ("user memory", "console", "sections"): "A person edits the page as a whole.",
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
