"""The MCP door as agents use it: the official client, real HTTP, a real key."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.conf import settings
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from mcp_server.registry import TOOLS
from tests.cast import Cast, RestClient, assemble_cast
from tests.mcp_server.serving import door_served, in_session
from tests.telemetry.test_injecting import known_pattern
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent

TOO_MANY = re.compile(r"too_many_requests: At most 2 calls a minute\. Wait (\d+) seconds, then try again\.")

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[Client], Awaitable[Any]]


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def address(cast: Cast) -> Iterator[str]:
    with door_served() as address:
        yield address


@pytest.fixture
def agent(address: str, acme: RestClient) -> Callable[[Work], Any]:
    """Acme's agent, with every scope."""
    return lambda work: in_session(f"{address}?tools=all", acme.secret, work)


NUL = "tea\x00"
LISTS = {"tags", "kinds", "node_ids", "types"}
SAID = {"conversation": "chat-1", "role": "user", "content": "Is there tea?"}


def called(name: str, /, **arguments: Any) -> Work:
    async def work(client: Client) -> Any:
        return await client.call_tool(name, arguments)

    return work


def _properties(tool: Any) -> Any:
    return tool.input_schema["properties"].items()


def structured(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    answer: dict[str, Any] = result.structured_content
    return answer


def refused(result: Any) -> str:
    assert result.is_error
    return str(result.content[0].text)


def test_every_tool_is_listed_with_its_hints(agent: Callable[[Work], Any]) -> None:
    async def listed(client: Client) -> Any:
        return await client.list_tools()

    tools = {tool.name: tool for tool in agent(listed).tools}

    for tool in TOOLS.values():
        shown = tools[tool.listed_name]
        assert shown.annotations.read_only_hint == tool.is_read_only
        assert shown.annotations.destructive_hint == tool.is_destructive
        assert shown.annotations.idempotent_hint == tool.is_idempotent
        assert "caller" not in shown.input_schema["properties"]
        assert shown.output_schema, tool.name
        assert shown.description == tool.description
        assert len(shown.description) > 30


def test_the_server_says_its_version(agent: Callable[[Work], Any]) -> None:
    async def told(client: Client) -> Any:
        return client.server_info

    assert agent(told).version == settings.VERSION


def test_an_agent_remembers_recalls_cites_and_forgets(agent: Callable[[Work], Any]) -> None:
    async def life(client: Client) -> None:
        content = "Bob likes his tea with lemon."
        kept = structured(await client.call_tool("memory.remember", {"content": content, "tags": ["tea"]}))
        again = structured(await client.call_tool("memory_remember", {"content": content}))
        identity = kept["memory"]["id"]
        assert (kept["is_new"], again["is_new"], again["memory"]["id"]) == (True, False, identity)

        found = structured(await client.call_tool("memory.recall", {"query": "how does Bob drink tea?"}))
        assert [hit["memory"]["id"] for hit in found["results"]] == [identity]
        context = structured(await client.call_tool("context.assemble", {"query": "Bob and tea"}))
        assert content in context["text"]

        run = structured(await client.call_tool("run.start", {"agent": "tester"}))
        output = f"Lemon, please [mem:{identity}]."
        finished = structured(await client.call_tool("run.finish", {"run_id": run["id"], "output": output}))
        assert finished["citations"] == [{"memory_id": identity, "counted": True}]

        fact = structured(await client.call_tool("memory.promote", {"memory_id": identity}))
        assert (fact["kind"], fact["times_referenced"]) == ("fact", 1)
        facts = await client.read_resource("memory://facts")
        assert isinstance(facts.contents[0], TextResourceContents)
        assert [each["id"] for each in json.loads(facts.contents[0].text)] == [identity]

        structured(await client.call_tool("memory.forget", {"memory_id": identity}))
        assert structured(await client.call_tool("memory.recall", {"query": "Bob tea"}))["results"] == []
        assert structured(await client.call_tool("memory.list", {}))["results"] == []

    agent(life)


def test_conversations_go_on_across_calls(agent: Callable[[Work], Any]) -> None:
    async def talk(client: Client) -> None:
        for role, content in (("user", "I moved to Lisbon."), ("assistant", "Noted.")):
            said = {"conversation": "chat-1", "role": role, "content": content}
            structured(await client.call_tool("conversation.append", said))
        last = structured(await client.call_tool("conversation.last", {"conversation": "chat-1", "limit": 1}))
        assert [message["content"] for message in last["results"]] == ["Noted."]
        assert structured(await client.call_tool("conversation.end", {"conversation": "chat-1"}))["status"] == "ended"

    agent(talk)


def test_what_was_said_is_found_again(agent: Callable[[Work], Any]) -> None:
    async def search(client: Client) -> None:
        said = {"conversation": "chat-2", "role": "user", "content": "The boiler was serviced in May."}
        structured(await client.call_tool("conversation.append", said))
        found = structured(await client.call_tool("conversation.search", {"query": "when was the boiler serviced?"}))
        assert [hit["message"]["content"] for hit in found["results"]] == [said["content"]]

    agent(search)


def test_the_ontology_learns_answers_and_is_walked(agent: Callable[[Work], Any]) -> None:
    async def learn(client: Client) -> None:
        learnt = structured(await client.call_tool("ontology.learn", {"text": "Dana works at Acme in Lisbon."}))
        assert learnt["nodes"]
        found = structured(await client.call_tool("ontology.search", {"query": "Dana"}))
        dana = found["results"][0]["node"]
        assert dana["name"] == "Dana"
        near = structured(await client.call_tool("ontology.neighbours", {"node_id": dana["id"]}))
        assert "Acme" in [each["node"]["name"] for each in near["results"]]
        answer = structured(await client.call_tool("ontology.ask", {"question": "Where does Dana work?"}))
        assert answer["found"]
        assert "Acme" in answer["text"]

    agent(learn)


def test_telemetry_answers_as_over_rest(agent: Callable[[Work], Any]) -> None:
    async def look(client: Client) -> None:
        structured(await client.call_tool("workspace.enable_memory", {}))
        assert structured(await client.call_tool("memory.search", {"limit": 200}))["patterns"] == []
        assert structured(await client.call_tool("memory.context", {"query": "reading invoices"}))["results"] == []
        warned = structured(await client.call_tool("memory.context_inject", {"node_ids": [str(uuid4())]}))
        assert (warned["patterns"], warned["text"]) == ([], "")
        metrics = structured(await client.call_tool("memory.metric_list", {}))["results"]
        assert [metric["builtin"] for metric in metrics] == [True, True, True]
        own = {"name": "quick", "aggregation": "rate", "success_condition": "action_count < 5"}
        assert structured(await client.call_tool("memory.metric_create", own))["builtin"] is False
        assert structured(await client.call_tool("memory.benchmark_get", {"metric": "quick"}))["points"] == []
        broken = {**own, "name": "broken", "success_condition": "action_count <"}
        assert "success_condition" in refused(await client.call_tool("memory.metric_create", broken))
        unknown = {"pattern_id": str(uuid4()), "suppressed": True}
        assert "not_found" in refused(await client.call_tool("memory.annotate", unknown))
        assert "limit" in refused(await client.call_tool("memory.search", {"limit": 201}))
        deleted = structured(await client.call_tool("memory.metric_delete", {"name": "quick"}))
        assert deleted["name"] == "quick"
        assert "not_found" in refused(await client.call_tool("memory.benchmark_get", {"metric": "quick"}))

    agent(look)


def test_a_context_is_for_a_user_and_its_warnings_are_held_out_by_lot(
    agent: Callable[[Work], Any], acme: RestClient, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcp_server.tools.contexts.DICE", SimpleNamespace(random=lambda: 0.05))
    acme.post("memory/enable")
    acme.put("users/dana/memory", {"content": "# Goals\nShip in May."})
    node = acme.post("ontology/nodes", {"type": "invoice", "name": "Invoice 4711"}).json()["id"]
    known_pattern(cast.acme, error_code="rate_limited")

    assembled = agent(called("context.assemble", query="invoice", node_ids=[node], user="dana"))

    names = [block["name"] for block in structured(assembled)["blocks"]]
    assert ("profile" in names, "patterns" in names) == (True, False)


def test_a_note_is_taken_away_by_an_empty_one(agent: Callable[[Work], Any], cast: Cast) -> None:
    pattern = str(known_pattern(cast.acme, error_code="rate_limited").id)

    agent(called("memory.annotate", pattern_id=pattern, annotation="Known."))

    assert structured(agent(called("memory.annotate", pattern_id=pattern, annotation="")))["annotation"] is None


def test_the_toggle_needs_no_arguments(agent: Callable[[Work], Any]) -> None:
    assert structured(agent(called("workspace.enable_memory"))) == {"enabled": True, "changed": True}
    assert structured(agent(called("workspace.enable_memory"))) == {"enabled": True, "changed": False}
    assert structured(agent(called("workspace.memory_status"))) == {"enabled": True, "changed": False}
    assert structured(agent(called("workspace.disable_memory"))) == {"enabled": False, "changed": True}


def test_a_prompt_primes_an_agent(agent: Callable[[Work], Any]) -> None:
    async def primed(client: Client) -> Any:
        return await client.get_prompt("prime")

    assert "memory_recall" in agent(primed).messages[0].content.text


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory.get", {"memory_id": str(uuid4())}, "not_found: There is no such object in this workspace."),
        ("memory.get", {"memory_id": "lemon"}, "invalid: memory_id: Must be a valid UUID."),
        ("memory.remember", {"content": ""}, "This field may not be blank."),
        ("memory.remember", {"content": "tea\x00"}, "characters that are not text"),
        ("memory.remember", {"content": "x" * 1_000_000}, "content_too_large"),
        ("memory.recall", {"query": "tea", "limit": 0}, "greater than or equal to 1"),
        ("memory.recall", {"query": "tea", "limit": "some"}, "limit: A whole number is required, without quotes."),
        ("memory.recall", {"limit": 0}, "limit: Ensure this value is greater than or equal to 1."),
        ("memory.recall", {"limit": 0}, "query: This field is required."),
        ("memory.edit", {"memory_id": str(uuid4())}, "invalid: content: Name at least one field to change."),
        ("memory.recall", {"query": "tea", "mode": "magic"}, "hybrid"),
        (
            "memory.recall",
            {"query": "tea", "kind": "fact"},
            "kind: This tool knows no such argument. Known: query, limit, mode, tags, kinds, as_of, known_at, "
            "user, agent, space, shared.",
        ),
        ("memory.recal", {}, "unknown_tool: There is no tool of that name; the closest one is memory_recall."),
        ("Remember", {}, "unknown_tool: There is no tool of that name; the closest one is memory_remember."),
        ("brew" * 1_000, {}, "unknown_tool: There is no tool of that name; list the tools to see which there are."),
        ("memory.remember", {"content": "tea", "expires_at": "9999-12-31T23:59:59-14:00"}, "invalid: expires_at: "),
        ("conversation.append", {**SAID, "created_at": "1969-12-31T23:59:59Z"}, "invalid: created_at: "),
        ("conversation.append", {**SAID, "name": "n" * 121}, "invalid: name: "),
        ("context.assemble", {"query": "tea", "token_budget": 2**31}, "invalid: token_budget: "),
        ("memory.remember", {"content": "tea", "tags": ["black,green"]}, "invalid: tags.0: "),
        ("conversation.append", {**SAID, "content": "\u200b \n"}, "invalid: content: "),
        ("memory.metric_create", {"name": "\u200b", "aggregation": "rate"}, "invalid: name: "),
        ("memory.metric_create", {"name": "two\nlines", "aggregation": "rate"}, "invalid: name: "),
    ],
)
def test_bad_arguments_get_a_cure(agent: Callable[[Work], Any], tool: str, arguments: Any, said: str) -> None:
    assert said in refused(agent(called(tool, **arguments)))


