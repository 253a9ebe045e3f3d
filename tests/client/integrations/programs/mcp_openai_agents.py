"""An agent of the OpenAI Agents SDK with the core tools."""

from __future__ import annotations

import asyncio
import os

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp


async def work() -> None:
    """Print the names of the tools, and what the agent answers."""
    headers = {"Authorization": f"Bearer {os.environ['WSM_KEY']}"}
    async with MCPServerStreamableHttp(params={"url": f"{os.environ['WSM_URL']}/mcp", "headers": headers}) as server:
        print(*sorted(tool.name for tool in await server.list_tools()))
        agent = Agent(name="potter", model="gpt-5", mcp_servers=[server])
        print((await Runner.run(agent, "Note when the kiln is fired.")).final_output)


with asyncio.Runner() as runner:
    runner.run(work())
