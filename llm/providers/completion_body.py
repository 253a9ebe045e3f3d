"""Bodies of OpenAI's chat completions, whole or in chunks: what is read of an answer that is passed on. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.text import storable
from llm.providers.types import BROKE_OFF, Answer
from llm.providers.usage import believe_count

DATA = b"data:"
DONE = b"[DONE]"


def read_completion(content: bytes) -> Answer | None:
    """Return what a whole answer says; None for what is not a chat completion."""
    body = _as_object(_read_json(content))
    choice = _first_choice(body)
    if choice is None:
        return None
    text = _text(_as_object(choice.get("message")).get("content"))
    return Answer(text, _reason(choice) or "stop", *_usage(body))


@dataclass
class CompletionChunks:
    """What the lines of a stream have said so far."""

    has_begun: bool = False
    is_done: bool = False
    has_failed: bool = False
    _reason: str = ""
    _tokens: tuple[int, int] = (0, 0)
    _pieces: list[str] = field(default_factory=list)

    def add(self, line: bytes) -> bool:
        """Take one line; return whether it only counts tokens, for which not every program has asked."""
        if not line.startswith(DATA):
            return False
        data = line.removeprefix(DATA).strip()
        if data == DONE:
            self.is_done = True
            return False
        body = _as_object(_read_json(data))
        self.has_failed = self.has_failed or body.get("error") is not None
        self._tokens = _usage(body) if body.get("usage") else self._tokens
        choice = _first_choice(body)
        if choice is None:
            return bool(body.get("usage"))
        self.has_begun = True
        self._pieces.append(_text(_as_object(choice.get("delta")).get("content")))
        self._reason = _reason(choice) or self._reason
        return False

    @property
    def is_complete(self) -> bool:
        """Whether the stream ended, and did not only stop."""
        return bool(self._reason or self.is_done) and not self.has_failed

    @property
    def answer(self) -> Answer:
        """The answer so far."""
        return Answer("".join(self._pieces), self._reason or ("stop" if self.is_done else BROKE_OFF), *self._tokens)


def _read_json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _as_object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _first_choice(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the first of several answers to one request: the others are passed on, and not kept."""
    choices = body.get("choices")
    found = [one for one in choices if isinstance(one, dict)] if isinstance(choices, list) else []
    return min(found, key=lambda one: 0 if one.get("index", 0) == 0 else 1, default=None)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(_text(_as_object(part).get("text")) for part in content)
    return storable(content) if isinstance(content, str) else ""


def _reason(choice: Mapping[str, Any]) -> str:
    reason = choice.get("finish_reason")
    return storable(reason)[:40] if isinstance(reason, str) else ""


def _usage(body: Mapping[str, Any]) -> tuple[int, int]:
    usage = _as_object(body.get("usage"))
    given, made = (usage.get(name) for name in ("prompt_tokens", "completion_tokens"))
    return believe_count(given), believe_count(made)
