"""What exports of ChatGPT, Claude and Claude Code become: what was said, what they remember, and what is not a turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from workspace_memory.importing import (
    chatgpt,
    claude,
    claude_code,
)
from workspace_memory.importing.items import Item, MemoryItem, MessageItem, Skipped


def kept(items: Iterator[Item]) -> list[Item]:
    return [item for item in items if not isinstance(item, Skipped)]


def notes(items: Iterator[Item]) -> list[tuple[str, str]]:
    return [(item.code, item.why) for item in items if isinstance(item, Skipped)]


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=UTC)


# ChatGPT


def chatgpt_value(*messages: dict[str, Any], key: str = "c-1", updated: float = 1767254400.0) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for place, message in enumerate(messages):
        parent = str(place - 1) if place else None
        mapping[str(place)] = {"id": str(place), "message": message, "parent": parent, "children": []}
    last = str(len(messages) - 1)
    return {"conversation_id": key, "title": "Tea", "mapping": mapping, "current_node": last, "update_time": updated}


def instructions(about: str, answers: str, **fields: Any) -> dict[str, Any]:
    content = {
        "content_type": "user_editable_context",
        "user_profile": f"The user provided the following information about themselves.\n```{about}```",
        "user_instructions": f"The user provided additional info about how to respond:\n```{answers}```",
    }
    return {
        "id": "i",
        "author": {"role": "user"},
        "content": content,
        "metadata": {"is_user_system_message": True},
        **fields,
    }


def read_chatgpt(*values: dict[str, Any]) -> list[Item]:
    export = chatgpt.ChatGPTExport()
    found = [item for place, value in enumerate(values) for item in export.items(value, f"x[{place}]")]
    return [*found, *export.rest()]


def test_speech_is_kept_as_it_was_understood() -> None:
    spoken = {
        "id": "m-1",
        "author": {"role": "user"},
        "create_time": 1767254400.0,
        "content": {
            "content_type": "multimodal_text",
            "parts": [
                {"content_type": "audio_transcription", "text": "When is tea ordered?", "direction": "in"},
                {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_1"},
            ],
        },
    }

    (item,) = read_chatgpt(chatgpt_value(spoken))

    assert isinstance(item, MessageItem)
    assert (item.role, item.content) == ("user", "When is tea ordered?")


def test_custom_instructions_become_memories_as_they_were_last() -> None:
    hidden = {"is_user_system_message": True, "is_visually_hidden_from_conversation": True}
    early = chatgpt_value(instructions("I bake bread.", "Be brief.", metadata=hidden), key="c-1", updated=1.0)
    late = chatgpt_value(instructions("I bake cakes.", "Be brief."), key="c-2", updated=2.0)

    items = read_chatgpt(late, early, late)

    assert [(item.content, item.tags) for item in items if isinstance(item, MemoryItem)] == [
        ("What the user says about themselves:\n\nI bake cakes.", ("chatgpt", "custom-instructions")),
        ("How the user wants to be answered:\n\nBe brief.", ("chatgpt", "custom-instructions")),
    ]
    assert notes(iter(items)) == [("earlier_version", "Custom instructions that were changed or removed later: 1.")]


def test_what_chatgpt_saved_about_the_user_becomes_memories_with_their_dates() -> None:
    saved = (
        "# Model Set Context\n\n1. [2026-01-02]. Drinks green tea.\n2. [2026-02-03]. Has two shops,\none of them new."
    )
    content = {"content_type": "model_editable_context", "model_set_context": saved}
    message = {"id": "s", "author": {"role": "assistant"}, "content": content}

    items = read_chatgpt(chatgpt_value(message))

    assert items == [
        MemoryItem("Drinks green tea.", ("chatgpt", "saved-memory"), day(1, 2)),
        MemoryItem("Has two shops,\none of them new.", ("chatgpt", "saved-memory"), day(2, 3)),
    ]


# Claude


def test_what_claude_remembers_becomes_a_memory_for_each_heading() -> None:
    export = claude.ClaudeExport()
    project = {
        "uuid": "p-1",
        "name": "Ovens",
        "prompt_template": "Answer in Celsius.",
        "created_at": "2026-01-02T00:00:00Z",
    }
    documents = [{"filename": "plan.md", "content": "x" * 2_000}]
    memories = {
        "conversations_memory": "**Work context**\n\nAlice runs two shops.\n\n**Personal context**\n\nShe drinks tea.",
        "project_memories": {"p-1": "The third oven is new."},
        "account_uuid": "a",
    }

    items = [
        *export.items(project | {"docs": documents}, "projects.json[0]"),
        *export.items(memories, "memories.json[0]"),
    ]

    assert kept(iter(items)) == [
        MemoryItem("Instructions of the project Ovens\n\nAnswer in Celsius.", ("claude", "project:Ovens"), day(1, 2)),
        MemoryItem("Work context\n\nAlice runs two shops.", ("claude", "memory")),
        MemoryItem("Personal context\n\nShe drinks tea.", ("claude", "memory")),
        MemoryItem("The third oven is new.", ("claude", "memory", "project:Ovens")),
    ]
    ((code, why),) = notes(iter(items))
    assert (code, why) == (
        "document",
        "plan.md of 2,000 characters is a document. Import it as Markdown, if it is to be remembered.",
    )


# Claude Code


@pytest.mark.parametrize(
    ("fields", "text", "left"),
    [
        ({}, "<command-name>/clear</command-name>\n<command-args></command-args>", "command"),
        ({}, "<local-command-stdout>Cleared.</local-command-stdout>", "command"),
        ({}, "<bash-input>ls</bash-input>", "command"),
        ({}, "[Request interrupted by user for tool use]", "command"),
        ({"isCompactSummary": True}, "The user asked for tea.", "compaction"),
        ({}, "This session is being continued from a previous conversation that ran out of context.", "compaction"),
        ({}, "<system-reminder>Do this.</system-reminder>", "tool_or_thought"),
    ],
)
def test_what_the_program_writes_in_the_users_place_is_not_what_the_user_said(
    fields: dict[str, Any], text: str, left: str
) -> None:
    line = {"type": "user", "uuid": "u-1", "message": {"role": "user", "content": text}, **fields}

    assert notes(claude_code.session([json.dumps(line)], "s", session_id="s")) == [(left, "Lines: 1.")]


def test_a_reminder_is_cut_out_of_what_the_user_said() -> None:
    said = "<system-reminder>Do this.</system-reminder>\nHow hot is it?\n<ide_selection>oven.py</ide_selection>"
    line = {"type": "user", "uuid": "u-1", "message": {"content": said}}

    (item,) = kept(claude_code.session([json.dumps(line)], "s", session_id="s"))

    assert isinstance(item, MessageItem)
    assert item.content == "How hot is it?"
