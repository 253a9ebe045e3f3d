"""What model providers on loopback reply to the programs of these tests, in the wire formats of three APIs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.llm.server import Reply, Seen, failing

# The strictest published rule for names of tools: one name against it, and the whole request is refused.
ACCEPTED_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
# What a client gives its model of a result is its text, or its fields in JSON.
MEMORY = re.compile(r"\[mem:([0-9a-f-]{36})\]|\"id\":\s*\"([0-9a-f-]{36})\"")
RUN = re.compile(r"run_id ([0-9a-f-]{36})|\"id\":\s*\"([0-9a-f-]{36})\"")
REMEMBER = "Remember: "
FILE = "/memories/people.md"


def echo(seen: Seen) -> Reply:
    """Say back all that the model was given; first call a tool to remember, where it is asked to and has one."""
    if refusal := refuse_names(seen):
        return refusal
    if seen.path.startswith("/v1/messages"):
        return _keep_files(seen)
    texts = [*_texts(seen.body.get("instructions")), *_texts(seen.body.get("messages", seen.body.get("input")))]
    asked = next((text for text in reversed(texts) if text.startswith(REMEMBER)), None)
    tools = {tool.get("function", tool).get("name") for tool in seen.body.get("tools", ())}
    if asked and "remember" in tools and not results(seen):
        return call(seen, "remember", statement=asked.removeprefix(REMEMBER))
    return say(seen, "I was given: " + " | ".join(texts))


def work_with_core_tools(seen: Seen) -> Reply:
    """Recall, remember, start a run, finish it with a citation, answer: a whole session by the core tools."""
    if refusal := refuse_names(seen):
        return refusal
    found = results(seen)
    match len(found):
        case 0:
            return call(seen, "memory_recall", query="When is the kiln fired?")
        case 1:
            return call(seen, "memory_remember", content="The kiln is fired on Thursdays.")
        case 2:
            return call(seen, "run_start", agent="potter")
        case 3:
            return call(seen, "run_finish", run_id=_id(RUN, found[2]), output=f"Noted [mem:{_id(MEMORY, found[1])}].")
        case _:
            return say(seen, f"Noted [mem:{_id(MEMORY, found[1])}].")


def _id(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    assert match, text
    return match[1] or match[2]


def refuse_names(seen: Seen) -> Reply | None:
    """Refuse a request as providers do whose rule one name of a tool breaks."""
    for place, tool in enumerate(seen.body.get("tools", ())):
        name = tool.get("function", tool).get("name", "")
        if not ACCEPTED_NAME.fullmatch(name):
            return failing(400, f"Invalid 'tools[{place}].function.name': string does not match pattern ({name}).")
    return None


def results(seen: Seen) -> list[str]:
    """Return what tools have answered so far, in the format of chat completions or of responses."""
    items = seen.body.get("messages", seen.body.get("input"))
    given = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    answers = [item for item in given if item.get("role") == "tool" or item.get("type") == "function_call_output"]
    return ["\n".join(_texts(item.get("content", item.get("output")))) for item in answers]


def say(seen: Seen, text: str) -> Reply:
    """Reply with a text."""
    if seen.path.endswith("/responses"):
        content = [{"type": "output_text", "text": text, "annotations": []}]
        return _response({"type": "message", "role": "assistant", "status": "completed", "content": content})
    return _completion({"role": "assistant", "content": text}, "stop")


def call(seen: Seen, tool: str, **arguments: Any) -> Reply:
    """Reply with the call of a tool."""
    name, number = {"name": tool, "arguments": json.dumps(arguments)}, f"call_{len(results(seen))}"
    if seen.path.endswith("/responses"):
        return _response({"type": "function_call", "call_id": number, "status": "completed", **name})
    calls = [{"id": number, "type": "function", "function": name}]
    return _completion({"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls")


def _keep_files(seen: Seen) -> Reply:
    """Reply as a model with Anthropic's memory tool: keep what it is asked to in a file, else read the files."""
    messages, before = seen.body["messages"], seen.body.get("thread", {}).get("previous_message_id")
    said = list(_texts(messages[-1]["content"]))
    steps: list[dict[str, Any]] = [{"command": "view", "path": "/memories"}, {"command": "view", "path": FILE}]
    # A client that keeps a thread sends what is new alone, and the id of the message before it.
    step = int(before.removeprefix("msg_")) + 1 if before else 0
    if said[0].startswith(REMEMBER):
        steps, step = [{"command": "create", "path": FILE, "file_text": said[0].removeprefix(REMEMBER)}], 0
    if step < len(steps) and not said[0].startswith("File created"):
        block: dict[str, Any] = {"type": "tool_use", "id": f"toolu_{step}", "name": "memory", "input": steps[step]}
        return _message(step, block, "tool_use")
    return _message(step, {"type": "text", "text": " | ".join(said)}, "end_turn")


def _message(step: int, block: dict[str, Any], reason: str) -> Reply:
    usage = {"input_tokens": 1, "output_tokens": 1}
    head = {"id": f"msg_{step}", "type": "message", "role": "assistant", "model": "scripted", "stop_sequence": None}
    return Reply(raw=json.dumps({**head, "content": [block], "stop_reason": reason, "usage": usage}).encode())


def _response(item: dict[str, Any]) -> Reply:
    usage = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    head = {"id": "resp_1", "object": "response", "created_at": 1_780_000_000, "model": "scripted"}
    rest = {"status": "completed", "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": usage}
    return Reply(raw=json.dumps({**head, "output": [{"id": "item_1", **item}], **rest}).encode())


def _completion(message: dict[str, Any], reason: str) -> Reply:
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_780_000_000, "model": "scripted"}
    return Reply(raw=json.dumps({**head, "choices": [choice], "usage": usage}).encode())


def _texts(content: Any) -> Iterator[str]:
    """Yield every text of a content, however it is nested."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            yield from _texts(part)
    elif isinstance(content, dict):
        yield from _texts(content.get("content", content.get("text", content.get("output"))))
