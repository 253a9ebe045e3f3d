"""What is typed in haste, as it is spelled: "im", "dont", a small "i", "lol" at the end. Pure; English."""

from __future__ import annotations

import re

# Words of English alone, and of German, French, Spanish and Dutch: the more of them say what a text is written in.
_ENGLISH = re.compile(
    r"(?i)\b(?:the|and|my|you|your|it|its|of|that|thats|this|with|at|from|they|he|she|but|use|me|sure|to|is|am|are|"
    r"has|have|had|would|like|love|need|want|really|just|name|vegan|vegetarian|allergic|tired|sick|going|working|"
    r"doesnt|didnt|isnt|wasnt|cant|couldnt|wouldnt|havent|hasnt|youre|ive)\b|(?:^|[.!?]\s)i\b"
)
_OTHER = re.compile(
    r"(?i)\b(?:ich|und|der|das|ist|nicht|von|ein|eine|wir|le|la|les|je|et|que|un|une|est|des|du|pour|il|el|los|het|"
    r"een|van|ik)\b"
)
_NOT = re.compile(r"(?i)\b(do|does|did|is|are|was|were|have|has|had|could|would|should|ca|wo)nt\b")
# "Im" and "Ive" are names, and "IM" is short for something else: with a capital only at the beginning of a sentence.
_SHORT = re.compile(
    r"\bi(?=m [a-z\d]|m[.!?]|ve\b)|(?:^|(?<=[,;:.!?]\s)|(?<=\b[Hh]i )|(?<=\b[Hh]ey ))(?:i(?=m )|I(?=(?:m|ve) [a-z\d])"
    r"(?!m (?:is|was|has|and|said)\b))|"
    r"\b(?:[Yy]ou|[Ww]e|[Tt]hey)(?=ve\b)|\b(?:[Tt]hat|[Ww]hat|[Tt]here|[Hh]e|[Ss]he)(?=s\b)",
    re.MULTILINE,
)
_ITS = re.compile(r"(?i)\bits(?= (?:\d|an?|the|not|been|so|really|too|very(?! own\b)|just)\b)")
_SMALL_U = re.compile(r"(?<![\w.'’-])u(?=[ ,?!]|$)(?! and\b)")
_SMALL_I = re.compile(r"(?<![\w.'’-])i(?=['’ ]|$)(?![.])")
# What stands at the end of a sentence and says nothing; "Tho" is a name.
_END = re.compile(
    r"(?:,? (?:btw|BTW|by the way|lol|LOL|(?:ha)+|pls|plz|tho|[:;]-?[pPdD)(]))+(?=[.!?]*(?:\s|$))(?!\s[A-Za-z])"
)


def spell_out(text: str) -> str:
    """Return a text with its apostrophes, "I" and "you"; of one that is not in English only the apostrophes change."""
    if "'" not in text:
        text = text.replace("’", "'")
    if len(_ENGLISH.findall(text)) <= len(_OTHER.findall(text)):
        return text
    spelled = _SHORT.sub(lambda found: f"{found[0]}'", _NOT.sub(r"\1n't", text))
    return _END.sub("", _ITS.sub(_add_is, _SMALL_U.sub("you", _SMALL_I.sub("I", spelled))))


def _add_is(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}'s"
