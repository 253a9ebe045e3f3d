"""What passes between us and a provider, as plain values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Literal

from core.text import encodable
from core.text.tokens import count_tokens
from llm.providers.errors import ModelError


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One turn of the conversation that a model continues."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """Everything that a model is given."""

    system: str
    messages: tuple[PromptMessage, ...]

    @classmethod
    def of(cls, system: str, messages: Sequence[PromptMessage]) -> Prompt:
        """Return a prompt that every provider takes: lone surrogates become "?"; blank messages are left out, and
        answers to a question that is out of sight.
        """
        filled = [PromptMessage(each.role, encodable(each.content)) for each in messages if each.content.strip()]
        return cls(encodable(system), tuple(dropwhile(lambda each: each.role == "assistant", filled)))

    @property
    def sha256(self) -> str:
        """64 hex digits, equal for equal prompts."""
        parts = [self.system, *([message.role, message.content] for message in self.messages)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def tokens(self) -> int:
        """Our own count, for providers that report none."""
        return count_tokens("\n".join([self.system, *(message.content for message in self.messages)]))


# The finish reason of an answer that has none, because it never finished.
BROKE_OFF = "broke_off"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Tokens are the provider's count, 0 where it reports none."""

    text: str
    finish_reason: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A model at an address, with the key in clear: lives as long as one call and is never logged."""

    provider: str
    kind: str
    base_url: str
    model: str
    timeout_seconds: int
    key: str = field(repr=False)


class ProviderFailureError(Exception):
    """A provider gave no answer. `error` and `code`, the provider's name for it, may be shown; its words never are."""

    def __init__(self, error: ModelError, *, code: str = "", is_form_refused: bool = False) -> None:
        super().__init__(error.detail)
        self.error = error
        self.code = code
        self.is_form_refused = is_form_refused
