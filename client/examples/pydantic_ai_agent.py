"""An agent of pydantic-ai that is given what is remembered, and remembers what it is asked to."""

import sys

from pydantic_ai import Agent

from workspace_memory.integrations.pydantic_ai import memory_toolset, recall_instructions

agent = Agent("openai:gpt-5", instructions=[recall_instructions()], toolsets=[memory_toolset()])
print(agent.run_sync(sys.argv[1]).output)
