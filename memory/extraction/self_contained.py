"""Whether a sentence can be understood, and is meant, by itself. Pure; English.

"I like the second one." and "I love to." say nothing to a reader who does not know what was said before.
"""

from __future__ import annotations

import re

from core.english.persons import PERSON

_JOKE = re.compile(r"(?i)\b(?:lol|lmao|rofl|ha(?:ha)+|he(?:he)+|jk|just kidding)\b|[\U0001f602\U0001f923\U0001f61c]")
# What people call themselves, or each other, in passing.
_NAME_CALLING = re.compile(
    r"(?i)(?:'m|\bam|\bis|\bare|'re|\bwas)(?: \w+)? (?:an? |the )?(?:\w+ ){0,2}(?:idiot|moron|dummy|fool|loser|klutz|"
    r"jerk|clown|asshole|bitch|bastard|mess|wreck|noob|goof)s?\b(?! \w+ (?:of|at|for)\b)"
)
# The last word asks for another one.
_OPEN_END = re.compile(
    r"(?i)\b(?:to|of|for|with|from|than|and|or|but|the|an?|my|that|which|have|be|so|very|really)[ .!,;]*$"
)
_ORDINAL = "first|second|third|fourth|last|latter|former|next|previous|other|same|left|right|top|bottom"
_ONE_OF_SEVERAL = re.compile(
    rf"(?i)\b(?:the|this|that|these|those|both|which|another)(?: \w+){{0,2}} ones?\b(?!-)|"
    rf"\b(?:the|this|that) (?:{_ORDINAL})(?=[.,!;]|$)|\b(?:both|either|neither)(?: of them)?[ .!]*$|"
    r"\b(?:option|answer|choice|number|version) (?:\d|[a-d]\b)"
)
_TIMES = (
    "time|year|month|week|weekend|morning|afternoon|evening|night|spring|summer|autumn|fall|winter|day|moment|"
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday|century|decade|quarter|season"
)
_POINTED_AT = re.compile(
    rf"(?i)\b(?:this|these|those) (?!(?:\w+ )?(?:{_TIMES})s?\b)\w+|"
    r"\b(?:like|of|about|in|at|with|for|doing) that\b(?! \w)"
)
_COMPARED = re.compile(
    r"(?i)\b(?:an?|the) (?:similar|same)\b(?!.*\b(?:to|as|with|that|like)\b)|\bsuch an?\b(?!.* as\b)"
)
_PRONOUN = re.compile(r"(?i)\b(?:it|they|them|he|she|him|her)\b(?!['’](?:d|ll)\b)")
# In the third person the others stand for the one who is spoken of.
_THING = re.compile(r"(?i)\bit\b(?!['’](?:d|ll)\b)")
_FIRST_PERSON = re.compile(r"(?i)(?:I|my|we|our|let's)\b")
# A noun that a pronoun behind it may stand for; "my favourite was when they" has none.
_ANTECEDENT = re.compile(
    r"(?i:\b(?:an?|our|two|three|four|\d+|some|every|my|the)(?! favou?rites?\b| best\b) [\w-]{3,})|"
    r"\b(?!I\b|My\b)[A-Z]\w+|\b[a-z]{3,}[^\Wsu]s\b"
)
_EMPTY_IT = re.compile(
    r"(?i)\bit(?:'s| is| was| takes| took| comes| rains| snows)\b|\b(?:make|made|find|found|call) it\b"
)
# "I love the energy" of what? Places, arts and seasons need no such word.
_ADMIRED = re.compile(
    r"(?i)\b(?:loves?|likes?|enjoys?|adores?|(?:can't|cannot) (?:stand|bear)) (?:(?:all|both|how|just) )*"
    r"the (?P<rest>[^,;]+)"
)
_WELL_KNOWN = (
    "beach|sea|ocean|mountains?|outdoors|nature|country|countryside|city|theatre|theater|cinema|opera|ballet|sun|rain|"
    "snow|cold|heat|summer|winter|spring|autumn|fall|night|morning|water|forest|woods|desert|arts?|internet|gym|office|"
    "piano|violin|guitar|drums|cello|flute|saxophone|trumpet|harp|outside|world|stars|moon|sky|news|weekends?"
)
_SAYS_OF_WHAT = re.compile(
    rf"(?i:^(?:\w+ )?(?:{_WELL_KNOWN})\b)|(?i:\b(?:of|by|from) (?!this|that|it\b))|\b[A-Z]\w+|\d"
)
_VAGUE_END = re.compile(
    r"(?i)\b(?:something|someone|somewhere|stuff|things?|an? (?:\w+ )?(?:fan|part|lot|bit|kind|sort|type|member|story|"
    r"secret|surprise|few|couple|point|reason|thing|way))(?: too| as well)?[ .!]*$|(?:^my|'s) favou?rite (?:is|was|"
    r"has)\b|\b(?:working on|building|planning|using|learning|doing|preparing for|training for) (?:something|"
    r"some things|stuff|it)\b"
)
# "I'm moving the whole thing": which?
_UNTOLD = re.compile(
    r"(?i)\bthe (?:whole|entire|other|same) (?:thing|lot|rest)\b(?! of\b)|\bthe (?:thing|lot|rest)\b(?! (?:of|is)\b)|"
    r"\b(?:looking forward to|(?:excited|nervous|worried) about) the \w+(?= (?:on|at|in|next|this)\b|[.,;!]|$)"
)
# "I bought one today": one of what?
_ONE = re.compile(
    r"(?i)\b(?:bought|buy|got|get|have|has|had|needs?|wants?|found|find|rent(?:ed)?|order(?:ed)?|sold|sell|made|built|own|"
    r"borrowed|saw|took|take|picked up|looking for|chose|booked) (?:(?:me|myself|us) )?(?:(?:an?|another|some) "
    r"(?:[\w-]+ ){1,2})?ones?(?=[ .!]*$|[,;:–]| (?:today|yesterday|now|last|next|this|from|in|at|on(?! one)|by(?! one)|"
    r"near|too|as|and|but|already|again|back|online|with|ago|for)\b)"
)
_CHECKS = (_JOKE, _NAME_CALLING, _OPEN_END, _ONE_OF_SEVERAL, _POINTED_AT, _COMPARED, _VAGUE_END, _UNTOLD)
# "I work there on Mondays" where no place stands before it.
_THERE = re.compile(r"(?i)\bthere\b(?!'s| (?:for|is|are|was|were|will|has|have)\b)")
_PLACE = re.compile(r"(?i:\b(?:in|at|near|from|to (?:the|an?|my|our))\b)|(?<!^)\b(?!I\b)[A-Z]\w")
# "My niece is vegan, so no cheese when she is here": the subject is whom "she" stands for.
_PERSON = re.compile(r"(?i)(?:he|she|him|her)$")
_OF_PERSON = re.compile(rf"(?i)my (?:\w+ )?(?:{PERSON})s?\b|my (?:\w+ )?(?-i:[A-Z])")
# "The deadline was moved", "my new date is": of what?
_OF_NO_THING = re.compile(
    r"(?i)(?:(?:the|my|our) )?(?:(?:new|next|other|whole) )?(?:date|day|time|deadline|appointment|slot|one)"
    r"(?:'s| (?:is|are|was|were|got|gets|has|had|will|moved|changed))\b"
)
# "We open on 5 May": what opens is not said.
_WE_OPEN = re.compile(
    r"(?i)(?:I|we) (?:now |then |also )?(?:open|close|premiere|launch)(?= (?:on|at|from|by|in|next)\b|[.!]*$)"
)
# What begins a sentence without saying whose or which it is: "Due on 3 May", "Registration closes", "Invoices are".
_NO_SUBJECT = re.compile(
    r"(?i)(?:\w{3,20}tion|\w{4,20}(?:ment|ings?)|(?:go|mov|fly|leav|hav|see|mak|tak)ing|due|exams?|tests?|deadlines?|deliver(?:y|ies)|rent|school|term|semester|"
    r"class|lessons?|course|surgery|check-?(?:in|out)|pick-?up|start|end|entry|tickets?|interview|wedding|dinner|lunch|"
    r"party|concert|flight|train|bus|trip|visit|chemo|physio|therapy|rehearsals?|launch|release|review|call|price|fee|"
    r"bill|costs?|total|results?|work|shifts?|everything|nothing|all|both|some|most|then|there|here|today|tomorrow|now|"
    r"still|also|maybe|probably|not|no|opens?|close[sd]?|starts|ends|begins|arrives|leaves|comes|goes|back|away|off|"
    r"out|home|free|busy|available|until|from|since|on|in|at|by|for|with|after|before|between|his|her|their|"
    r"\w{2,20} of (?:them|these|those)|"
    r"\w{2,20}s (?=are|were|have|start|end|open|close))\b"
)


