"""The session of the OpenAI Agents SDK."""

from __future__ import annotations

import json
from typing import Any

from agents import Agent, RunConfig, Runner
from agents.memory import Session
from checks.households import outsider, wait_for

from workspace_memory import Memory
from workspace_memory.integrations.openai_agents import WorkspaceSession, recall_filter

ITEMS: list[Any] = [
    {"role": "user", "content": "Bake pale bread for Mara."},
    {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "Here is a picture."},
            {"type": "input_image", "image_url": "data:x"},
        ],
    },
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look at the oven."}]},
    {"type": "function_call", "call_id": "c_1", "name": "read_oven", "arguments": '{"oven": 3}', "id": "fc_1"},
    {"type": "function_call_output", "call_id": "c_1", "output": "\x1b[31m230\x1b[0m degrees\x00"},
    {"type": "function_call_output", "call_id": "c_2", "output": "long " * 12_000},
    {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Lower it by 10 degrees.", "annotations": []}],
    },
]


def check_that_every_item_comes_back_exactly() -> None:
    async def work() -> None:
        session = WorkspaceSession("oven/1")
        assert isinstance(session, Session)
        assert await session.get_items() == []
        await session.add_items(ITEMS)
        again = WorkspaceSession("oven/1", Memory())
        assert json.dumps(await again.get_items()) == json.dumps(ITEMS)
        assert await again.get_items(limit=2) == ITEMS[-2:]
        assert await again.get_items(limit=0) == []

    wait_for(work())


def check_that_people_read_what_was_said() -> None:
    shown = Memory().session("oven/1").history.last()
    assert [message.role for message in shown] == ["user", "user", "tool", "tool", "tool", "tool", "assistant"]
    assert shown[0].content == "Bake pale bread for Mara."
    assert shown[3].content == 'read_oven({"oven": 3})'
    assert shown[-1].content == "Lower it by 10 degrees."
    found = Memory().conversations.search("pale bread", conversation="oven/1")
    assert found[0].message.id == shown[0].id


def check_that_items_are_taken_back_newest_first() -> None:
    async def work() -> None:
        session = WorkspaceSession("oven/1")
        assert await session.pop_item() == ITEMS[-1]
        assert await session.pop_item() == ITEMS[-2]
        assert len(await session.get_items()) == len(ITEMS) - 2
        assert await session.get_items(limit=1) == ITEMS[-3:-2]
        await session.add_items(ITEMS[:1])
        assert await session.get_items(limit=2) == [ITEMS[-3], ITEMS[0]]

    wait_for(work())


def check_that_what_others_say_in_the_conversation_is_read() -> None:
    Memory().session("oven/1").history.append("assistant", "A person has answered meanwhile.")
    newest = wait_for(WorkspaceSession("oven/1").get_items(limit=1))
    assert newest == [{"role": "assistant", "content": "A person has answered meanwhile."}]


def check_that_more_than_a_page_is_read() -> None:
    async def work() -> None:
        session = WorkspaceSession("long")
        items: list[Any] = [{"role": "user", "content": f"Line {number}."} for number in range(450)]
        await session.add_items(items)
        assert await session.get_items() == items
        assert await session.get_items(limit=201) == items[-201:]

    wait_for(work())


def check_that_a_cleared_session_is_empty_and_begins_again() -> None:
    async def work() -> None:
        session = WorkspaceSession("oven/1")
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.clear_session()
        await session.add_items(ITEMS[:1])
        assert await session.get_items() == ITEMS[:1]

    wait_for(work())


def check_that_recall_is_in_the_instructions_and_not_in_the_session() -> None:
    Memory().write("Oven 3 runs ten degrees hot.")
    session = WorkspaceSession("recall")
    asked = Runner.run(
        Agent(name="Clerk", instructions="Answer briefly."),
        "How hot is oven 3?",
        session=session,
        run_config=RunConfig(call_model_input_filter=recall_filter(Memory(), token_budget=500)),
    )
    said = wait_for(asked).final_output  # the model says back what it was given
    kept = wait_for(session.get_items())
    assert "ten degrees hot" in said
    assert "Answer briefly." in said
    assert "remembered" not in json.dumps(kept[0])
    assert [item.get("role") for item in kept] == ["user", "assistant"]


def check_that_outsiders_and_other_users_see_nothing() -> None:
    async def work() -> None:
        memory = Memory()
        mara = WorkspaceSession("private", memory.for_user("mara"))
        await mara.add_items(ITEMS[:1])
        assert await mara.get_items() == ITEMS[:1]
        for other in (memory.for_user("bob"), outsider()):
            assert await WorkspaceSession("private", other).get_items() == []
        assert await WorkspaceSession("oven/1", outsider()).get_items() == []

    wait_for(work())
