"""Session files of Claude Code: one JSON object a line, one file a session. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from workspace_memory.importing.items import Item, MessageItem, Skipped, check_message, moment, table_of, text_of, texts
from workspace_memory.importing.partial_json import lines

TURNS = frozenset({"user", "assistant"})
# What the program puts into a turn of the user: reminders, and what the editor has open.
_ADDED = re.compile(r"<(system-reminder|ide_[a-z_]+)>.*?</\1>", re.DOTALL)
# A turn that the program wrote: a command and what it printed, a shell line and what it printed, a notice.
_COMMAND = re.compile(r"\s*(?:<(?:command-|local-command-|bash-|task-notification)|\[Request interrupted by user)")
# Of older versions, which do not mark it.
_COMPACTION = "This session is being continued from a previous conversation"


def session(found: Iterable[str], where: str, *, session_id: str) -> Iterator[Item]:
    """What people and the agent said.

    Tool calls, their results, thoughts, side chains, commands and summaries of what was compacted are left out and
    counted.
    """
    left: dict[str, int] = {}
    for place, value in lines(found, where):
        item = value if isinstance(value, Skipped) else _message(table_of(value), place, session_id)
        if isinstance(item, str):
            left[item] = left.get(item, 0) + 1
        else:
            yield item
    for why, count in sorted(left.items()):
        yield Skipped(where, why, f"Lines: {count}.")


def _message(entry: dict[str, Any], place: str, session_id: str) -> Item | str:
    """The message of a line, or in one word what else it is."""
    if text_of(entry.get("type")) not in TURNS:
        return "no_message"
    if entry.get("isSidechain") is True or entry.get("isMeta") is True:
        return "side_chain"
    role = text_of(entry["type"])
    text = "\n".join(filter(None, texts(table_of(entry.get("message")).get("content"))))
    if role == "user":
        if entry.get("isCompactSummary") is True or text.startswith(_COMPACTION):
            return "compaction"
        if _COMMAND.match(text):
            return "command"
        text = _ADDED.sub("", text).strip()
    if not text:
        return "tool_or_thought"
    key = text_of(entry.get("uuid")) or place.rpartition(":")[2]
    conversation = f"claude-code/{text_of(entry.get('sessionId')) or session_id}"
    return check_message(place, MessageItem(conversation, key, role, text, at=moment(entry.get("timestamp"))))
