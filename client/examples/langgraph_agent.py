"""A graph of LangGraph whose long-term memory is a workspace."""

import sys
from uuid import uuid4

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore

from workspace_memory.integrations.langgraph import WorkspaceStore

NAMESPACE = ("memories", "mara")


def answer(state: MessagesState, *, store: BaseStore) -> MessagesState:
    said = state["messages"][-1].text
    known = [item.value["text"] for item in store.search(NAMESPACE, query=said, limit=5)]
    store.put(NAMESPACE, str(uuid4()), {"text": said})
    return {"messages": [ChatOpenAI(model="gpt-5").invoke([SystemMessage("\n".join(known)), *state["messages"]])]}


graph = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer").compile(store=WorkspaceStore(user_at=1))
print(graph.invoke({"messages": [HumanMessage(sys.argv[1])]})["messages"][-1].text)
