"""Agents of three frameworks over MCP, with a model that refuses names as strictly as any published rule."""

from __future__ import annotations

import pytest

from mcp_server.registry import listed_name
from mcp_server.tool_sets import CORE
from tests.cast import RestClient
from tests.client.integrations.conftest import PROGRAMS, Run
from tests.client.integrations.model_replies import refuse_names, work_with_core_tools
from tests.llm.server import ModelServer, Seen


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("framework", ["openai_agents", "pydantic_ai", "langchain"])
def test_an_agent_works_a_whole_session_with_the_core_tools(
    run: Run, acme: RestClient, model: ModelServer, framework: str
) -> None:
    model.chooses = work_with_core_tools

    names, answer = run(PROGRAMS / f"mcp_{framework}.py").splitlines()[-2:]

    [memory] = acme.get("memories").json()["results"]
    assert set(names.split()) == {listed_name(name) for name in CORE}
    assert answer == f"Noted [mem:{memory['id']}]."
    assert memory["content"] == "The kiln is fired on Thursdays."
    assert memory["times_referenced"] == 1
    assert [one["status"] for one in acme.get("runs").json()["results"]] == ["succeeded"]
    offered = {tool.get("function", tool)["name"] for seen in model.seen for tool in seen.body["tools"]}
    assert offered == {listed_name(name) for name in CORE}


def test_the_model_refuses_what_providers_refuse() -> None:
    for name in ("memory.recall", "a" * 65, "memory recall", ""):
        body = {"tools": [{"type": "function", "function": {"name": name}}]}
        refusal = refuse_names(Seen("/v1/chat/completions", {}, body))
        assert refusal is not None
        assert refusal.status == 400
