"""What a question is searched with: of an order or a summary its topic alone. Pure; English."""

from __future__ import annotations

import re

from core.english.answer_shapes import answer_shape
from core.english.lexemes import lexemes
from core.english.sentences import split_sentences

_CHANGE = r"(?:develop|progress|evolv|chang|unfold|grow|grew)"
# A sentence that limits the answer.
_LIMIT = re.compile(
    r"(?i)^(?:please )?(?:mention|list|name|include|use|give|answer|limit)\b.{0,80}"
    r"\b(?:only|exactly|at most|no more|just)\b"
)
# What an order or a summary is asked for with says how to answer, and has a meaning that all questions like it share.
_FRAMES = tuple(
    re.compile(rf"(?i){pattern}")
    for pattern in (
        r"^\W*(?:please )?(?:(?:can|could|would|will) you )?(?:please )?"
        r"(?:give|provide|list|walk|tell|show|help|remind|outline|write|make|describe|explain|recap|summari[sz]e)\b"
        r"(?: (?:me|us))?(?: (?:through|with|about|of|all|everything))*",
        r"\b(?:(?:a|an|the|what|which) )?(?:\w+ )?"
        r"(?:summary|overview|recap|rundown|time ?line|chronology|gist)(?: of(?: events)?| in which| that| about)*\b",
        r"\bin (?:what|which|the) (?:\w+ )?(?:order|sequence)\b",
        r"\b(?:the )?(?:\w+ )?(?:order|sequence) (?:in which|of events|that (?=i |we ))",
        r"\b(?:summari[sz]e|in (?:chronological )?order|chronologically)\b",
        r"\b(?:(?:how|that|when|which|what) )?(?:i|we|you)(?: have|['’]ve| had| did)? (?:first )?"
        r"(?:brought up|bring up|mention(?:ed)?|talk(?:ed)? about|discuss(?:ed)?|raised?|ask(?:ed)? about|spoke about|"
        r"know about|worked through|made)\b",
        r"\b(?:the )?(?:(?:various|different|main|key|specific|distinct) ){0,3}"
        r"(?:aspects?|topics?|things|ways|points|parts|subjects)(?: (?:of|about|in|related to))?\b",
        r"\b(?:throughout|across|in|during|over|through|from) (?:all )?(?:of )?(?:our|my|the|these|your) (?:\w+ )?"
        r"(?:conversations?|chats?|discussions?|sessions?|messages|talks?)\b",
        r"\b(?:over time|so far|along the way|to date|until now|up to now)\b",
        rf"\bhow\b(?=.*\b{_CHANGE})|\b(?:has|have|had|did|does) ?(?:been )?{_CHANGE}\w*",
    )
)


def search_text(question: str) -> str:
    """Return the words by which a question is searched: the topic of an order or a summary, else all of it."""
    if not answer_shape(question).is_of_topic:
        return question
    first, *others = split_sentences(question)
    topic = " ".join([first, *(each for each in others if not _LIMIT.search(each))])
    for frame in _FRAMES:
        topic = frame.sub(" ", topic)
    topic = re.sub(r" +(?=[,.?!])", "", " ".join(topic.split())).strip(" ,.;:?!")
    return topic if lexemes(topic) else question
