"""The sets of tools of the MCP door: what is listed, in how many tokens, and what answers although it is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from mcp.client.client import Client

from core.text.tokens import count_tokens
from mcp_server.registry import TOOLS, listed_name
from mcp_server.tool_sets import CORE, UnknownToolSetError, parse_tool_sets, select_tools
from tests.cast import Cast, assemble_cast
from tests.mcp_server.serving import house_served, in_session, over_stdio
from workspaces.keys.tool_sets import ToolSet

MAX_CORE_TOOLS, MAX_CORE_TOKENS, MAX_CORE_WIRE_TOKENS = 8, 2_500, 5_500


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def house(cast: Cast) -> Iterator[str]:
    with house_served() as house:
        yield house


@pytest.mark.parametrize(
    ("query", "sets"),
    [
        ("", ()),
        ("other=1", ()),
        ("tools=core", ("core",)),
        ("tools=telemetry,memory", ("memory", "telemetry")),
        ("tools=memory&tools=ontology", ("memory", "ontology")),
        ("tools=%20All%20", ("all",)),
    ],
)
def test_the_address_names_sets(query: str, sets: tuple[ToolSet, ...]) -> None:
    assert parse_tool_sets(query) == sets


@pytest.mark.parametrize("query", ["tools=", "tools=everything", "tools=core,", "tools=core,magic"])
def test_an_unknown_set_is_refused_with_those_that_there_are(query: str) -> None:
    with pytest.raises(UnknownToolSetError, match="core, memory, telemetry, ontology, all"):
        parse_tool_sets(query)


def test_every_tool_is_in_one_area_and_the_core_is_part_of_it() -> None:
    areas: list[ToolSet] = ["memory", "telemetry", "ontology"]
    names = [tool.name for area in areas for tool in select_tools((area,))]

    assert sorted(names) == sorted(TOOLS)
    assert {tool.name for tool in select_tools(("all",))} == set(TOOLS)
    assert {tool.name for tool in select_tools(("core",))} == set(CORE)
    assert set(CORE) <= {tool.name for tool in select_tools(("memory",))}


def test_the_core_is_what_is_listed_and_costs_few_tokens(house: str, cast: Cast) -> None:
    listed = in_session(f"{house}/mcp", cast.acme.secret, _listed)

    shown = [{"name": each.name, "description": each.description, "inputSchema": each.input_schema} for each in listed]
    assert {each.name for each in listed} == {listed_name(name) for name in CORE}
    assert len(listed) <= MAX_CORE_TOOLS
    assert count_tokens(json.dumps(shown)) <= MAX_CORE_TOKENS
    assert count_tokens(json.dumps([_wire(each) for each in listed])) <= MAX_CORE_WIRE_TOKENS


def test_sets_are_listed_as_the_address_or_the_command_asks(house: str, cast: Cast) -> None:
    over_http = in_session(f"{house}/mcp?tools=telemetry,ontology", cast.acme.secret, _listed)
    over_command = over_stdio(house, cast.acme.secret, _listed, arguments=["--tools", "telemetry,ontology"])

    names = {tool.listed_name for tool in select_tools(("telemetry", "ontology"))}
    assert {each.name for each in over_http} == {each.name for each in over_command} == names


def test_a_key_says_which_sets_are_listed_where_the_address_names_none(house: str, cast: Cast) -> None:
    made = cast.acme.rest().post(
        "api-keys", {"name": "clerk", "scopes": ["read"], "tools": ["ontology", "telemetry", "ontology"]}
    )
    assert (made.status_code, made.json()["tools"]) == (201, ["telemetry", "ontology"])
    secret = made.json()["secret"]

    chosen = in_session(f"{house}/mcp", secret, _listed)
    over_command = over_stdio(house, secret, _listed)
    addressed = in_session(f"{house}/mcp?tools=core", secret, _listed)

    names = {tool.listed_name for tool in select_tools(("telemetry", "ontology"))}
    assert {each.name for each in chosen} == {each.name for each in over_command} == names
    assert {each.name for each in addressed} == {listed_name(name) for name in CORE}


def test_a_tool_that_is_not_listed_answers(house: str, cast: Cast) -> None:
    async def work(client: Client) -> Any:
        return await client.call_tool("workspace_memory_status"), await client.call_tool("memory.metric_list")

    status, metrics = in_session(f"{house}/mcp", cast.acme.secret, work)

    assert (status.is_error, metrics.is_error) == (False, False)


def test_an_unknown_set_is_an_error_of_the_protocol(house: str, cast: Cast) -> None:
    headers = {"Authorization": f"Bearer {cast.acme.secret}", "Accept": "application/json, text/event-stream"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    answer = httpx.post(f"{house}/mcp?tools=everything", json=call, headers=headers)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == (
        "unknown_tool_set: There is no set of tools named 'everything'. Connect to /mcp?tools= with one or more of "
        "core, memory, telemetry, ontology, all, separated by commas."
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "likely"),
    [
        ("memory_search", {"query": "walnuts"}, "These are arguments of memory_recall."),
        ("memory_forget", {"memory_id": "x", "content": "Tea."}, "These are arguments of memory_edit."),
        ("memory_recall", {"query": "tea", "colour": "green"}, "user, agent, space, shared."),
    ],
)
def test_an_unknown_argument_leads_to_the_likely_tool(
    house: str, cast: Cast, tool: str, arguments: dict[str, Any], likely: str
) -> None:
    answer = in_session(f"{house}/mcp", cast.acme.secret, lambda client: client.call_tool(tool, arguments))

    text = answer.content[0].text  # type: ignore[union-attr]  # a refusal is text
    assert text.startswith("unknown_field:")
    assert "Known: " in text
    assert text.endswith(likely)


async def _listed(client: Client) -> Any:
    return (await client.list_tools()).tools


def _wire(tool: Any) -> Any:
    return tool.model_dump(mode="json", by_alias=True, exclude_none=True)
