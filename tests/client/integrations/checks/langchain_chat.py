"""Chats of LangChain: history, retriever, recall."""

from __future__ import annotations

import warnings

from checks.households import outsider, wait_for
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from workspace_memory import Memory
from workspace_memory.integrations.langchain import WorkspaceChatHistory, WorkspaceRetriever, with_recall

warnings.filterwarnings("ignore", message=".*BaseChatMessageHistory.*")
MESSAGES: list[BaseMessage] = [
    HumanMessage("How hot is oven 3?", id="h-1"),
    AIMessage("", tool_calls=[{"name": "read_oven", "args": {"oven": 3}, "id": "c-1"}], id="a-1"),
    ToolMessage("230 \x1b[0m", tool_call_id="c-1", id="t-1"),
    AIMessage([{"type": "text", "text": "230 degrees."}], id="a-2", usage_metadata=None),
]


def check_that_a_history_comes_back_exactly() -> None:
    history = WorkspaceChatHistory("ovens")
    assert history.messages == []
    history.add_messages(MESSAGES)
    assert WorkspaceChatHistory("ovens", Memory()).messages == MESSAGES
    assert WorkspaceChatHistory("ovens", limit=1).messages == MESSAGES[-1:]
    Memory().session("ovens").history.append("user", "Typed in the console.")
    assert wait_for(history.aget_messages())[-1] == HumanMessage("Typed in the console.")
    shown = Memory().session("ovens").history.last()
    assert [message.role for message in shown] == ["user", "assistant", "tool", "assistant", "user"]
    assert shown[3].content == "230 degrees."
    history.clear()
    assert history.messages == []


def check_that_the_retriever_finds_memories() -> None:
    memory = Memory()
    stored = memory.write("Oven 3 runs ten degrees hot.", tags=["equipment"])
    memory.write("Tea is ordered on Mondays.")
    (found, *_) = WorkspaceRetriever().invoke("How hot is the third oven?")
    assert (found.id, found.page_content) == (stored.id, stored.content)
    assert found.metadata["citation"] == stored.citation
    narrow = WorkspaceRetriever(memory=memory, k=1, filters={"tags": ["equipment"]})
    assert [one.id for one in wait_for(narrow.ainvoke("tea or oven"))] == [stored.id]


def check_that_recall_is_put_in_front_of_the_messages() -> None:
    memory = Memory()
    given = with_recall(memory, [HumanMessage("How hot is oven 3?")])
    assert [message.type for message in given] == ["system", "human"]
    assert "ten degrees hot" in given[0].text
    given = with_recall(
        memory, [SystemMessage("Answer briefly."), HumanMessage("How hot is oven 3?")], token_budget=500
    )
    assert [message.type for message in given] == ["system", "human"]
    assert given[0].text.startswith("Answer briefly.")
    assert with_recall(memory, []) == []


def check_that_outsiders_and_other_users_see_nothing() -> None:
    memory = Memory()
    memory.for_user("mara").write("Mara's oven is blue.")
    WorkspaceChatHistory("own", memory.for_user("mara")).add_messages(MESSAGES[:1])
    for other in (memory.for_user("bob"), outsider()):
        assert WorkspaceChatHistory("own", other).messages == []
        assert "blue" not in str(WorkspaceRetriever(memory=other).invoke("Whose oven is it?"))
        assert "is blue" not in str(with_recall(other, [HumanMessage("Whose oven is it?")]))
