"""Subjects that a sentence of talk leaves out, clauses of its speaker, and "this" for "a". Pure; English."""

from __future__ import annotations

import re

MIN_WORDS_OF_DEFINITION = 8
MIN_WORDS_OF_CLAUSE = 6  # behind a comma or semicolon, to be read by itself
_OWN_CLAUSE = re.compile(
    r"(?:[,;:–!] ?|[ –]- ?|\) )(?:(?:and|so|but|plus) )?(?=I(?:['’](?:ve|m|d))? (?!(?:think|guess|hope|bet|know|"
    r"mean|feel)\b))"
)
_NEW_DATE = re.compile(
    r"(?i)^(?:(?:the|its|my|our) )?new (?:date|time|day|slot|appointment|deadline)(?:'s| is| will be)\b|^(?:it's|"
    r"it is|now it's) "
    r"now (?:on|at)\b"
)
_DEFINES = re.compile(
    r"(?i)^it(?:['’]s| was| is) (?:an?|my|our) (?!(?:bit|lot|good|great|nice|tough|hard|huge|real|really|big|"
    r"wonderful|amazing|joy|blast|reminder|dream|journey|awesome|incredible|bond|day|experience|wake|relief|"
    r"lesson|shame|pity|surprise|success|just|one|"
    r"wonderful|really|never|always|"
    r"wild|while|constant|challenge|pleasure|struggle|honou?r|must|way|chance|feeling|beautiful|fun|cool|perfect|"
    r"new|little|small|lovely|super)\b)"
)
_TALKED_PICTURE = re.compile(
    r"(?i)(?:(?<=\bI )|(?<= and ))(?P<verb>took|snapped) (?:this|that) (?=(?:pic|picture|photo)\b)"
)
_TALKED_THIS = re.compile(
    r"(?i)\b(?P<verb>reading|read|make|made|making|got|get|had|have|found|saw|see|to|met|there's|there was|"
    r"bought|tried|watch|watched|"
    r"watching|about|across|was|is|with|in|joined|started|by|from|finished|love|loved) this (?=(?P<noun>(?!new\b|"
    r"special\b|whole\b|same\b|\w+ (?:to|for|and|in|at|on|is|was)\b)[a-z]\w*) [a-z]{3,})"
)
_GERUND = re.compile(
    r"^(?i:just |still |also |currently |now )?(?P<verb>\w{2,}ing)\b(?! (?:is|was|are|were|has|can|helps?|"
    r"makes?|gives?)\b)"
)
# "Painting with them is fun": what follows makes the gerund a subject.
MAX_SUBJECT = 90  # characters
_CLAUSE_END = re.compile(r"[,;:–—.]")
_PREDICATE = re.compile(
    r"(?i)\b(?:is|are|was|were|isn't|wasn't|has|have|had|can|could|will|would|may|might|"
    r"really|also|changed|makes?|made|helps?|"
    r"helped|gives?|gave|brings?|brought|keeps?|kept|takes?|feels?|felt|means?|requires?|shows?|allows?|"
    r"reminds?|ensures?|involves?|provides?|"
    r"teaches|taught|lets|became|becomes|leads|improves?|adds?|builds?|brightens?|boosts?|pushes|creates?|"
    r"gets|sounds|seems|works|inspires?|motivates?|relieves|relaxes|needs|pays|opens|definitely|always|matters|"
    r"counts|"
    r"looks?|looked|must|should|"
    r"truly|usually|never|sure|just|plays? an?|warms?|fills?|fascinates?|excites?|"
    r"\w{2,}[^\Wsu]s (?:me|us|you|everyone|people)(?= up\b| on\b| to\b| with\b| from\b|[.!?]|$))\b"
)
_FAR_PREDICATE = re.compile(
    r"(?i)[–-] (?:that|it)['’]s\b|\b(?:has|have) (?:really |truly |always |also )?(?:meant|been|made|helped|"
    r"given|taught|brought)\b"
)
# "Growing up, I rowed": the gerund belongs to the subject behind it.
_SUBJECT_BEHIND = re.compile(r"(?i)^[^,]{0,40}, (?:I|we)\b")
_NO_GERUND_LIST = """
    nothing something everything anything exciting amazing interesting morning evening during being king spring
    according thing
"""
_NO_GERUND = frozenset(_NO_GERUND_LIST.split())
_DROPPED_SUBJECT = re.compile(
    r"(?i)^(?:just |still |also |recently |even |finally |never |always |definitely )*(?:haven't|didn't|"
    r"don't(?! (?:be|worry|forget|give|let|stop|hesitate|stress|get|you|we)\b)|couldn't|won't|wasn't|went|had|"
    r"got|did|made|saw|met|took(?! (?:me|an? (?:bit|lot|while)|"
    r"some (?:time|work|effort|trial)|time|work|ages|forever)\b)|came|started|finished|"
    r"joined|found|bought|gonna(?! be\b)|can't wait|could|love|loved|hope|enjoyed|tried|decided|won|lost|"
    r"spent|planned|need|want|feel|felt|wish|"
    r"learned|played|visited|ate|watched|read|ran|helped|worked|moved|gave|think|thought|guess|wanna|"
    r"gotta|used to)\b(?! (?:really |truly |always |just )?(?:is|are|was|does|has|can|will|makes|brings|gives|keeps|"
    r"conquers|of|and)\b)"
)
# "Changed my diet", but not "Inspired by it, I left".
_DROPPED_PAST = re.compile(
    r"(?i)^(?:(?:just |also |recently |even |finally )*[a-z]{2,}ed (?:on )?(?:my|our|a|an|the|some) |"
    r"(?:just|recently|finally) [a-z]{2,}ed (?:with|to|from|at|in|for|up|out|off|back|about) |"
    r"(?:just |also |recently |even |finally )*(?!ask|suppos|bas|us|rat|consider|compar|surround|fill|combin|"
    r"pack)[a-z]{3,}ed "
    r"(?:up|out|off|away|back|new|two|three|four|\d+) )"
)
_SUBJECT_LATER = re.compile(r"(?i), (?:I|we|it|they|he|she|my|this|that|the)\b")
_ENUMERATION = re.compile(r"^\w+ing(?:,| and \w+ing\b|:|!)")  # "Skiing, sailing and …"
_DROPPED_BEEN = re.compile(
    r"(?i)^(?:just |still |also |recently |never )?been\b(?! (?:an?|so|great|ages|forever|amazing|awesome|really|"
    r"super) )"
)
_STATE = re.compile(
    r"(?i)^(?:so |really |super |very |pretty |quite )*(?:excited|thrilled|grateful|thankful|glad|happy|"
    r"proud|nervous|tired|busy|stoked|pumped|lucky|ready|sorry|blessed|honou?red)\b"
)


