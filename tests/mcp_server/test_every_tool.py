"""Every tool, listed and called by the official client over HTTP and over stdio, and tried by those who may not."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextResourceContents

from mcp_server.registry import TOOLS, listed_name
from mcp_server.server import TOOLS_BY_NAME
from tests.cast import Cast, Household, assemble_cast
from tests.furnished import furnish
from tests.mcp_server.calls import CALLS, called_all, ids_in
from tests.mcp_server.serving import house_served, in_session, over_stdio
from tests.rules.doors import state_of
from workspaces.access.callers import Right
from workspaces.keys.services import create_key, revoke_key

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[Client], Awaitable[Any]]
Reach = Callable[[str, Work], Any]
# The strictest of the rules that model APIs publish for names of tools: one name against it refuses the whole request.
ACCEPTED_NAME = re.compile(r"[a-zA-Z0-9_]{1,64}")
READING = {name for name, tool in TOOLS.items() if tool.is_read_only}
# Tools whose arguments name something of the workspace.
OBJECTS = {"memory_id", "proposal_id", "run_id", "node_id", "pattern_id", "metric"}
NAMING = {name for name, arguments in CALLS if set(arguments) & OBJECTS}


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed; Acme and Umbrella have rows."""
    cast = assemble_cast()
    furnish(cast.acme)
    furnish(cast.umbrella)
    return cast


@pytest.fixture
def house(cast: Cast) -> Iterator[str]:
    with house_served() as house:
        yield house


@pytest.fixture(params=["http", "stdio"])
def reach(house: str, request: pytest.FixtureRequest) -> Reach:
    """What somebody's work answers who comes with a key, over one of the two transports."""
    if request.param == "stdio":
        return lambda secret, work: over_stdio(house, secret, work, arguments=["--tools", "all"])
    return lambda secret, work: in_session(f"{house}/mcp?tools=all", secret, work)


def test_every_tool_is_listed_once_under_a_name_that_every_host_accepts(reach: Reach, cast: Cast) -> None:
    names = [tool.name for tool in reach(cast.acme.secret, _listed).tools]

    assert sorted(names) == sorted(name.replace(".", "_") for name in TOOLS)
    assert len(set(names)) == len(TOOLS)
    assert [name for name in names if not ACCEPTED_NAME.fullmatch(name)] == []


def test_every_dotted_name_answers_and_is_not_listed(reach: Reach, cast: Cast) -> None:
    ids = ids_in(cast.acme)

    async def work(client: Client) -> Any:
        return await client.list_tools(), await called_all(client, ids)

    listed, answers = reach(cast.acme.secret, work)

    assert answers.keys() == TOOLS.keys()
    assert all("." in name for name in answers)
    assert {name: answer.content for name, answer in answers.items() if answer.is_error} == {}
    assert answers.keys() & {tool.name for tool in listed.tools} == set()


def test_an_agent_reads_of_tools_by_their_listed_names_only(reach: Reach, cast: Cast) -> None:
    async def work(client: Client) -> str:
        tools = [tool.model_dump_json() for tool in (await client.list_tools()).tools]
        prompt = await client.get_prompt("prime")
        return "\n".join([*tools, prompt.model_dump_json(), client.instructions or ""])

    text = reach(cast.acme.secret, work)

    assert "memory_recall" in text
    assert [name for name in TOOLS if re.search(rf"\b{re.escape(name)}\b", text)] == []


def test_every_listed_tool_is_typed_and_answers(reach: Reach, cast: Cast) -> None:
    ids = ids_in(cast.acme)

    async def work(client: Client) -> Any:
        return await client.list_tools(), await called_all(client, ids, named=listed_name)

    listed, answers = reach(cast.acme.secret, work)

    assert {name: answer.content for name, answer in answers.items() if answer.is_error} == {}
    assert answers.keys() == TOOLS.keys()
    for tool in listed.tools:
        _is_typed(tool)
    for name, answer in answers.items():
        assert answer.structured_content, name
        assert _text(answer) == TOOLS[name].text(answer.structured_content), name


def test_resources_and_the_prompt_are_there(reach: Reach, cast: Cast) -> None:
    async def work(client: Client) -> Any:
        resources = {str(each.uri) for each in (await client.list_resources()).resources}
        contents = [(await client.read_resource(uri)).contents[0] for uri in sorted(resources)]
        prompts = [each.name for each in (await client.list_prompts()).prompts]
        return resources, contents, prompts, await client.get_prompt("prime"), client.instructions

    resources, contents, prompts, prompt, instructions = reach(cast.acme.secret, work)

    assert resources == {"memory://facts", "memory://pinned"}
    assert all(isinstance(json.loads(each.text), list) for each in contents if isinstance(each, TextResourceContents))
    assert prompts == ["prime"]
    assert "memory_recall" in prompt.messages[0].content.text
    assert "[mem:<id>]" in instructions


def test_no_tool_reaches_another_workspace(house: str, cast: Cast) -> None:
    ids, before = ids_in(cast.acme), state_of(cast.acme)

    answers = in_session(f"{house}/mcp", cast.umbrella.secret, lambda client: called_all(client, ids))

    assert {name: _text(answers[name])[:10] for name in NAMING} == dict.fromkeys(NAMING, "not_found:")
    for name, answer in answers.items():
        said = json.dumps(answer.structured_content) + _text(answer)
        assert "Acme" not in said, name
        assert name in NAMING or not any(identity in said for identity in ids.values()), name
    assert state_of(cast.acme) == before


