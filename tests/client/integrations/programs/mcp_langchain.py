"""An agent of LangChain, which is a graph of LangGraph, with the core tools."""

from __future__ import annotations

import asyncio
import os

from langchain.agents import create_agent
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI


async def work() -> None:
    """Print the names of the tools, and what the agent answers."""
    headers = {"Authorization": f"Bearer {os.environ['WSM_KEY']}"}
    server = {"transport": "streamable_http", "url": f"{os.environ['WSM_URL']}/mcp", "headers": headers}
    tools = await MultiServerMCPClient({"memory": server}).get_tools()
    print(*sorted(tool.name for tool in tools))
    agent = create_agent(ChatOpenAI(model="gpt-5"), tools)
    done = await agent.ainvoke({"messages": [("user", "Note when the kiln is fired.")]})
    print(done["messages"][-1].text)


with asyncio.Runner() as runner:
    runner.run(work())
