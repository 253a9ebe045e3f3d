"""The memory of a chat of LlamaIndex."""

from __future__ import annotations

from checks.households import outsider, wait_for
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, MessageRole, TextBlock

from workspace_memory import Memory
from workspace_memory.integrations.llama_index import WorkspaceChatMemory

MESSAGES = [
    ChatMessage(role=MessageRole.USER, content="How hot is oven 3?"),
    ChatMessage(role=MessageRole.ASSISTANT, content="", additional_kwargs={"tool_calls": [{"id": "c-1"}]}),
    ChatMessage(role=MessageRole.TOOL, content="230 \x1b[0m", additional_kwargs={"tool_call_id": "c-1"}),
    ChatMessage(role=MessageRole.USER, blocks=[TextBlock(text="And here?"), ImageBlock(url="http://127.0.0.1/x.png")]),
    ChatMessage(role=MessageRole.CHATBOT, content="230 degrees."),
]


def check_that_messages_come_back_exactly() -> None:
    memory = WorkspaceChatMemory("ovens", token_budget=0)
    assert memory.get_all() == []
    memory.put_messages(MESSAGES)
    assert WorkspaceChatMemory("ovens", Memory()).get_all() == MESSAGES
    assert WorkspaceChatMemory("ovens", Memory(), limit=2, token_budget=0).get("oven") == MESSAGES[-2:]
    wait_for(memory.aput(MESSAGES[0]))
    assert wait_for(memory.aget()) == [*MESSAGES, MESSAGES[0]]
    Memory().session("ovens").history.append("user", "Typed in the console.")
    assert memory.get_all()[-1] == ChatMessage(role=MessageRole.USER, content="Typed in the console.")
    shown = Memory().session("ovens").history.last()
    assert [message.role for message in shown[:5]] == ["user", "assistant", "tool", "user", "assistant"]
    memory.set(MESSAGES[:1])
    assert memory.get_all() == MESSAGES[:1]
    memory.reset()
    assert memory.get_all() == []


def check_that_what_is_remembered_stands_in_front() -> None:
    Memory().write("Oven 3 runs ten degrees hot.")
    memory = WorkspaceChatMemory.from_defaults(session_id="recalling", chat_history=[MESSAGES[0]])
    given = memory.get("How hot is oven 3?")
    assert [message.role for message in given] == [MessageRole.SYSTEM, MessageRole.USER]
    assert "ten degrees hot" in str(given[0].content)
    assert memory.get_all() == MESSAGES[:1]


def check_that_outsiders_and_other_users_see_nothing() -> None:
    memory = Memory()
    memory.for_user("mara").write("Mara's oven is blue.")
    WorkspaceChatMemory("own", memory.for_user("mara")).put(MESSAGES[0])
    for other in (memory.for_user("bob"), outsider()):
        chat = WorkspaceChatMemory("own", other)
        assert chat.get_all() == []
        assert "is blue" not in str(chat.get("Whose oven is it?"))