def test_no_tool_takes_text_that_cannot_be_stored(agent: Callable[[Work], Any]) -> None:
    async def told(client: Client) -> dict[str, str]:
        tools = (await client.list_tools()).tools
        texts = [(tool.name, name) for tool in tools for name, given in _properties(tool) if "string" in str(given)]
        return {
            f"{tool} {name}": refused(await client.call_tool(tool, {name: [NUL] if name in LISTS else NUL}))
            for tool, name in texts
        }

    answers = agent(told)

    assert len(answers) > 60
    assert {place for place, said in answers.items() if f" {place.split()[1]}" not in said} == set()


def test_a_missing_scope_says_which(address: str, cast: Cast) -> None:
    reader = cast.acme.rest(Right.READ)

    refusal = refused(in_session(address, reader.secret, called("memory.remember", content="Bob likes tea.")))

    assert "missing_scope: This API key lacks the scope 'write'." in refusal


def test_charlie_sees_nothing(address: str, agent: Callable[[Work], Any], umbrella: RestClient) -> None:
    identity = structured(agent(called("memory.remember", content="Acme's oven is number seven.")))["memory"]["id"]

    async def nose(client: Client) -> None:
        assert structured(await client.call_tool("memory.recall", {"query": "Acme oven"}))["results"] == []
        assert structured(await client.call_tool("memory.list", {}))["results"] == []
        for tool in ("memory.get", "memory.pin", "memory.promote", "memory.suppress", "memory.forget"):
            assert "not_found" in refused(await client.call_tool(tool, {"memory_id": identity}))
        context = structured(await client.call_tool("context.assemble", {"query": "oven", "node_ids": [identity]}))
        assert "oven" not in context["text"]

    in_session(address, umbrella.secret, nose)


