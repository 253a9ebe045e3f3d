"""Counting what one call of a model has used so far, also when it fails in the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.text.tokens import count_tokens
from llm.providers.types import Answer, Prompt

# More than any model reads or writes at once; what is counted of several answers still fits into a column.
MAX_TOKENS = 100_000_000


@dataclass
class Meter:
    """Tokens by the provider's count, and by ours where it reports none; and how the last answer ended."""

    input_tokens: int = 0
    output_tokens: int = 0
    answers: int = 0
    last: str = ""

    def add(self, prompt: Prompt, answer: Answer) -> None:
        """Count an answer that came."""
        self.input_tokens += answer.input_tokens or prompt.tokens
        self.output_tokens += answer.output_tokens or count_tokens(answer.text)
        self.answers += 1
        self.last = f"{answer.finish_reason}, {len(answer.text)} characters"
        if self.answers > 1:
            self.last += f", answer {self.answers}"


def believe_count(tokens: Any) -> int:
    """Return the tokens that a provider counted; 0 for what cannot be a count."""
    return tokens if isinstance(tokens, int) and 0 < tokens <= MAX_TOKENS else 0
