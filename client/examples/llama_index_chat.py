"""A chat of LlamaIndex that goes on in any process."""

import sys

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM

from workspace_memory.integrations.llama_index import WorkspaceChatMemory

llm = MockLLM()  # says back what it is given; any LLM in its place
print(SimpleChatEngine.from_defaults(llm=llm, memory=WorkspaceChatMemory("support/42")).chat(sys.argv[1]))
