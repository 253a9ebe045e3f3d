"""Every door has its layer in the view of live events: a new one is held to it without being named here."""

from __future__ import annotations

import re
from uuid import UUID

import pytest

import mcp_server.tools  # noqa: F401  # fills the registry
from mcp_server.registry import TOOLS
from mcp_server.resources import RESOURCES
from telemetry.live.layers import LAYERS, SUBJECTS, TOOL_SUBJECTS, Subject, find_subject, find_tool_subject
from telemetry.live.live_event import EventFilter, LiveActor, LiveEvent, StoredEvent, short_ids
from telemetry.live.services.calls import UNSEEN
from tests.console_addresses import CONSOLE
from tests.rules.doors import rest_doors
from tests.rules.test_every_page import PAGES

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
REST = "/v1/workspaces/<str:ws>/"
# About the server or a person, or the end of the workspace and of its ring.
OUTSIDE = {"api-workspaces", "api-workspace", "api-erasure", "api-conversation-by-id"}
OUTSIDE |= {"api-proxy-chat", "api-proxy-models"}


def _path(template: str, prefix: str) -> str:
    return _PARAMETER.sub(r"{\1}", template.removeprefix(prefix)).strip("/")


@pytest.mark.parametrize("door", [door for door in rest_doors() if door.name not in OUTSIDE], ids=str)
def test_every_rest_door_has_its_layer(door: object) -> None:
    path = _path(door.template, REST)  # type: ignore[attr-defined]
    assert path in UNSEEN or find_subject(path) is not None, "Teach telemetry/live/layers.py what this is about."


@pytest.mark.parametrize("name", [*TOOLS, *(f"memory.{one.read.__name__}" for one in RESOURCES)])
def test_every_tool_and_resource_has_its_layer(name: str) -> None:
    assert find_tool_subject(name) is not None


@pytest.mark.parametrize("route", [route for route in PAGES if route != CONSOLE])
def test_every_page_has_its_layer(route: str) -> None:
    path = _path(route, CONSOLE)
    assert path in UNSEEN or find_subject(path) is not None, "Teach telemetry/live/layers.py what this is about."


def test_every_layer_is_reached_by_a_door() -> None:
    reached = {find_subject(_path(door.template, REST)) for door in rest_doors()}
    assert {subject.layer for subject in reached if subject} | {"chat"} == {*LAYERS}
    assert {subject.layer for subject in (*SUBJECTS.values(), *TOOL_SUBJECTS.values())} <= {*LAYERS}


@pytest.mark.parametrize(
    ("path", "subject"),
    [
        ("memories/search", Subject("memories", "memory")),
        ("memories/{memory_id}/promote", Subject("memories", "memory")),
        ("conversations/{conversation}/messages", Subject("conversations", "message")),
        ("conversations/{conversation}/memories", Subject("memories", "")),
        ("conversations/{conversation}/iterations/{task_key}/briefing", Subject("plans", "")),
        ("ontology/edges/{edge_id}", Subject("ontology", "edge")),
        ("ontology/nodes/{node_id}/actions", Subject("telemetry", "action")),
        ("memory/enable", Subject("workspace")),
        ("users/{user}/memory", Subject("working_memory")),
        ("slots/{tier}/{name}/search", Subject("working_memory")),
        ("context", Subject("contexts", "receipt")),
        ("spaces/{space}", Subject("transfer")),
        ("nothing/known", None),
    ],
)
def test_what_an_address_is_about(path: str, subject: Subject | None) -> None:
    assert find_subject(path) == subject


def _event(**fields: object) -> LiveEvent:
    return LiveEvent(
        **{
            "at": "2026-01-01T00:00:00Z",
            "verb": "read",
            "layer": "memories",
            "action": "GET memories",
            "door": "rest",
            "actor": LiveActor("api_key", "k-1", "clerk"),
            "spaces": ("a", "b"),
            **fields,
        }  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("spaces", "sees_workspace", "narrow", "event", "passes"),
    [
        ({"a", "b"}, False, {}, {}, True),
        ({"a"}, False, {}, {}, False),  # it read another space as well
        ({"a"}, False, {}, {"spaces": ("a",)}, True),
        ({"a", "b"}, False, {}, {"needs_admin": True}, False),
        ({"a", "b"}, True, {}, {"needs_admin": True}, True),
        ({"a", "b"}, False, {"verb": "read"}, {}, True),
        ({"a", "b"}, False, {"verb": "write"}, {}, False),
        ({"a", "b"}, False, {"layer": "ontology"}, {}, False),
        ({"a", "b"}, False, {"actor": "clerk"}, {}, True),
        ({"a", "b"}, False, {"actor": "k-1"}, {}, True),
        ({"a", "b"}, False, {"actor": "other"}, {}, False),
        ({"a", "b"}, False, {"outcome": "failure"}, {}, False),
    ],
)
def test_a_viewer_gets_what_it_may_read_and_asked_for(
    spaces: set[str], sees_workspace: bool, narrow: dict[str, str], event: dict[str, object], passes: bool
) -> None:
    assert EventFilter(frozenset(spaces), sees_workspace, narrow).passes(_event(**event)) is passes


def test_an_event_survives_the_ring_and_one_of_another_version_does_not() -> None:
    event = _event(ids=("x",), milliseconds=1.5)
    assert StoredEvent.parse("1-0", event.as_text()) == StoredEvent("1-0", event)
    assert StoredEvent.parse("1-0", '{"at": "x"}') is None
    assert StoredEvent.parse("1-0", "no json") is None


def test_only_ids_are_kept_and_not_many() -> None:
    known = "01a20b94-a7c8-756e-ba59-643d14dba477"
    assert short_ids([known, known, "a secret plan", None, 7]) == (known,)
    assert len(short_ids(UUID(int=number) for number in range(50))) == 20
