"""The "I" that a sentence of talk leaves out: "Went to Oslo." Pure; English."""

from __future__ import annotations

import re

from core.english.irregular_forms import PAST

_GERUND = re.compile(
    r"^(?i:just |still |also |currently |now )?(?P<verb>\w{2,}ing)\b(?! (?:is|was|are|were|has|can|helps?|"
    r"makes?|gives?)\b)"
)
# "Painting with them is fun": what follows makes the gerund a subject.
MAX_SUBJECT = 90  # characters
_CLAUSE_END = re.compile(r"[,;:–—.]")
_PREDICATE = re.compile(
    r"(?i)\b(?:is|are|was|were|isn't|wasn't|has|have|had|can|could|will|would|may|might|really|also|changed|makes?|"
    r"made|helps?|helped|gives?|gave|brings?|brought|keeps?|kept|takes?|feels?|felt|means?|requires?|shows?|allows?|"
    r"reminds?|ensures?|involves?|provides?|teaches|taught|lets|became|becomes|leads|improves?|adds?|builds?|"
    r"brightens?|boosts?|pushes|creates?|gets|sounds|seems|works|inspires?|motivates?|relieves|relaxes|needs|pays|"
    r"opens|definitely|always|matters|counts|looks?|looked|must|should|truly|usually|never|sure|just|plays? an?|"
    r"warms?|fills?|fascinates?|excites?|\w{2,}[^\Wsu]s (?:me|us|you|everyone|people)(?= up\b| on\b| to\b| with\b|"
    r" from\b|[.!?]|$))\b"
)
_FAR_PREDICATE = re.compile(
    r"(?i)[–-] (?:that|it)['’]s\b|\b(?:has|have) (?:really |truly |always |also )?(?:meant|been|made|helped|given|"
    r"taught|brought)\b|^\w+ing['’]s\b|^[^,.;:]{3,60}, [^,.;:]{3,40}, (?:is|are|was|were|helps?|makes?|gives?|"
    r"keeps?)\b|^[^.;:]{3,60}, and \w+ (?:is|are|was|were|helps?|makes?|gives?|keeps?)\b"
)
# "Growing up, I rowed": the gerund belongs to the subject behind it.
_SUBJECT_BEHIND = re.compile(r"(?i)^[^,]{0,40}, (?:I|we)\b")
_NO_GERUND_LIST = """
    nothing something everything anything exciting amazing interesting morning evening during being king spring
    according thing wedding meeting heating building opening training parking
"""
_NO_GERUND = frozenset(_NO_GERUND_LIST.split())
# Of these one cannot tell who did it, or they are more often a participle: "Left of the door", "Meant to be".
_NO_DROPPED_LIST = """
    was were said left meant shot stuck struck hung kept lit led hid held built bent took
"""
_DROPPED_PASTS = (PAST | {"read"}) - frozenset(_NO_DROPPED_LIST.split()) - {"told"}
_DROPPED_SUBJECT = re.compile(
    r"(?i)^(?:just |still |also |recently |even |finally |never |always |definitely )*(?:haven't|didn't|"
    r"don't(?! (?:be|worry|forget|give|let|stop|hesitate|stress|get|you|we)\b)|couldn't|won't|wasn't|"
    r"took(?! (?:me|an? (?:bit|lot|while)|some (?:time|work|effort|trial)|time|work|ages|forever)\b)|"
    rf"{'|'.join(sorted(_DROPPED_PASTS))}|"
    r"started|stopped|finished|joined|loved?|enjoyed|tried|decided|planned|learned|played|visited|watched|helped|worked|moved|"
    r"gonna(?! be\b)|can't wait|could(?! you\b)|hope|need|want|feel|wish|think|guess|wanna|gotta|used to)\b"
    r"(?! (?:really |truly |always |just )?(?:is|are|was|does|has|can|will|makes|brings|gives|keeps|conquers|of|and)\b)"
)
# "Changed my diet", but not "Inspired by it, I left".
_DROPPED_PAST = re.compile(
    r"(?i)^(?:(?:just |also |recently |even |finally )*[a-z]{2,}ed (?:on )?(?:my|our|a|an|the|some) |(?:just|recently|"
    r"finally) [a-z]{2,}ed (?:with|to|from|at|in|for|up|out|off|back|about) |(?:just |also |recently |even |"
    r"finally )*(?!ask|suppos|bas|us|rat|consider|compar|surround|fill|combin|pack)[a-z]{3,}ed (?:up|out|off|away|"
    r"back|new|two|three|four|\d+) )"
)
_SUBJECT_LATER = re.compile(r"(?i), (?:I|we|it|they|he|she|my|this|that|the)\b")
_ENUMERATION = re.compile(r"^\w+ing(?:,| and \w+ing\b|:|!)")  # "Skiing, sailing and …"
_DROPPED_BEEN = re.compile(
    r"(?i)^(?:just |still |also |recently |never |always )?been\b(?! (?:an?|so|great|ages|forever|amazing|awesome|"
    r"really|super) )"
)
_STATE = re.compile(
    r"(?i)^(?:so |really |super |very |pretty |quite )*(?:excited|thrilled|grateful|thankful|glad|happy|"
    r"proud|nervous|tired|busy|stoked|pumped|lucky|ready|sorry|blessed|honou?red)\b"
)


def _has_predicate(rest: str) -> bool:
    """Return whether a verb follows before the first mark, and soon."""
    return _PREDICATE.search(_CLAUSE_END.split(rest, maxsplit=1)[0][:MAX_SUBJECT]) is not None


def _is_subject(sentence: str, gerund: re.Match[str]) -> bool:
    """Return whether a gerund is the subject of a verb, or leads to one: "Rowing calms me", "Growing up, I rowed"."""
    if _FAR_PREDICATE.search(sentence):
        return True
    return _has_predicate(sentence[gerund.end() :]) or _SUBJECT_BEHIND.match(sentence) is not None


def with_subject(sentence: str) -> str:
    """Return the sentence with the "I" that its beginning leaves out: "Went to Oslo." """
    subject = _find_subject(sentence)
    return f"{subject} {sentence[:1].lower()}{sentence[1:]}" if subject else sentence


def _find_subject(sentence: str) -> str:
    gerund = None if _ENUMERATION.match(sentence) else _GERUND.match(sentence)
    if gerund and gerund["verb"].lower() not in _NO_GERUND and not _is_subject(sentence, gerund):
        return "I'm"
    if _STATE.match(sentence):
        return "I'm"
    if _DROPPED_BEEN.match(sentence):
        return "I've"
    if _DROPPED_SUBJECT.match(sentence):
        return "I"
    return "I" if _DROPPED_PAST.match(sentence) and not _SUBJECT_LATER.search(sentence) else ""
