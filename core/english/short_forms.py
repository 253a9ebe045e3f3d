"""What is typed in haste, as it is spelled: "im", "dont", a small "i", "lol" at the end. Pure; English."""

from __future__ import annotations

import re

_NOT = re.compile(r"(?i)\b(do|does|did|is|are|was|were|have|has|had|could|would|should|ca|wo)nt\b")
_SHORT = re.compile(r"(?i)\b(?:(?P<have>I|you|we|they)(?=ve\b)|(?P<am>I)(?=m\b)|(?P<is>that|what|there|he|she)(?=s\b))")
_ITS = re.compile(r"(?i)\bits(?= (?:\d|an?|the|not|been|so|really|too|very|just)\b)")
_SMALL_I = re.compile(r"(?<![\w.'’-])i(?=['’ ]|$)(?![.])")
# What stands at the end of a sentence and says nothing.
_END = re.compile(r"(?i)(?:,? (?:btw|by the way|lol|(?:ha)+|pls|plz|tho|[:;]-?[)D(]))+(?=[.!?]*(?:\s|$))(?!\s[a-z])")


def write_out(text: str) -> str:
    """Return a text with its apostrophes and its "I"."""
    if "'" not in text:
        text = text.replace("’", "'")
    spelled = _SHORT.sub(lambda found: f"{found[0]}'", _NOT.sub(r"\1n't", text))
    return _END.sub("", _ITS.sub(_add_is, _SMALL_I.sub("I", spelled)))


def _add_is(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}'s"
