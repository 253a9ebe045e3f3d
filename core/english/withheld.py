"""A message without what its writer asks not to keep. Pure; English."""

from __future__ import annotations

import re

from core.english.sentences import find_sentences

# "Don't keep asking" and "Don't keep your answers short" ask for something else.
_ASKED = (
    r"(?P<ask>(?:please,? )?(?:don['’]?t|do not|never)(?: ever)? "
    r"(?:keep(?! (?:(?!(?:any|some|every|no)thing)\w+ing|me|us|your)\b)|save|remember|store|note)\b)"
)
_WITHHELD = re.compile(rf"(?i)(?:^|[,;:(–—-] ?)(?:(?:and|but|so|also|ok|okay|just) )*{_ASKED}")
# What it is about stands elsewhere in the message. "Don't remember that." may say that one does not.
_ALL = re.compile(
    rf"(?i)(?!(?:don['’]?t|do not|never) remember (?:that|it)\b){_ASKED} "
    r"(?:(?:any of )?(?:this|that|it)(?: (?:message|conversation|chat|part|one))?|anything|"
    r"what (?:follows|comes next|I (?:say|said|write|wrote|tell you)))"
    r"(?:,? (?:please|here|anywhere|in this message|about me|in mind))*[.!:]*$"
)


def without_withheld(text: str) -> str:
    """Return a text without the sentences that ask not to keep what they say; "" where one asks it of all of it."""
    kept, end = [], 0
    for begin, after in find_sentences(text):
        sentence = text[begin:after]
        found = _WITHHELD.search(sentence) if not sentence.endswith("?") else None
        if found and _ALL.match(sentence, found.start("ask")):
            return ""
        if found:
            kept.append(text[end:begin])
            end = after
    return "".join([*kept, text[end:]])