@pytest.mark.parametrize("authorization", [None, "Bearer oxa_live_nobody", "Basic YTpi"])
def test_without_a_valid_key_nothing_is_answered(address: str, authorization: str | None) -> None:
    headers = {"Authorization": authorization} if authorization else {}

    answer = httpx.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.headers["content-type"] == "application/problem+json"


def test_only_posts_of_this_site_are_calls(address: str, acme: RestClient) -> None:
    key = {"Authorization": f"Bearer {acme.secret}"}

    assert httpx.get(address, headers=key).status_code == 405
    for origin in ("https://evil.example", "http://["):
        assert httpx.post(address, json={}, headers={**key, "Origin": origin}).status_code == 403
    assert httpx.post(address, json={}, headers={**key, "Host": "evil.example"}).status_code == 403


def test_behind_a_trusted_proxy_the_record_says_where_a_call_came_from(
    address: str, acme: RestClient, cast: Cast, settings: Any
) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"arguments": {}}}
    headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {acme.secret}"}
    for settings.TRUST_PROXY, name in ((False, "workspace.enable_memory"), (True, "workspace.disable_memory")):
        message["params"] = {"name": name, "arguments": {}}
        answer = httpx.post(address, json=message, headers={**headers, "X-Forwarded-For": "10.9.8.7, 203.0.113.5"})
        assert answer.json()["result"]["isError"] is False

    with workspace_scope(cast.acme.caller):
        events = AuditEvent.objects.filter(action__startswith="memory.").order_by("id")
        assert list(events.values_list("address", flat=True)) == ["127.0.0.1", "203.0.113.5"]