@pytest.mark.parametrize(
    ("scopes", "refused"),
    [([Right.READ], TOOLS.keys() - READING), ([Right.FACTS], TOOLS.keys())],
    ids=["read alone", "facts alone"],
)
def test_a_missing_scope_is_named_with_its_cure(house: str, cast: Cast, scopes: list[Right], refused: set[str]) -> None:
    ids, secret = ids_in(cast.acme), cast.acme.rest(*scopes).secret

    answers = in_session(f"{house}/mcp", secret, lambda client: called_all(client, ids))

    texts = {name: _text(answer) for name, answer in answers.items() if answer.is_error}
    told = {name: text for name, text in texts.items() if not text.startswith("not_found")}
    # To ask is to read; what is cited gains importance by the server's hand.
    assert told.keys() == refused - ({"ontology.ask"} if Right.READ in scopes else set())
    for name, text in told.items():
        assert text.startswith("missing_scope: This API key lacks the scope '"), name
        assert text.endswith("owners and admins make keys under Settings → API keys."), name


def test_stdio_tells_why_it_cannot_serve(house: str, cast: Cast, tmp_path: Path) -> None:
    for where, secret, said in (
        (house, "oxa_live_nobody", "Make a new one in Settings, API keys. [invalid_key]"),
        ("http://127.0.0.1:9", cast.acme.secret, "http://127.0.0.1:9 does not answer"),
    ):
        with (tmp_path / "stderr").open("w+") as stderr:
            with pytest.raises((MCPError, ExceptionGroup)):
                over_stdio(where, secret, _listed, errlog=stderr)
            stderr.seek(0)
            assert said in stderr.read()


def test_stdio_outlives_a_revoked_key_and_an_absent_server(cast: Cast, tmp_path: Path) -> None:
    made = create_key(caller=cast.acme.caller, name="brief", scopes=list(Right))
    serving = ExitStack()
    house = serving.enter_context(house_served())

    async def work(client: Client) -> list[str]:
        told = [_text(await client.call_tool("workspace.memory_status"))]
        await asyncio.to_thread(_revoke, cast.acme, made.key.id)
        told.append(_text(await client.call_tool("workspace.memory_status")))
        await asyncio.to_thread(serving.close)
        told.append(_text(await client.call_tool("workspace.memory_status")))
        return told

    with (tmp_path / "stderr").open("w+") as stderr:
        before, revoked, away = over_stdio(house, made.secret, work, errlog=stderr)
        stderr.seek(0)
        said = stderr.read()

    assert json.loads(before)["enabled"] is True
    assert revoked.startswith("revoked_key: This API key was revoked.")
    assert away.startswith(f"no_answer: {house} does not answer")
    assert said.count("wsm mcp: ") == 2


def test_stdio_relays_a_dotted_name_without_looking_for_it_in_the_list(house: str, cast: Cast, tmp_path: Path) -> None:
    async def work(client: Client) -> CallToolResult:
        return await client.call_tool("workspace.memory_status")

    with (tmp_path / "stderr").open("w+") as stderr:
        answer = over_stdio(house, cast.acme.secret, work, errlog=stderr)
        stderr.seek(0)
        said = stderr.read()

    assert (json.loads(_text(answer))["enabled"], said) == (True, "")


def test_stdio_acts_for_one_user_of_a_stamped_key(house: str, cast: Cast, tmp_path: Path) -> None:
    spaces = ["user:*", "shared"]
    made = create_key(caller=cast.acme.caller, name="backend", scopes=list(Right), spaces=spaces, is_stamped=True)

    async def work(client: Client) -> list[str]:
        kept = await client.call_tool("memory_remember", {"content": "Mara is allergic to nuts."})
        other = await client.call_tool("memory_recall", {"query": "nuts", "user": "bob"})
        return [_text(kept), _text(other)]

    with (tmp_path / "stderr").open("w+") as stderr:
        kept, other = over_stdio(house, made.secret, work, arguments=["--user", "mara"], errlog=stderr)
        with pytest.raises((MCPError, ExceptionGroup)):
            over_stdio(house, made.secret, _listed, errlog=stderr)
        stderr.seek(0)
        said = stderr.read()

    rest = cast.acme.rest()
    assert [one["id"] for one in rest.get("memories", user="mara", shared="false").json()["results"]] == [
        kept.partition("[mem:")[2].partition("]")[0]
    ]
    assert other.startswith("space_not_allowed")
    assert "[stamp_required]" in said


def _revoke(household: Household, key_id: UUID) -> None:
    try:
        revoke_key(caller=household.caller, key_id=key_id)
    finally:
        connection.close()


async def _listed(client: Client) -> Any:
    return await client.list_tools()


def _text(answer: CallToolResult) -> str:
    text: str = answer.content[0].text  # type: ignore[union-attr]  # every tool answers text
    return text


def _is_typed(shown: Any) -> None:
    tool = TOOLS_BY_NAME[shown.name]
    hints = shown.annotations
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (
        tool.is_read_only,
        tool.is_destructive,
        tool.is_idempotent,
    )
    assert shown.input_schema["type"] == "object"
    assert shown.input_schema.get("additionalProperties") is False, shown.name
    assert all({"type", "anyOf", "$ref"} & set(field) for field in shown.input_schema["properties"].values())
    assert shown.output_schema["type"] == "object"
    assert shown.output_schema["properties"]
