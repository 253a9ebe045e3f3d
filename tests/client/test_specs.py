"""What an agent may declare about its slots, and what is refused with which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from workspace_memory import (
    InMemory,
    InvalidValueError,
    MemorySpec,
    SpecError,
    WorkspaceMemoryError,
    conversation_memory,
    load_specs,
    scratchpad,
    semantic_memory,
)
from workspace_memory.memory_spec import seconds_of


class Note(BaseModel):
    """A schema."""

    summary: str


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (scratchpad(), ("working", ("tenant_id", "run_id"), "dict", 3_600, True, False)),
        (
            conversation_memory(scope="user_id", ttl="30d"),
            ("episodic", ("tenant_id", "user_id"), "list", 2_592_000, False, False),
        ),
        (
            semantic_memory(scope=["user_id", "portfolio_id"]),
            ("semantic", ("tenant_id", "user_id", "portfolio_id"), "list", None, False, True),
        ),
        (MemorySpec(tier="session"), ("session", ("tenant_id",), "dict", 86_400, False, False)),
    ],
)
def test_what_the_constructors_declare(spec: MemorySpec, expected: tuple[Any, ...]) -> None:
    declared = (spec.tier, spec.dimensions, spec.type, spec.ttl_seconds, spec.auto_capture, spec.searchable)
    assert declared == expected


@pytest.mark.parametrize(
    "scope", ["user_id", ["user_id"], ["user_id", "tenant_id"], ["tenant_id", "user_id", "user_id"]]
)
def test_the_tenant_is_always_the_first_scope(scope: Any) -> None:
    spec = MemorySpec(tier="session", scope=scope)

    assert spec.dimensions == ("tenant_id", "user_id")
    assert spec.scope_of(tenant="acme", values={"user_id": "u", "tenant_id": "umbrella", "other": "x"}) == (
        ("tenant_id", "acme"),
        ("user_id", "u"),
    )


def test_a_scope_without_a_value_is_refused() -> None:
    with pytest.raises(SpecError, match="user_id"):
        MemorySpec(tier="session", scope="user_id").scope_of(tenant="acme", values={"user_id": ""})


@pytest.mark.parametrize(
    ("ttl", "seconds"), [(90, 90), ("30s", 30), ("15m", 900), ("1h", 3_600), ("30d", 2_592_000), ("2w", 1_209_600)]
)
def test_durations(ttl: str | int, seconds: int) -> None:
    assert seconds_of(ttl) == seconds


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"tier": "forever"}, "tier"),
        ({"tier": "session", "type": "set"}, "type"),
        ({"tier": "session", "ttl": "soon"}, "ttl"),
        ({"tier": "session", "ttl": 0}, "ttl"),
        ({"tier": "session", "ttl": True}, "ttl"),
        ({"tier": "session", "scope": ["user id"]}, "scope"),
        ({"tier": "session", "auto_capture": True}, "auto_capture"),
        ({"tier": "working", "searchable": True}, "searchable"),
        ({"tier": "session", "max_items": 5}, "max_items"),
        ({"tier": "session", "type": "list", "max_items": 0}, "max_items"),
        ({"tier": "session", "max_size_mb": -1}, "max_size_mb"),
        ({"tier": "session", "schema_version": 0}, "schema_version"),
        ({"tier": "working", "reference_syntax": " "}, "reference_syntax"),
        ({"tier": "working", "reference_syntax": None}, "reference_syntax"),
        ({"tier": None}, "tier"),
        ({"tier": ["session"]}, "tier"),
        ({"tier": "session", "type": []}, "type"),
        ({"tier": "session", "scope": None}, "scope"),
        ({"tier": "session", "scope": 5}, "scope"),
        ({"tier": "session", "scope": [["user_id"]]}, "scope"),
        ({"tier": "session", "ttl": "9" * 5_000 + "s"}, "ttl"),
        ({"tier": "session", "ttl": [1]}, "ttl"),
        ({"tier": "working", "auto_capture": "yes"}, "auto_capture"),
        ({"tier": "session", "searchable": 1}, "searchable"),
        ({"tier": "session", "type": "list", "max_items": 10_001}, "max_items"),
        ({"tier": "session", "max_size_mb": 65}, "max_size_mb"),
        ({"tier": "session", "schema_version": 1_000_001}, "schema_version"),
        ({"tier": "session", "schema_version": None}, "schema_version"),
        ({"tier": "session", "schema": dict}, "schema"),
        ({"tier": "session", "description": None}, "description"),
    ],
)
def test_what_cannot_be_is_refused_by_name(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(SpecError, match=named):
        MemorySpec(**fields)


@pytest.mark.parametrize(
    "declared",
    [
        "tier: session, scope: null",
        "tier: working, reference_syntax: null",
        "tier: {a: 1}",
        "tier: session, schema: [Note]",
        "tier: session, ttl: [1]",
        "tier: session, type: list, max_items: many",
        "tier: session, [1]: 2",
    ],
)
def test_yaml_that_cannot_be_is_refused_with_its_slot(declared: str) -> None:
    with pytest.raises(SpecError, match=r"plan: |not YAML") as caught:
        load_specs(f"memory: {{plan: {{{declared}}}}}", schemas={"Note": Note})
    assert isinstance(caught.value, WorkspaceMemoryError)


def test_what_no_slot_takes_is_refused_by_an_error_of_the_sdk() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    slot = InMemory().slot("plan", semantic_memory(scope=[]))

    for value in (cycle, object(), {1, 2}, float("nan"), "\ud800", {(1, 2): 3}):
        with pytest.raises(InvalidValueError):
            slot.append(value)
    with pytest.raises(InvalidValueError):
        slot.set("text")


@pytest.mark.parametrize(
    ("spec", "declared"),
    [
        (MemorySpec(tier="semantic"), ("list", True)),
        (MemorySpec(tier="semantic", type="dict", searchable=False), ("dict", False)),
        (MemorySpec(tier="semantic", max_items=5), ("list", True)),
        (MemorySpec(tier="episodic"), ("dict", False)),
        (MemorySpec(tier="working"), ("dict", False)),
        (load_specs("memory: {notes: {tier: semantic, scope: user_id}}")["notes"], ("list", True)),
    ],
)
def test_what_a_spec_does_not_say_follows_from_its_tier(spec: MemorySpec, declared: tuple[str, bool]) -> None:
    assert (spec.type, spec.searchable) == declared


YAML = """
memory:
  scratchpad:
    tier: working
    scope: [run_id]
    auto_capture: true
    ttl: 1h
  conversation:
    tier: episodic
    scope: user_id
    type: list
    ttl: 30d
    max_items: 100
  client_knowledge:
    tier: semantic
    type: list
    scope: [user_id, portfolio_id]
    searchable: true
    schema: Note
    schema_version: 2
    description: Facts about this client relationship
"""


def test_yaml_says_the_same_as_python(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(YAML)

    specs = load_specs(file, schemas={"Note": Note})

    assert specs == load_specs(YAML, schemas={"Note": Note})
    assert specs["scratchpad"] == scratchpad()
    assert specs["conversation"] == conversation_memory()
    assert specs["client_knowledge"] == semantic_memory(
        scope=["user_id", "portfolio_id"],
        schema=Note,
        schema_version=2,
        description="Facts about this client relationship",
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("memory: [", "not YAML"),
        ("slots: {}", "memory:"),
        ("memory: {pad: working}", "pad"),
        ("memory: {pad: {tier: working, colour: red}}", "pad: colour"),
        ("memory: {pad: {tier: nowhere}}", "pad: tier"),
        ("memory: {pad: {scope: user_id}}", "pad: .*tier"),
        ("memory: {pad: {tier: session, schema: 'os:system'}}", "pad: the schema"),
    ],
)
def test_yaml_that_cannot_be_names_the_slot_and_the_field(text: str, named: str) -> None:
    with pytest.raises(SpecError, match=named):
        load_specs(text)