def tells_new_date(sentence: str) -> bool:
    """Return whether a sentence tells the new date of what the one before says to be postponed."""
    return _NEW_DATE.match(sentence) is not None


def own_clause(sentence: str) -> str:
    """Return the clause at the end in which the speaker is the subject; '' without one."""
    found = _OWN_CLAUSE.search(sentence)
    clause = sentence[found.end() :] if found else ""
    return clause[:1].upper() + clause[1:] if len(clause.split()) >= MIN_WORDS_OF_CLAUSE else ""


def defines(sentence: str) -> bool:
    """Return whether a sentence tells what "it" is: "It was a race for beginners along the coast"."""
    return len(sentence.split()) >= MIN_WORDS_OF_DEFINITION and _DEFINES.match(sentence) is not None


def with_article(sentence: str) -> str:
    """Return a sentence with "a" for the "this" of talk: "I read this fine book", "a parade I went to"."""
    text = _TALKED_PICTURE.sub(r"\g<verb> a ", sentence)
    return _TALKED_THIS.sub(lambda found: f"{found['verb']} {'an' if found['noun'][0] in 'aeiou' else 'a'} ", text)


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
    gerund = None if _ENUMERATION.match(sentence) else _GERUND.match(sentence)
    if gerund and gerund["verb"].lower() not in _NO_GERUND and not _is_subject(sentence, gerund):
        return f"I'm {sentence[:1].lower()}{sentence[1:]}"
    if _STATE.match(sentence):
        return f"I'm {sentence[:1].lower()}{sentence[1:]}"
    if _DROPPED_BEEN.match(sentence):
        return f"I've {sentence[:1].lower()}{sentence[1:]}"
    if _DROPPED_SUBJECT.match(sentence):
        return f"I {sentence[:1].lower()}{sentence[1:]}"
    if _DROPPED_PAST.match(sentence) and not _SUBJECT_LATER.search(sentence):
        return f"I {sentence[:1].lower()}{sentence[1:]}"
    return sentence
