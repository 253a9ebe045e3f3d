"""An agent of pydantic-ai with the core tools."""

from __future__ import annotations

import asyncio
import os

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset


async def work() -> None:
    """Print the names of the tools, and what the agent answers."""
    headers = {"Authorization": f"Bearer {os.environ['WSM_KEY']}"}
    toolset: MCPToolset[None] = MCPToolset(f"{os.environ['WSM_URL']}/mcp", headers=headers)
    agent = Agent("openai-chat:gpt-5", toolsets=[toolset])
    async with agent:
        print(*sorted(tool.name for tool in await toolset.list_tools()))
        print((await agent.run("Note when the kiln is fired.")).output)


with asyncio.Runner() as runner:
    runner.run(work())
