"""What kind of statement a sentence is, by its words. Pure; English."""

from __future__ import annotations

import re
from enum import StrEnum

from core.english.irregular_forms import PAST
from core.english.standing_instructions import asks_for_answers, begins_with_order, is_standing


class StatementKind(StrEnum):
    """What a statement is about."""

    FACT = "fact"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    PLAN = "plan"
    EVENT = "event"
    DECISION = "decision"


_INSTRUCTION = re.compile(
    r"(?i)(?:^|[,.;] )(?:and |so )?(?:please )?(?:always|never|from now on|whenever (?:I|you)|make sure (?:to|you|"
    r"that)|remember to|remind me (?:to|that)|don't forget|do not|only use|keep in mind|going forward)\b|"
    r"^(?:when(?:ever)?|if) you \w+ .{0,60}\b(?:please|always|never|don't|do not)\b"
)
_DECISION = re.compile(
    # "Nothing decided yet" is none.
    r"(?i)\b(?:(?<!\bnothing )(?<!\bnothing's )(?<!\bnot )(?<!n't )(?<!\bnever )(?<!\byet )decided(?! yet)|chose|"
    r"chosen|opted|settled on|agreed (?:to|on|that)|went with|going with|picked|made up my mind|final decision|"
    r"declined|turned down)\b"
)
_PREFERENCE = re.compile(
    r"(?i)\b(?:prefer\w*|favou?rites?|"
    # "In love" and "my two loves" are nouns.
    r"(?<!\bin )(?<!\bmy )(?<!\bour )(?<!\btwo )(?<!\bthree )loves?|"
    r"enjoy\w*|hate|hates|dislike\w*|would rather|'d rather|(?:I|really|also|don't|they) like|likes|"
    r"fan of|keen on|fond of|passionate about|into (?=\w+ing\b)|can't stand|comfort food|my go-to)\b|"
    r"(?:\b(?:am|really|super|totally)|'m|'re) into (?!an?\b|the\b|my\b|it\b|trouble\b)"
)
_PLAN = re.compile(
    r"(?i)\b(?:going to|gonna|plan(?:s|ned|ning)? (?:to|on|for|a)|"
    # "My will", the paper, is not a plan.
    r"(?<!\bmy )(?<!\bour )(?<!\byour )(?<!\btheir )(?<!\bthe )(?<!\ba )will|'ll|want to|wants to|wanna|hop(?:e|"
    r"ing) to|aim\w*|intend\w*|goal|deadline|upcoming|looking forward|thinking (?:of|about)|tomorrow|next (?:week|"
    r"month|year|weekend|summer)|soon|scheduled|due)\b"
)
# Pasts that tell of no event by themselves; "got" is one where it is not what someone has got.
_NO_EVENT_LIST = """
    had felt kept knew led meant said stood stuck thought understood got
"""
_PAST_EVENTS = (PAST | {"quit", "read"}) - frozenset(_NO_EVENT_LIST.split()) - {"told"}
_EVENT = re.compile(
    rf"(?i)\b(?:{'|'.join(sorted(_PAST_EVENTS))}|(?<!'ve )(?<!\bhave )(?<!\bhas )got|set up|"
    r"accepted|adopted|applied|attended|booked|called (?=(?:me|him|her|us|them|the|my|in|off)\b)|"
    r"celebrated|changed|completed|cooked|created|died|finished|"
    r"graduated|happened|helped|hired|hosted|implemented|joined|launched|learned|married|moved|opened|ordered|"
    r"organized|painted|participated|passed|played|raised|received|retired|returned|shared|signed|started|stopped|"
    r"talked|travel+ed|tried|visited|volunteered|watched|worked|yesterday|ago|last)\b"
)

# How one feels about what they do not say: worth little without a time, a number or a name.
_MOOD = re.compile(
    r"(?i)\b(?:excited|hyped|thrilled|stoked|pumped|determined|looking forward|can't wait|grateful|thankful|blessed|"
    r"proud|glad|happy (?:to|for)|believe in|believing in|positive impact|make a difference|making a difference|"
    r"always down|hopes? (?:everything|it|this|that)|(?:I'll|I will|we'll|we will) (?:wait|definitely|try|keep|be)|"
    r"staying (?:strong|positive|motivated)|stay (?:strong|positive|motivated)|keep (?:going|pushing|on)|means a lot|"
    r"(?:do|try) my best|lucky)\b"
)
# "We're planning to ski and enjoy the view."
_PLANNED_JOY = re.compile(
    r"(?i)\b(?:going to|gonna|planning to|plan to|hop(?:e|ing) to|will|'ll)\b[^.;!?]{1,60}\benjoy\b"
)
# A regular past of what someone did, and not of what they wanted, had or were.
_DID = re.compile(
    r"(?i)^(?:I|we)(?: (?:also|just|all|both|even|finally|recently|\w+ly))? (?!need\b|(?:want|need|lik|lov|hop|wish|"
    r"us|liv|own|seem|believ|fear|car|aim|intend|expect|deserv|belong|matter)ed\b)[a-z]{2,20}ed\b"
)


def classify(sentence: str, *, is_instruction_possible: bool = True) -> StatementKind:
    """Return the kind of a sentence as it was said; the first that its words suggest."""
    if is_instruction_possible and (_INSTRUCTION.search(sentence) or _is_order(sentence)):
        return StatementKind.INSTRUCTION
    for kind, pattern in (
        (StatementKind.DECISION, _DECISION),
        (StatementKind.PLAN, _PLANNED_JOY),
        (StatementKind.PREFERENCE, _PREFERENCE),
        (StatementKind.PLAN, _PLAN),
        (StatementKind.EVENT, _EVENT),
        (StatementKind.EVENT, _DID),
    ):
        if pattern.search(sentence):
            return kind
    return StatementKind.FACT


def tells_mood(sentence: str) -> bool:
    """Return whether a sentence tells how its speaker feels about what it does not say."""
    return _MOOD.search(sentence) is not None


def _is_order(sentence: str) -> bool:
    return asks_for_answers(sentence) or (begins_with_order(sentence) and is_standing(sentence))
