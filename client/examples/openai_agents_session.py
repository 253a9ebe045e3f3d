"""An agent of the OpenAI Agents SDK whose conversation goes on in any process."""

import sys

from agents import Agent, Runner

from workspace_memory.integrations.openai_agents import WorkspaceSession

agent = Agent(name="Clerk", instructions="Answer briefly.")
print(Runner.run_sync(agent, sys.argv[1], session=WorkspaceSession("support/42")).final_output)
