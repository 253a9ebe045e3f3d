"""What people and the agent said, out of a transcript of Claude Code. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

ROLES = ("user", "assistant")
# Marks of what the hook itself puts into a prompt, and of what the client adds to what a person typed.
OPENING, CLOSING = "<workspace-memory>", "</workspace-memory>"
_INJECTED = ("workspace-memory", "system-reminder", "user-prompt-submit-hook")
# Tags with which a client tells a model what is whose word, however they are written: what others have stored neither
# ends the block that it stands in nor begins one of these.
_TAG = re.compile(
    r"[<＜﹤‹](?=\s{0,3}[/／]?\s{0,3}(?:workspace-memory|user-prompt-submit-hook|system(?![\w.])|command-|local-command-|"
    r"bash-|task-notification|function_|tool_|antml:))",
    re.IGNORECASE,
)
_OF_THE_CLIENT = re.compile(
    r"\s*(?:<(?:command-name|command-message|command-args|local-command-stdout|local-command-caveat|bash-input|"
    r"bash-stdout|task-notification)>|Caveat: The messages below were generated|\[Request interrupted by user)"
)
_MARKS = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage")
MAX_CHARACTERS = 50_000
CUT = "\n… (cut by the hook)"


def messages_of(lines: bytes, *, session: str = "") -> list[dict[str, str]]:
    """Return the messages of whole lines of a transcript, in order: role, content, and the time where it is known.

    Tool calls and their results, thoughts, side chains, summaries, commands and what hooks injected are left out, and
    with a `session` what a resumed one has copied from another.
    """
    found: list[dict[str, str]] = []
    last = ""
    for entry in _entries(lines):
        role, text = str(entry["type"]), _text(entry)
        if not text or (session and entry.get("sessionId") not in (None, session)):
            continue
        at = entry.get("timestamp")
        # One answer of a model may be several entries.
        if role == last == "assistant":
            found[-1]["content"] = _cut(f"{found[-1]['content']}\n\n{text}")
        else:
            found.append({"role": role, "content": _cut(text), **({"created_at": at} if isinstance(at, str) else {})})
        last = role
    return found


def last_turn_offset(text: bytes) -> int:
    """Return where the last prompt of a person begins in a transcript; its end where there is none."""
    offset, found = 0, len(text)
    for line in text.splitlines(keepends=True):
        if any(entry["type"] == "user" and _text(entry) for entry in _entries(line)):
            found = offset
        offset += len(line)
    return found


def strip_injected(text: str) -> str:
    """Return the text without what hooks and the client put into it."""
    for name in _INJECTED:
        text = _without(text, f"<{name}>", f"</{name}>")
    return text.strip()


def mark_injected(text: str) -> str:
    """Return the text between the marks by which a capture leaves it out; it cannot end them by itself."""
    return f"{OPENING}\n{_TAG.sub('(', text)}\n{CLOSING}"


def _without(text: str, opening: str, closing: str) -> str:
    """Return the text without what stands between two marks. Each is looked for once, however many do not end."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(closing)
    return "".join([*kept, text[at:]])


def _entries(lines: bytes) -> Iterator[dict[str, object]]:
    for line in lines.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and entry.get("type") in ROLES and not any(entry.get(mark) for mark in _MARKS):
            yield entry


def _text(entry: dict[str, object]) -> str:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        parts = [content]
    else:
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        parts = [str(block.get("text", "")) for block in blocks if block.get("type") == "text"]
    kept = [strip_injected(part) for part in parts if not _OF_THE_CLIENT.match(part)]
    return "\n".join(filter(None, kept))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - len(CUT)] + CUT
