"""Tools name whose memory they are about, and a key that is bound to spaces reaches no other through any of them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult

from core.clock import utc_now
from mcp_server.registry import TOOLS
from mcp_server.server import TOOLS_BY_NAME
from mcp_server.tool_sets import CORE
from telemetry.actions.services.capture import buffer
from telemetry.models import Action
from tests.awaiting import awaited
from tests.cast import Cast, assemble_cast
from tests.furnished import furnish
from tests.mcp_server.calls import CALLS, filled, ids_in
from tests.mcp_server.serving import door_served, in_session
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import NamedSpaces
from workspaces.keys.on_behalf_stamps import HEADER, make_stamp
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db(transaction=True)
SPACED = [tool.name for tool in dict.fromkeys(TOOLS_BY_NAME.values()) if tool.names_spaces]
SECRET = "The alarm code of the other user is QX7391."  # what must not be found


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def door(cast: Cast) -> Iterator[str]:
    with door_served() as address:
        yield address


def bound(cast: Cast, spaces: Sequence[str], *, is_stamped: bool = False) -> str:
    """The secret of a key that is bound to spaces."""
    made = create_key(caller=cast.acme.caller, name="bound", scopes=list(Right), spaces=spaces, is_stamped=is_stamped)
    return made.secret


def said(answer: CallToolResult) -> str:
    text: str = answer.content[0].text  # type: ignore[union-attr]  # every tool answers text
    return text


def contents(answer: CallToolResult) -> set[str]:
    assert not answer.is_error, said(answer)
    return {hit.get("memory", hit)["content"] for hit in answer.structured_content["results"]}


def test_every_tool_about_memory_takes_the_spaces_and_no_other_does() -> None:
    assert {name for name in TOOLS if name not in SPACED} == {name for name in TOOLS if name.startswith("workspace.")}
    for name, tool in TOOLS.items():
        taken = {"user", "agent", "space", "shared"} & tool.arguments.fields.keys()
        assert len(taken) == (4 if name in SPACED else 0), name
        assert not taken & set(tool.arguments.json_schema.get("required", ())) or name == "run.start"


def test_each_call_stays_inside_the_spaces_that_it_names(door: str, cast: Cast) -> None:
    async def work(client: Client) -> list[set[str]]:
        for content, spaces in (("Tea.", {}), ("Ada.", {"user": "ada"}), ("Clerk.", {"agent": "clerk"})):
            assert not (await client.call_tool("memory_remember", {"content": content, **spaces})).is_error
        named: list[dict[str, Any]] = [
            {},
            {"user": None, "agent": None},
            {"user": "ada"},
            {"user": "ada", "agent": "clerk"},
            {"space": "agent:clerk", "shared": "false"},
            {"user": "bob"},
        ]
        return [contents(await client.call_tool("memory_list", spaces)) for spaces in named]

    assert in_session(door, cast.acme.secret, work) == [
        *({"Tea."}, {"Tea."}, {"Tea.", "Ada."}, {"Tea.", "Ada.", "Clerk."}, {"Clerk."}, {"Tea."})
    ]


def test_an_argument_of_the_tool_itself_is_its_own(door: str, cast: Cast) -> None:
    cast.acme.rest().remembered("Ada drinks tea.", user="ada")

    async def work(client: Client) -> Any:
        started = [await client.call_tool("run_start", {"agent": "clerk", **spaces}) for spaces in ({}, {"user": "b"})]
        asked = {"query": "who drinks tea?"}
        contexts = [await client.call_tool("context_assemble", {**asked, **who}) for who in ({}, {"user": "ada"})]
        refused = await client.call_tool("context_assemble", {**asked, "user": "ada", "space": "user:bob"})
        return started, contexts, refused

    started, (shared, ada), refused = in_session(door, cast.acme.secret, work)

    assert [run.structured_content["agent"] for run in started] == ["clerk", "clerk"]
    listed = cast.acme.rest().get("runs").json()["results"]
    assert [run["id"] for run in listed] == [started[0].structured_content["id"]]
    assert ("Ada drinks tea." in said(shared), "Ada drinks tea." in said(ada)) == (False, True)
    assert said(refused).startswith("contradicting_spaces:")


@pytest.mark.parametrize(
    ("spaces", "told"),
    [
        ({"user": "ada", "space": "user:bob"}, "contradicting_spaces:"),
        ({"shared": False}, "contradicting_spaces:"),
        ({"space": "nonsense"}, "invalid: space:"),
        ({"user": ""}, "invalid: user:"),
        ({"user": "*"}, "invalid: user:"),
        ({"user": "x" * 201}, "invalid: user:"),
        ({"user": ["ada"] * 10_001}, "invalid: user:"),
        ({"spaces": ["user:ada"]}, "unknown_field:"),
    ],
)
def test_bad_names_change_nothing(door: str, cast: Cast, spaces: dict[str, Any], told: str) -> None:
    async def work(client: Client) -> CallToolResult:
        return await client.call_tool("memory_remember", {"content": "Something.", **spaces})

    refused = in_session(door, cast.acme.secret, work)

    assert (refused.is_error, said(refused)[: len(told)]) == (True, told)
    assert cast.acme.rest().get("memories").json()["results"] == []


def _every_tool(ids: dict[str, str], **spaces: Any) -> Callable[[Client], Awaitable[dict[str, CallToolResult]]]:
    async def work(client: Client) -> dict[str, CallToolResult]:
        return {
            name: await client.call_tool(name, {**filled(arguments, {**ids, "<metric name>": "m"}), **spaces})
            for name, arguments in CALLS
            if name in SPACED
        }

    return work


@pytest.mark.parametrize(
    "spaces",
    [{"user": "43"}, {"space": "user:43"}, {"space": "shared"}, {"user": "42", "space": "user:43"}],
    ids=str,
)
def test_a_bound_key_reaches_no_other_user_by_any_argument(door: str, cast: Cast, spaces: dict[str, Any]) -> None:
    furnish(cast.acme)
    other = cast.acme.rest().remembered(SECRET, user="43")

    answers = in_session(
        door, bound(cast, ["user:42"]), _every_tool({**ids_in(cast.acme), "<memory>": other["id"]}, **spaces)
    )

    assert len(answers) == len(SPACED) > 25
    for name, answer in answers.items():
        assert answer.is_error, name
        assert said(answer).startswith(("space_not_allowed:", "contradicting_spaces:")), (name, said(answer))
    assert cast.acme.rest().get(f"memories/{other['id']}", user="43").json()["content"] == SECRET


def test_a_bound_key_finds_nothing_of_others_without_naming_a_space(door: str, cast: Cast) -> None:
    furnish(cast.acme)
    other = cast.acme.rest().remembered(SECRET, user="43")
    ids = {**ids_in(cast.acme), "<memory>": other["id"]}

    async def work(client: Client) -> Any:
        answers = await _every_tool(ids)(client)
        resources = [(await client.read_resource(f"memory://{name}")).contents[0] for name in ("facts", "pinned")]
        return answers, resources

    answers, resources = in_session(door, bound(cast, ["user:42"]), work)

    assert len(answers) == len(SPACED) > 25
    for name, answer in answers.items():
        assert "QX7391" not in said(answer), name
        if {"memory_id", "node_id", "run_id", "pattern_id", "metric"} & dict(CALLS)[name].keys():
            # What is proposed goes to `shared`, which this key may not use.
            code = "space_not_allowed:" if name == "memory.propose" else "not_found:"
            assert said(answer).startswith(code), (name, said(answer))
    assert [json.loads(each.text) for each in resources] == [[], []]
    assert cast.acme.rest().get(f"memories/{other['id']}", user="43").json()["content"] == SECRET


def test_a_key_that_must_name_a_space_lists_tools_and_is_told_so(door: str, cast: Cast) -> None:
    async def work(client: Client) -> Any:
        listed = await client.list_tools()
        status = await client.call_tool("workspace_memory_status")
        nameless = await client.call_tool("memory_recall", {"query": "tea"})
        named = await client.call_tool("memory_recall", {"query": "tea", "user": "7"})
        return listed, status, nameless, named

    listed, status, nameless, named = in_session(door, bound(cast, ["user:*"]), work)

    assert len(listed.tools) == len(CORE)
    assert (status.is_error, nameless.is_error, named.is_error) == (False, True, False)
    assert said(nameless).startswith("space_required: Name the space of this call")


def test_a_bound_key_turns_no_switch_of_the_whole_workspace(door: str, cast: Cast) -> None:
    async def work(client: Client) -> list[str]:
        return [said(await client.call_tool(f"workspace_{verb}_memory")) for verb in ("enable", "disable")]

    told = in_session(door, bound(cast, ["user:7", "shared"]), work)

    refused = "space_not_allowed: This is about every space, and this key is bound to: user:7, shared."
    assert told == [f"{refused} Use one that is bound to none."] * 2


def _stamped(address: str, secret: str, stamp: str, work: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        headers = {"Authorization": f"Bearer {secret}", HEADER: stamp}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await work(client)

    return awaited(run())


def test_a_stamped_key_acts_for_the_user_of_the_stamp_alone(door: str, cast: Cast) -> None:
    secret = bound(cast, ["user:*"], is_stamped=True)
    cast.acme.rest().remembered("Ada.", user="ada")
    cast.acme.rest().remembered("Bob.", user="bob")

    async def work(client: Client) -> Any:
        mine = await client.call_tool("memory_list", {})
        others = [await client.call_tool("memory_list", spaces) for spaces in ({"user": "bob"}, {"space": "user:bob"})]
        return mine, others

    mine, others = _stamped(door, secret, make_stamp(secret=secret, user="ada", now=utc_now()), work)

    assert contents(mine) == {"Ada."}
    assert all(said(answer).startswith("space_not_allowed:") for answer in others)
    with pytest.raises(ExceptionGroup):
        in_session(door, secret, lambda client: client.list_tools())


def test_what_an_agent_did_is_noted_in_the_space_of_the_call(door: str, cast: Cast) -> None:
    async def work(client: Client) -> Any:
        await client.call_tool("workspace_enable_memory")
        await client.call_tool("memory_remember", {"content": "Ada.", "user": "ada"})
        await client.call_tool("memory_remember", {"content": "Bob.", "user": ""})
        await client.call_tool("memory_recall", {"query": "Ada", "limit": 100_000, "user": "ada"})

    in_session(door, cast.acme.secret, work)
    buffer.flush()

    with workspace_scope(cast.acme.caller.naming(NamedSpaces(user="ada", shared=False))):
        assert list(Action.objects.order_by("id").values_list("tool", "outcome")) == [
            ("memory.remember", "success"),
            ("memory.recall", "failure"),
        ]
    with workspace_scope(cast.acme.caller):
        assert list(Action.objects.values_list("tool", flat=True)) == ["workspace.enable_memory"]
