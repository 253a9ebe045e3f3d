"""What a verdict did, in a sentence that names its subject. Pure."""

from __future__ import annotations

from core.text import excerpt, parse_citations
from core.text.invisible_characters import strip_invisible_characters

MAX_CHARACTERS_OF_SUBJECT = 60
# By the name of the verdict; `{}` is the subject.
SENTENCES = {
    "fact": "Made {} a fact.",
    "keep": "Kept {}.",
    "edit": "Edited: {}.",
    "merge": "Merged {}.",
    "suppress": "Suppressed {}.",
    "forget": "Forgot {}.",
    "accept": "Accepted {}.",
    "reject": "Rejected {}.",
    "newer": "The newer holds: {}.",
    "older": "The older holds: {}.",
    "both": "Both hold: {}.",
    "apart": "Kept apart: {}.",
    "ask": "Asked for {} to be a fact.",
}


def verdict_sentence(verdict: str, text: str) -> str:
    """Return what a verdict did to an item that says `text`."""
    return SENTENCES.get(verdict, "Decided: {}.").format(quote_subject(text))


def quote_subject(text: str) -> str:
    """Return the beginning of a text in quotes, for a sentence of the page: on one line, cut between words, without
    marks of citations and without characters that turn the direction of what follows; "it" for one that is gone."""
    if not text:
        return "it"
    written, parts = 0, []
    for mark in parse_citations(text):
        parts.append(text[written : mark.start])
        written = mark.end
    bare = strip_invisible_characters("".join([*parts, text[written:]]))
    return f"“{excerpt(bare, limit=MAX_CHARACTERS_OF_SUBJECT).rstrip('.')}”"
