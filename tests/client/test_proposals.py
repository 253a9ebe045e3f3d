"""Proposing and deciding with the SDK, on the command line and over MCP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mcp_server.tools  # noqa: F401  # fills the registry
from mcp_server.registry import TOOLS
from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of, memory_with
from workspace_memory import ConflictError, ForbiddenError, Memory, NotFoundError
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db

TEXT = "The oven door sticks when it rains."


@pytest.fixture
def memory(cast: Cast) -> Memory:
    return memory_of(cast.acme)


def test_the_client_of_a_user_proposes_and_another_decides(memory: Memory) -> None:
    mine = memory.for_user("42").write(TEXT)

    offered = memory.for_user("42").memories.propose(mine.id)
    again = memory.for_user("42").memories.propose(mine.id)

    assert (offered.status, offered.origin_space, offered.origin_id) == ("pending", "user:42", mine.id)
    assert again.id == offered.id
    assert [each.id for each in memory.proposals.list(status="pending")] == [offered.id]
    decided = memory.proposals.accept(offered.id, content="The oven door sticks.")
    assert decided.memory_id
    copy = memory.memories.get(decided.memory_id)
    assert (copy.content, copy.origin_id, copy.origin_space) == ("The oven door sticks.", mine.id, "user:42")
    with pytest.raises(ConflictError, match="accepted already"):
        memory.proposals.reject(offered.id)


def test_the_client_of_a_space_proposes_to_another(memory: Memory) -> None:
    apollo = memory.in_space("project:apollo")
    mine = apollo.write(TEXT)

    offered = apollo.memories.propose(mine.id, space="project:gemini")

    assert (offered.space, offered.origin_space) == ("project:gemini", "project:apollo")
    assert list(memory.proposals.list()) == []
    gemini = memory.in_space("project:gemini")
    assert gemini.proposals.reject(offered.id).status == "rejected"


def test_refusals_are_errors(cast: Cast, memory: Memory) -> None:
    shared = memory.write(TEXT)
    with pytest.raises(ConflictError):
        memory.memories.propose(shared.id)
    with pytest.raises(NotFoundError):
        memory.for_user("42").proposals.accept("no-id")
    writer = memory_with(cast.acme.rest(Right.READ, Right.WRITE).secret)
    offered = writer.for_user("42").memories.propose(writer.for_user("42").write("Another.").id)
    with pytest.raises(ForbiddenError):
        writer.proposals.accept(offered.id)


def test_wsm_proposes(cast: Cast, memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    mine = memory.for_user("42").write(TEXT)

    said = terminal.run("memory", "propose", mine.id, "--user", "42")
    found = terminal.json("memory", "propose", mine.id, "--user", "42")
    refused = terminal.run("memory", "propose", mine.id, "--user", "42", "--to", "user:42")

    assert (said.exit_code, said.output) == (0, f"Proposed to shared as {found['id']} (pending): {TEXT}\n")
    assert found["origin_id"] == mine.id
    assert (refused.exit_code, "already" in refused.output) == (1, True)


def test_the_tool_proposes_and_answers_what_is_pending(cast: Cast, memory: Memory) -> None:
    mine = memory.for_user("42").write(TEXT)
    tool = TOOLS["memory.propose"]

    def call(**given: Any) -> Any:
        arguments = tool.arguments.read({"memory_id": mine.id, **given})
        named = arguments.pop("spaces")
        caller = cast.acme.caller.naming(NamedSpaces(user=named.user))
        return tool.run(caller, **arguments)

    assert json.loads(call(user="42").model_dump_json())["status"] == "pending"
    assert call(user="42").id == call(user="42", space="shared").id
    assert call(user="42", space="project:apollo").space == "project:apollo"


def test_a_proposal_is_withdrawn_by_its_own_space_or_by_who_decides(cast: Cast, memory: Memory) -> None:
    writer = memory_with(cast.acme.rest(Right.READ, Right.WRITE).secret)
    mine = writer.for_user("42")
    written = mine.write(TEXT)

    def offered() -> str:
        return mine.memories.propose(written.id).id

    first = offered()
    for other in (writer, writer.for_user("43")):
        with pytest.raises(ForbiddenError):
            other.proposals.withdraw(first)
    assert [each.id for each in memory.proposals.list(status="pending")] == [first]
    mine.proposals.withdraw(first)
    second = offered()
    memory.proposals.withdraw(second)
    assert list(memory.proposals.list()) == []
    third = offered()
    memory.proposals.accept(third)
    with pytest.raises(ConflictError, match="accepted already"):
        mine.proposals.withdraw(third)
    with pytest.raises(NotFoundError):
        memory_of(cast.umbrella).proposals.reject(third)
    assert memory.for_user("42").memories.get(written.id).content == TEXT


def test_withdrawing_leaves_an_audit_event(cast: Cast, memory: Memory) -> None:
    offered = memory.for_user("42").memories.propose(memory.for_user("42").write(TEXT).id)

    memory.for_user("42").proposals.withdraw(offered.id)

    with workspace_scope(cast.acme.caller):
        events = AuditEvent.objects.of(cast.acme.caller).filter(object_id=offered.id).order_by("created_at")
        assert [event.action for event in events] == ["proposal.made", "proposal.withdrawn"]
        assert all(TEXT not in str(event.details) for event in events)


def test_the_tool_withdraws(cast: Cast, memory: Memory) -> None:
    offered = memory.for_user("42").memories.propose(memory.for_user("42").write(TEXT).id)
    tool = TOOLS["memory.withdraw"]
    arguments = tool.arguments.read({"proposal_id": offered.id, "user": "42"})
    arguments.pop("spaces")

    answer = tool.run(cast.acme.caller.naming(NamedSpaces(user="42")), **arguments)

    assert json.loads(answer.model_dump_json()) == {"withdrawn": offered.id}
    assert list(memory.proposals.list()) == []
