"""The forms of a text: the one to compare, the one to show, and whether it may be stored at all."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from uuid import UUID

from core.normal_forms import normal_form

# Only marks that can go without changing the meaning: "-5", ".NET", "C#" and "5%" keep theirs.
_QUOTES = "\"'`‘’“”‚„‹›«»"
_OPENING = _QUOTES + "([{¡¿ "
_CLOSING = _QUOTES + ")]}.,;:!?…。、 "

# NUL cannot be stored by Postgres, a lone surrogate not be encoded; the other controls have no business in prose.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
# Controls (tab and NEL among them), LINE SEPARATOR, PARAGRAPH SEPARATOR: whatever begins a line somewhere.
_NOT_ON_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def normalise(text: str) -> str:
    """Return the form in which two texts are compared for being exact duplicates; never shown or stored."""
    # Folding may undo the composition and composing may reveal something to fold: Unicode (D145) does both twice.
    for _ in range(2):
        text = normal_form("NFKC", text).casefold()
    collapsed = " ".join(normal_form("NFKC", text).split())
    return collapsed.lstrip(_OPENING).rstrip(_CLOSING) or collapsed


def fingerprint(*, workspace_id: UUID, text: str) -> str:
    """64 hex digits that say "the same text, in the same workspace", and nothing across workspaces."""
    # The id has a fixed length, so that no text of another workspace can produce the same bytes.
    return hashlib.sha256(workspace_id.bytes + normalise(text).encode("utf-8", "surrogatepass")).hexdigest()


def excerpt(text: str, *, limit: int) -> str:
    """One line of at most `limit` characters, cut between words where there are any, with "…" for the rest."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    if limit < 1:
        return ""
    # With its last character given to the "…", a word that ends just before it stays whole.
    words = line[:limit].rpartition(" ")[0].rstrip(_CLOSING)
    # Text without spaces, or a very long last word: better cut inside than almost nothing shown.
    return (words if len(words) >= limit // 2 else line[: limit - 1]) + "…"


def has_forbidden_characters(text: str) -> bool:
    """NUL, a lone surrogate, or a C0 control other than tab, line feed and carriage return."""
    return _FORBIDDEN.search(text) is not None


def is_one_line(text: str) -> bool:
    """Return whether the text has neither line breaks of any kind nor control characters."""
    return _NOT_ON_A_LINE.search(text) is None


def storable(text: str) -> str:
    """Return the text without what `has_forbidden_characters` finds: for texts whose author cannot be asked to correct
    them."""
    return _FORBIDDEN.sub("", text)


def is_invisible(text: str) -> bool:
    """Return whether the text has no visible character: space, and format characters such as a zero-width space, and
    nothing else."""
    return all(character.isspace() or unicodedata.category(character) == "Cf" for character in text)


def encodable(text: str) -> str:
    """Return the text with "?" for lone surrogates, for libraries that want UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
