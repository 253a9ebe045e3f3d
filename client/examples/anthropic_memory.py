"""Claude with a memory tool whose files are memories of a workspace."""

import sys

from anthropic import Anthropic

from workspace_memory.integrations.anthropic import WorkspaceMemoryTool

runner = Anthropic().beta.messages.tool_runner(
    model="claude-sonnet-5-5",
    max_tokens=1024,
    messages=[{"role": "user", "content": sys.argv[1]}],
    tools=[WorkspaceMemoryTool()],
)
print(*(block.text for block in runner.until_done().content if block.type == "text"))
