"""A crew of CrewAI that remembers in any process."""

import sys

from crewai import Agent, Crew, Task

from workspace_memory.integrations.crewai import WorkspaceMemory

agent = Agent(role="Cook", goal="Cook what agrees with everybody", backstory="You cook for a household.", llm="gpt-5")
task = Task(description=sys.argv[1], expected_output="An answer", agent=agent)
print(Crew(agents=[agent], tasks=[task], memory=WorkspaceMemory(llm="gpt-5")).kickoff())
