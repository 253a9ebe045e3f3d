"""Questions and the replies to them, by their words: what asks, and which reply cannot be understood alone. Pure;
English."""

from __future__ import annotations

import re

from core.english.sentences import split_sentences

# What a message shows stands in brackets behind its words.
_CAPTION = re.compile(r"\[[^\[\]]*\]\s*$")
_LETTER = re.compile(r"[^\W\d_]")
# Questions that keep a talk going: whatever is said next answers something else as well.
_TO_YOU = r"(?: (?:up to|doing|going|feeling|with you|there|lately|recently|these days|today))*(?:,? [A-Z]\w+)?\W*\?"
_COURTESY = re.compile(
    r"^(?i:(?:hey|hi|so|and|but|well|oh|wow|anyway|by the way)\b[^?]{0,25}?[,!.]? ?)?"
    r"(?i:(?:how|what) about (?:you|yours|yourself)|(?:how|what)(?:['’]?s| is| are| have| has)(?: you| things| it| life"
    r"| everything| up| new| happening| going on)(?: been)?|any(?:thing)?(?: else| new| interesting| cool)*"
    r"|and (?:you|yours|yourself)|you|right|ok(?:ay)?|huh|really|you know|isn['’]t it|don['’]t you think"
    rf"|what do you think|sounds? good){_TO_YOU}"
)
# "What can you do?" wants no answer.
_RHETORICAL = re.compile(
    r"(?i)\b(?:what can (?:you|one|we) do|who knows|can you believe (?:it|that)|know what i mean|"
    r"who would have thought)(?:,? (?:right|huh|anyway|eh))?\W*\?"
)
# How a reply begins that answers, agrees, or speaks of what the question named.
_LEAD = (
    r"(?:(?:oh|wow|well|ha(?:ha)*|hey|hi|thanks|thank you|aww*|hmm+|ah|so|and|but|cool|nice|great|awesome)\b"
    r"[^.!?,]{0,25}[.!?,]+ (?:\w+[.!?]+ )?)"
)
_LEANS = re.compile(
    rf"(?i)^{_LEAD}{{0,2}}(?:"
    r"ye(?:s|p|ah|up)|no(?:pe)?|nah|sure|definitely|absolutely|certainly|totally|exactly|indeed|correct|of course|"
    r"for sure|not (?:yet|really|at all|too|so|sure)|i (?:do|did|have|am|was|will|would|can|think so|agree)(?=[.!,])|"
    r"(?:it|that|this|they|those|these|he|she|both|neither|none|some|one|mostly|usually|just)\b)(?![\w])"
)
SHORT = 8  # words


def closing_question(text: str) -> str:
    """Return the sentence with which a text ends, where it asks and is not a mere courtesy; "" otherwise."""
    if "?" not in text:
        return ""
    spoken = [each for each in split_sentences(_CAPTION.sub("", text)) if _LETTER.search(each)]
    return spoken[-1] if spoken and asks(spoken[-1]) else ""


def last_question(text: str) -> str:
    """Return the last sentence of a text that asks and is not a mere courtesy; "" where there is none."""
    sentences = [*split_sentences(_CAPTION.sub("", text))] if "?" in text else []
    return next((each for each in reversed(sentences) if asks(each)), "")


def asks(sentence: str) -> bool:
    """Return whether a sentence asks for something that its answer tells."""
    is_idle = _COURTESY.match(sentence) or _RHETORICAL.search(sentence)
    return "?" in sentence and _LETTER.search(sentence) is not None and not is_idle


def only_asks(text: str) -> bool:
    """Return whether every sentence of a text is a question, so that it tells nothing."""
    return all(each.endswith("?") for each in split_sentences(text))


def leans_on_question(text: str) -> bool:
    """Return whether a reply says little by itself: it is short, or begins by pointing back."""
    spoken = " ".join(_CAPTION.sub("", text).split())
    return len(spoken.split()) <= SHORT or _LEANS.match(spoken) is not None
