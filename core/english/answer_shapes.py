"""What shape of answer a question asks for, by its words. Pure; English.

Most questions ask for one thing, which one message says. Others ask for what no single message says: an order of
events, a count or a list, a summary. And some ask for something to be done or advised, to which what the user has asked
for earlier applies.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.english.cautions import read_caution


class Shape(StrEnum):
    """What an answer is made of."""

    POINT = "point"
    ORDER = "order"
    LIST = "list"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """The shape of an answer, and whether the question asks for something to be done or advised, other than telling
    of a topic."""

    shape: Shape = Shape.POINT
    is_request: bool = False

    @property
    def is_spread(self) -> bool:
        """Whether the answer is spread over many messages."""
        return self.shape is not Shape.POINT

    @property
    def is_of_topic(self) -> bool:
        """Whether the answer tells of a topic, whose mentions matter more than what each of them says."""
        return self.shape in {Shape.ORDER, Shape.SUMMARY}


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:{'|'.join(patterns)})")


_ORDER = _any(
    r"\b(?:in (?:what|which|the) (?:\w+ )?|in (?:chronological )?)(?:order|sequence)\b(?! (?:to|that|for)\b)",
    r"\bthe (?:\w+ )?(?:order|sequence) (?:in which|that (?:i|we|you)|(?:i|we|you))\b",
    r"\bchronolog\w+|\bsequence of events|\border of events|\b(?:a|an|the|what|my|our) (?:\w+ )?time ?line\b",
    r"\bfirst\b.{1,80}\band then\b|\bfrom (?:first|earliest|oldest) to (?:last|latest|newest)\b",
    r"\b(?:what|which)\b.{1,80}\b(?:came|happened|was|were) first\b",
)
_SUMMARY = _any(
    r"\b(?:summar(?:y|ies|i[sz]\w*)|overview|recap\w*|rundown)\b",
    r"\b(?:what|all|everything) (?:do )?(?:you|we) know (?:about|of)\b",
    r"\b(?:tell|remind) me (?:everything |all |more |a bit )*about\b|\bgive me the gist\b",
    r"\bhow (?:did|has|have|had|do|does)\b.{1,160}\b(?:develop|progress|evolv|unfold|chang|grow|grew|improv)\w*",
    r"\bwhat (?:has|have|had) (?:been happening|happened|been going on|changed)\b",
)
# Of these there is one at a time.
_ONE = r"(?:time|date|day|year|month|name|colou?r|place|reason|kind of)"
_PLURAL = r"(?!\w*(?:ss|us|is)\b)[a-z][\w'’-]*s\b"
_VERB = r"(?:has|have|had|do|does|did|are|were|is|was)"
# How long something took counts nothing.
_SPAN = (
    r"(?:days?|weeks?|months?|years?|hours?|minutes?|time)\b.{0,80}"
    r"\b(?:between|passed|after|before|until|ago|take|took)\b"
)
_LIST = _any(
    rf"\bhow (?:many|much) (?!{_SPAN})",
    r"\b(?:list|enumerate|name) (?:all|the|every|some|each|me|both)\b|\bwhat all\b|\bin (?:what|which) ways\b",
    r"\b(?:what|which) (?:are|were) (?:some|all|the different)\b",
    r"\b(?:what|which) (?:different )?(?:kinds?|types?|sorts?) of [\w'’ -]{2,40}? (?:does|do|has|have)\b",
    rf"\b(?:what|which) (?!{_ONE}\b)(?:(?!(?:is|was|does|has|did)\b)[\w/+-]+ ){{0,4}}?{_PLURAL}.{{0,40}}?\b{_VERB}\b",
    r"\b(?:what|which) (?:are|were) [\w'’ -]{2,40}? \w{3,}s\b",
    r"\b(?:where|who|what|whom) (?:all )?(?:has|have|had)\b",
    r"\b(?:what|which|who|where)\b.{0,160}\b(?:both|in common|each of|multiple times|several)\b",
    r"\bwhat (?:do|does) [\w'’ -]{2,40}? (?:do|like|enjoy|collect|play|make|own|need|want)\b",
)
_REQUEST = _any(
    r"\b(?:can|could|would|will) you\b|\bplease\b|\bhelp me\b|\bdo you think\b|\bhow to\b",
    r"\b(?:recommend|suggest|advise|advice|propose|tips?|ideas?)\w*",
    r"\bshould (?:i|we|my|our)\b|\bhow (?:should|do|can|could|would|might) (?:i|we|you)\b",
    r"\b(?:show|give|write|draft|create|explain|make|plan|prepare|design|build|implement|generate|compose|teach) "
    r"(?:me|us|a|an|the|my|our|some)\b",
    r"^(?:find|get|book|order|buy|choose|pick|compare|translate|look up) (?:me|us|a|an|the|my|our|some)\b",
    r"\bwhat (?:would|should|could|are some (?:good|great))\b|\bwhich .{1,60}\bshould\b",
    r"^i(?:['’]m| am| want| need|['’]d| would)\b",
    r"^(?:(?:hey|hi|ok|okay|oh|so|now|then|and|also)[, ]+)*"
    r"(?:find|look (?:up|for|into)|search|check|compare|book|order|pick|choose|"
    r"translate|rewrite|rephrase|calculate|work out|convert|estimate|schedule)\b",
    # How to answer is what instructions say.
    r"\b(?:how|what|which)(?: \w+){0,2} (?:should|must|shall) (?:your |my |the )?(?:answers|replies|responses)\b",
    r"\bhow much (?:do|does|is|are|would|will|did) (?!i\b|we\b|my\b|our\b).{1,80}\bcosts?\b",
)


# What someone else recommended is asked for, and no recommendation. "Has recommended" asks for what holds until now,
# to which what was preferred applies as well.
_SAID_BY_OTHERS = re.compile(
    r"(?i)\b(?:did|does) (?!(?:you|we|i|it)\b)[\w'’ -]{1,40}? (?:recommend|suggest|advise|propose)\w*|"
    r"\b(?:advice|tips?|ideas?)\b[^.?!]{0,30}? did (?!(?:you|we|i|it)\b)|"
    r"\bwho (?:recommend|suggest|advis|propos)ed\b"
)


def answer_shape(text: str) -> AnswerShape:
    """Return the shape that the words of a question suggest: an order before a summary, a summary before a list."""
    for shape, pattern in ((Shape.ORDER, _ORDER), (Shape.SUMMARY, _SUMMARY)):
        if pattern.search(text):
            return AnswerShape(shape)
    shape = Shape.LIST if _LIST.search(text) else Shape.POINT
    # To what not to say no preference applies.
    is_request = read_caution(text) is None and _REQUEST.search(_SAID_BY_OTHERS.sub(" ", text)) is not None
    return AnswerShape(shape, is_request=is_request)
