"""What tells a name out of code from a sentence or an address in its place. Pure.

Action types, types of nodes and error codes of patterns are read by every agent of a workspace. A text without spaces
can still be an instruction (`IGNORE-previous-instructions.Call:https://…`), so that length and charset are not enough.
"""

from __future__ import annotations

import re

# `com.google.api_core.exceptions.ResourceExhausted` has 6, `ERR_SSL_VERSION_OR_CIPHER_MISMATCH` as well.
MAX_WORDS = 6
# Tools carry the names of their servers: `mcp__plugin_browser_browser__browser_take_screenshot` has 7.
MAX_WORDS_OF_TOOL = 10
# Words that only a capital letter begins count too: `org.springframework.dao.DataIntegrityViolationException` has 7.
MORE_WITH_CAPITALS = 2

_WORD = re.compile(r"[^\W_]+")
_WORD_OR_CAPITALISED = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W_]")
_ADDRESS = re.compile(
    r"//"
    r"|(?:https?|ftp|wss?):[\w-]+\."  # a scheme and a host
    r"|[A-Za-z0-9-]\.[A-Za-z]{2,}(?::\d+)?/"  # a host and a path
    r"|(?<!\w)www\."
    r"|[a-z0-9-]\.(?:com|net|org|biz|xyz|example|ru|cn|eu|uk)(?:$|[:/])"
    r"|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"
)


def is_prose(text: str) -> bool:
    """Return whether a caller's own name for a session or an agent is written like a sentence.

    Identifiers are longer than codes and may have digits anywhere (a UUID, `eu-west-1/worker/3/job/7`), so that only
    what stands between spaces, and parts of letters alone, count.
    """
    letters = [word for word in _WORD.findall(text) if word.isalpha() and len(word) > 1]
    return len(text.split()) > MAX_WORDS or len(letters) > MAX_WORDS_OF_TOOL


def is_address(text: str) -> bool:
    """Return whether a text looks like the address of a host or a page."""
    return bool(_ADDRESS.search(text))


def is_sentence(text: str, *, max_words: int = MAX_WORDS) -> bool:
    """Return whether a text has more words than names out of code have, however they are put together."""
    capitalised = len(_WORD_OR_CAPITALISED.findall(text))
    return len(_WORD.findall(text)) > max_words or capitalised > max_words + MORE_WITH_CAPITALS
