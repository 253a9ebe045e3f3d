"""What of a message is courtesy: greetings, thanks, farewells. Pure; English."""

from __future__ import annotations

import re

from core.english.sentences import split_sentences

_NAME = r"(?-i:[A-Z])[\w'’-]+"
_GOOD = r"(?:good|great|nice|lovely|awesome|wonderful|cool|happy|glad|well|fine|okay|ok)"
_MEET = r"(?:see|hear|chat|talk|catch up|be back)(?: (?:from|with|to))?(?: you)?"
_LATELY = r"(?: (?:been|going|doing|doin['’]?|feeling|up to|lately|recently|these days|so far))*"
_PATTERNS = (
    r"(?:hi|hey|hello|hiya|yo|good (?:morning|afternoon|evening|day)|greetings)(?: (?:there|again|everyone|all))?",
    rf"(?:it['’]?s |it is |so |really |always )*{_GOOD} (?:to|that i) {_MEET}",
    r"long time,? no (?:see|talk|chat)|(?:it['’]?s )?been (?:a while|ages|a long time|too long|so long|forever)",
    r"what['’]?s (?:up|new|going on|happening)",
    r"(?:how|what)(?:['’]?s| is|['’]?re| are| have| has|['’]ve) (?:you|ya|it|things|life|everything|your (?:day|week))"
    rf"{_LATELY}",
    r"(?:i )?hop(?:e|ing) (?:all|everything|you|things|life)(?:['’]?s| is|['’]?re| are) (?:\w+ ){0,2}" + _GOOD,
    r"(?:many )?(?:thanks|thank you|thx|cheers)(?: (?:so|very) much| a (?:lot|bunch|ton|million))?"
    r"(?: for (?:asking|everything|listening|(?:your|the) (?:help|support|chat|info|advice|reminder)))?",
    r"you(?:['’]?re| are) (?:very |most |so )?welcome|no (?:problem|worries)|my pleasure|any ?time",
    r"(?:good ?)?bye|see (?:you|ya)|talk to you|take care(?: of yourself)?|catch you|until next time|good ?night",
    rf"have an? {_GOOD} (?:day|one|evening|night|week|weekend|time)",
)
_END = rf"(?:,? (?:again|too|as well|today|soon|later|around|tomorrow|now|then|here|{_NAME}))*"
_COURTESY = re.compile(rf"(?i)\W*(?:(?:{'|'.join(_PATTERNS)}){_END}[\W_]*)+")
# Characters of a message that may be a greeting, and of what else it says where it hardly says anything.
MAX_GREETING, HARDLY = 240, 80


def strip_courtesies(text: str) -> str:
    """Return a text without the sentences that are nothing but courtesies."""
    return " ".join(sentence for sentence in split_sentences(text) if not _COURTESY.fullmatch(sentence))


def is_mere_greeting(text: str, *, opens_session: bool) -> bool:
    """Return whether a message says nothing but courtesies; of one that opens a session, whether it says or asks hardly
    anything else."""
    if len(text) > MAX_GREETING:
        return False
    left = list(split_sentences(strip_courtesies(text)))
    says = [sentence for sentence in left if not sentence.endswith("?")]
    return not left or (opens_session and (not says or len(" ".join(left)) < HARDLY))
