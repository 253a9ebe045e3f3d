"""What a question is searched with: its topic, without the words that only ask for it. Pure; English."""

from __future__ import annotations

import re

from core.english.answer_shapes import answer_shape
from core.english.cautions import read_caution
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
        rf"\bhow\b(?=.{{0,200}}\b{_CHANGE})|\b(?:has|have|had|did|does) ?(?:been )?{_CHANGE}\w*",
    )
)


_TALK = r"(?:talk|speak|chat|talked|spoke|spoken|chatted|discuss|discussed|hear|heard|mention|mentioned)"
_ABOUT = r"(?: (?:to|with) (?:each other|one another)| together)?(?: (?:about|of|on))? "
_WHO = r"(?P<who>[^?]{1,60}?)"
# What asks for one thing of a topic, and what is searched instead: messages hold "talk", "now" and "birthday" that
# have nothing to do with it.
_POINTS = tuple(
    (re.compile(rf"(?i){pattern}"), searched)
    for pattern, searched in (
        (rf"^when did {_WHO} (?:last|most recently) {_TALK}{_ABOUT}(?=\w)", r"\g<who>: "),
        (rf"^when was the last time(?: that)? {_WHO} {_TALK}{_ABOUT}(?=\w)", r"\g<who>: "),
        (
            # What not to tell is a caution, which is read before.
            rf"^what (?:should|must|can|could) (?:i|we) (?:tell|(?:say|talk) (?:to|with)) {_WHO}{_ABOUT}(?=\w)",
            r"\g<who>: ",
        ),
        (
            r"^\W*(?:please )?(?:(?:can|could|would) you )?(?:please )?(?:help me )?(?:to )?"
            r"(?:plan|find|suggest|recommend|choose|pick|think of|get|buy|give)(?: me| us)?(?: an?| some| the)?"
            rf"(?: (?!list|of\b)[\w-]+){{0,2}} (?:present|gift)s?(?: ideas?)? for {_WHO}(?=[?.!,]|$)",
            r"what \g<who> likes, loves and wants",
        ),
        (r" (?:right now|nowadays|these days|at the moment|at present|now)(?=,| and\b| ?[?.!]*$)", ""),
    )
)


def search_text(question: str) -> str:
    """Return the words by which a question is searched: its topic, or all of it where nothing else is left."""
    if caution := read_caution(question):
        return caution.searched
    if not answer_shape(question).is_of_topic:
        return _point_text(question)
    first, *others = split_sentences(question)
    topic = " ".join([first, *(each for each in others if not _LIMIT.search(each))])
    for frame in _FRAMES:
        topic = frame.sub(" ", topic)
    topic = re.sub(r" (?=[,.?!])", "", " ".join(topic.split())).strip(" ,.;:?!")
    return topic if lexemes(topic) else question


def _point_text(question: str) -> str:
    text = question
    for frame, searched in _POINTS:
        text = frame.sub(searched, text)
    return text if lexemes(text) else question
