"""A whole session of an agent whose model is a program on loopback: it sees the core tools alone, and chooses them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client

from mcp_server.registry import listed_name
from mcp_server.tool_sets import CORE
from tests.cast import Cast, RestClient, assemble_cast
from tests.llm.server import ModelServer, Reply, Seen, failing, model_server
from tests.mcp_server.serving import house_served, in_session, over_stdio

QUESTION = "When is the kiln fired?"
ANSWER = "The kiln is fired on Thursdays."
# The strictest published rule for names of tools: one name against it, and the whole request is refused.
ACCEPTED_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
MARK = re.compile(r"\[mem:([0-9a-f-]{36})\]")
RUN = re.compile(r"run_id ([0-9a-f-]{36})")


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def house(cast: Cast) -> Iterator[str]:
    with house_served() as house:
        yield house


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


def test_a_session_is_done_with_the_core_alone_and_a_second_process_recalls(
    house: str, cast: Cast, acme: RestClient, model: ModelServer
) -> None:
    model.chooses = _choose_in_first_session
    first = in_session(f"{house}/mcp", cast.acme.secret, lambda client: _work(client, model, "Note: " + ANSWER))
    model.chooses = _choose_in_second_session
    second = over_stdio(house, cast.acme.secret, lambda client: _work(client, model, QUESTION))

    [memory] = acme.get("memories").json()["results"]
    assert memory["content"] == ANSWER
    assert memory["times_referenced"] == 1
    assert first == f"Noted [mem:{memory['id']}]."
    assert second == f"{ANSWER} [mem:{memory['id']}]"
    assert [said["content"] for said in acme.get("conversations/kiln/messages").json()["results"]] == [
        "Note: " + ANSWER
    ]
    assert [run["status"] for run in acme.get("runs").json()["results"]] == ["succeeded"]
    offered = {tool["function"]["name"] for seen in model.seen for tool in seen.body["tools"]}
    assert offered == {listed_name(name) for name in CORE}


async def _work(client: Client, model: ModelServer, task: str) -> str:
    """Ask the model until it answers, with what its tools answered: the loop of any agent."""
    tools = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
        }
        for tool in (await client.list_tools()).tools
    ]
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": client.instructions},
        {"role": "user", "content": task},
    ]
    async with httpx2.AsyncClient(timeout=30) as http:
        while True:
            asked = {"model": "scripted", "messages": messages, "tools": tools}
            answer = await http.post(f"{model.url}/chat/completions", json=asked)
            assert answer.status_code == 200, answer.text
            message = answer.json()["choices"][0]["message"]
            messages.append(message)
            if not message.get("tool_calls"):
                return str(message["content"])
            for call in message["tool_calls"]:
                function = call["function"]
                result = await client.call_tool(function["name"], json.loads(function["arguments"]))
                text = result.content[0].text  # type: ignore[union-attr]  # every tool answers text
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})


def _choose_in_first_session(seen: Seen) -> Reply:
    """Recall, remember, add the turn, start a run, finish it with a citation, answer."""
    results = _results(seen)
    if refusal := _refuse_names(seen):
        return refusal
    told = seen.body["messages"][1]["content"]
    mark, run = MARK.search("".join(results)), RUN.search("".join(results))
    match len(results):
        case 0:
            reply = _calling("memory_recall", query=told)
        case 1:
            reply = _calling("memory_remember", content=ANSWER)
        case 2:
            reply = _calling("memory_add", conversation="kiln", messages=[{"role": "user", "content": told}])
        case 3:
            reply = _calling("run_start", agent="potter", conversation="kiln")
        case 4:
            assert mark
            assert run
            reply = _calling("run_finish", run_id=run[1], output=f"Noted {mark[0]}.")
        case _:
            assert mark
            assert (results[0], results[4]) == ("Nothing found.", "Run succeeded. Citations counted: 1.")
            reply = _answering(f"Noted {mark[0]}.")
    return reply


def _choose_in_second_session(seen: Seen) -> Reply:
    """Recall, and answer what was found with its mark."""
    results = _results(seen)
    if refusal := _refuse_names(seen):
        return refusal
    if not results:
        return _calling("memory_recall", query=seen.body["messages"][1]["content"])
    mark = MARK.search(results[0])
    assert mark
    return _answering(f"{results[0].splitlines()[0].rpartition(') ')[2]} {mark[0]}")


def _results(seen: Seen) -> list[str]:
    return [str(message["content"]) for message in seen.body["messages"] if message["role"] == "tool"]


def _refuse_names(seen: Seen) -> Reply | None:
    names = [tool["function"]["name"] for tool in seen.body["tools"]]
    unfit = [name for name in names if not ACCEPTED_NAME.fullmatch(name)]
    return failing(400, f"Invalid tools[].function.name: {unfit[0]}") if unfit else None


def _calling(name: str, **arguments: Any) -> Reply:
    call = {"id": f"call_{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    return _replying({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls")


def _answering(text: str) -> Reply:
    return _replying({"role": "assistant", "content": text}, "stop")


def _replying(message: dict[str, Any], reason: str) -> Reply:
    choice = {"index": 0, "message": message, "finish_reason": reason}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "model": "scripted", "choices": [choice]}
    return Reply(raw=json.dumps(body).encode())