def stands_alone(sentence: str) -> bool:
    """Return whether a sentence in the first or third person is meant, and says what it is about."""
    if any(check.search(sentence) for check in _CHECKS):
        return False
    admired = _ADMIRED.search(sentence)
    if admired and not _SAYS_OF_WHAT.search(admired["rest"]):
        return False
    there = _THERE.search(sentence)
    if there and not _PLACE.search(sentence, 0, there.start()):
        return False
    one = _ONE.search(sentence)
    if one and not _ANTECEDENT.search(sentence, 0, one.start()):
        return False
    return not _has_loose_pronoun(sentence)


def names_subject(sentence: str) -> bool:
    """Return whether a sentence begins with what it is about: "My exam is …", "Mara arrives …", not "Due on …"."""
    return _NO_SUBJECT.match(sentence) is None and names_thing(sentence)


def names_thing(sentence: str) -> bool:
    """Return whether a sentence says what is moved or opens: not "The deadline was moved", "We open on 5 May"."""
    return not (_OF_NO_THING.match(sentence) or _WE_OPEN.match(sentence))


def _has_loose_pronoun(sentence: str) -> bool:
    """Return whether a pronoun has nothing before it in the sentence that it could stand for."""
    pronoun = (_PRONOUN if _FIRST_PERSON.match(sentence) else _THING).search(sentence)
    if pronoun is None or _EMPTY_IT.search(sentence):
        return False
    if _PERSON.match(pronoun[0]) and _OF_PERSON.match(sentence):
        return False
    # The subject speaks: a pronoun does not stand for it.
    before = sentence[: pronoun.start()].partition(" ")[2]
    return _ANTECEDENT.search(before) is None
