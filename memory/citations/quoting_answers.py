"""How the chat answers without a model: by quotes of what is kept elsewhere, known by these words. Pure."""

from __future__ import annotations

NOTHING_FOUND = "and this workspace remembers nothing about that."
QUOTED_INTRO = "so this is what the workspace remembers about it:"
NEAREST_INTRO = "and nothing that the workspace remembers says it in these words. What comes nearest:"


def is_quoting_answer(text: str) -> bool:
    """Return whether a message quotes what was remembered then, or says that nothing was."""
    return any(words in text for words in (QUOTED_INTRO, NEAREST_INTRO, NOTHING_FOUND))