# --- Limits


def test_calls_are_counted_with_those_of_rest(
    address: str, acme: RestClient, umbrella: RestClient, settings: Any
) -> None:
    settings.RATE_LIMIT_PER_MINUTE = 2
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    def listed(client: RestClient) -> httpx.Response:
        headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {client.secret}"}
        return httpx.post(address, json=message, headers=headers)

    answers = [answer for _ in range(4) for answer in (listed(acme), acme.get("runs"))]  # over two minutes at most

    refused = next(answer for answer in answers[::2] if answer.status_code == 429)
    told = TOO_MANY.fullmatch(refused.json()["error"]["message"])
    assert told
    assert (told[1], refused.json()["error"]["data"]["code"]) == (refused.headers["Retry-After"], "too_many_requests")
    assert any(answer.status_code == 429 for answer in answers[1::2])
    assert listed(umbrella).status_code == 200


def test_a_client_is_told_how_long_to_wait(agent: Callable[[Work], Any], settings: Any) -> None:
    async def work(client: Client) -> str:
        settings.RATE_LIMIT_PER_MINUTE = 2
        try:
            for _ in range(5):  # over two minutes at most
                await client.call_tool("memory.list", {})
        except MCPError as refused:
            return refused.message
        return ""

    assert TOO_MANY.fullmatch(agent(work))
