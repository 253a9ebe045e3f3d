"""Messages of a request in OpenAI's form: what the user said last, and the same with material in front. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.text import encodable, storable, strip_invisible_characters

# One message of a request, as the program sent it.
ProgramMessage = Mapping[str, Any]


def find_question(messages: Sequence[ProgramMessage]) -> tuple[int, str] | None:
    """Return the place and the text of the last message of the user; None where it has no words, as a picture alone.

    The text is without characters that cannot be stored, and without invisible ones.
    """
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].get("role") == "user":
            text = strip_invisible_characters(storable(encodable(_text(messages[place].get("content"))))).strip()
            return (place, text) if text else None
    return None


def put_material(messages: Sequence[ProgramMessage], place: int, material: str) -> list[ProgramMessage]:
    """Return the messages with material in front of the words of one; all others, and its other fields, as they were.

    One message and not two, since some providers want the roles to alternate.
    """
    content = messages[place].get("content")
    if isinstance(content, str):
        filled: Any = f"{material}\n\n{content}"
    else:
        filled = [{"type": "text", "text": material}, *(content or ())]
    return [*messages[:place], {**messages[place], "content": filled}, *messages[place + 1 :]]


def _text(content: Any) -> str:
    """Return the words of a message, whose content is a text or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text")
    return "\n".join(text for text in texts if isinstance(text, str))
