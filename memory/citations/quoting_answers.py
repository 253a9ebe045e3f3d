"""How the chat answers without a model: by quotes of what is kept elsewhere, known by these words. Pure."""

from __future__ import annotations

NOTHING_FOUND = "and this workspace remembers nothing about that."
QUOTED_INTRO = "so this is what the workspace remembers about it:"


def is_quoting_answer(text: str) -> bool:
    """Return whether a message quotes what was remembered then, or says that nothing was."""
    return QUOTED_INTRO in text or NOTHING_FOUND in text
