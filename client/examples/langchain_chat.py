"""A chat model of LangChain that goes on with its history in any process."""

import sys

from langchain_core.messages import HumanMessage
from langchain_openai import ChatOpenAI

from workspace_memory.integrations.langchain import WorkspaceChatHistory

history = WorkspaceChatHistory("support/42")
question = HumanMessage(sys.argv[1])
answer = ChatOpenAI(model="gpt-5").invoke([*history.messages, question])
history.add_messages([question, answer])
print(answer.text)
